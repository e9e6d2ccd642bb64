/** Warns about decisions that are neither `keep`, `remove` nor `ask`: nothing is removed because of them. */
import { idOf, kindOf } from "../../domain/content.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import { quote } from "../../domain/text/quote.ts";
import { type DecidedRow, decidedBy, WORDS } from "../../review/decided/row.ts";
import { HEAD } from "./sheet-lines.ts";

/** The largest number of rows named. */
const MOST_NAMED = 100;

export interface OtherWords {
  /** A sentence for each of the first rows; then the number of others. */
  readonly named: readonly string[];
  /** The number of these decisions, as a sentence with a leading blank; empty if there is none. */
  readonly count: string;
}

/**
 * Finds the decisions that are neither empty nor `keep`, `remove` or `ask`. Rows are numbered as a spreadsheet does.
 */
export function otherWords(rows: readonly DecidedRow[]): OtherWords {
  const named: string[] = [];
  let found = 0;
  for (const [place, { content, user, decision }] of rows.entries()) {
    if (decidedBy(decision) !== "other" || ++found > MOST_NAMED) continue;
    const row = `Row ${HEAD + place + 1} (${kindOf(content)}/${idOf(content)}, ${user})`;
    named.push(oneLine(`${row}: decision is ${quote(decision)}; accepted: ${WORDS.join(", ")} or empty.`));
  }
  if (found > MOST_NAMED) {
    named.push(`And ${(found - MOST_NAMED).toLocaleString("en")} more; --decision other lists them.`);
  }
  return { named, count: found === 0 ? "" : ` Decisions in other words: ${found.toLocaleString("en")}.` };
}
