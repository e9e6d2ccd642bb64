import { Readable } from "node:stream";
import Papa from "papaparse";
import { CommandError } from "../../../domain/error.ts";

const DELIMITERS = [",", ";", "\t"] as const;
/** In characters. A longer row has a quote that is not closed. */
const LONGEST_ROW = 1 << 20;
/** The delimiter is recognized from this many characters, in which the first row must end. */
const BEGINNING = 1 << 16;
/** A first line that declares the delimiter for Excel. It is not a row. */
const DECLARED = /^sep=(.)\n/;

export interface RawRow {
  /** From 1, headings included, as a spreadsheet counts. */
  readonly number: number;
  readonly cells: readonly string[];
  /** What is wrong with the quotes of the row; `undefined` if nothing is. */
  readonly fault: string | undefined;
}

/** Rates the headings that a delimiter would give. The delimiter with the highest rating is used. */
export type DelimiterRating = (headings: readonly string[]) => number;

/**
 * Reads CSV (RFC 4180) row by row. In `texts`, each line ends with `\n`. The delimiter is a comma, a semicolon or a
 * tab. Throws a CommandError for a row that is too long.
 */
export async function readRows(
  file: string,
  texts: AsyncGenerator<string>,
  rating: DelimiterRating,
  take: (row: RawRow, delimiter: string) => void,
): Promise<void> {
  let beginning = "";
  for (let ended = false; !ended && beginning.length < BEGINNING;) {
    const { value, done } = await texts.next();
    ended = done === true;
    if (done !== true) beginning += value;
  }
  const declared = DECLARED.exec(beginning);
  if (declared !== null) beginning = beginning.slice(declared[0].length);
  const delimiter = declared?.[1] ?? delimiterOf(beginning, rating);
  let number = 0;
  let unread = 0;
  let length = 0;
  const source = Readable.from(counted());
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      delimiter,
      newline: "\n",
      chunk({ data, errors }) {
        const faults = new Map(errors.map(({ row, message }) => [row, message]));
        for (const [index, cells] of data.entries()) {
          take({ number: ++number, cells, fault: faults.get(index) }, delimiter);
        }
        unread = data.length === 0 ? unread + length : 0;
        if (unread > LONGEST_ROW) {
          throw new CommandError(
            `${file}:${number + 1}: the row is longer than ${LONGEST_ROW} characters; is there a quote that is not closed?`,
          );
        }
      },
      complete: () => resolve(),
      error: reject,
    });
  }).finally(() => source.destroy());

  async function* counted(): AsyncGenerator<string> {
    length = beginning.length;
    yield beginning;
    for await (const text of texts) {
      length = text.length;
      yield text;
    }
  }
}

function delimiterOf(text: string, rating: DelimiterRating): string {
  const likings = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, newline: "\n", preview: 1 });
    return { delimiter, rating: rating(data[0] ?? []), cells: data[0]?.length ?? 0 };
  });
  likings.sort((a, b) => b.rating - a.rating || b.cells - a.cells);
  return likings[0]?.delimiter ?? ",";
}
