/** Warns about decisions other than `keep`, `remove` and `ask`: they remove nothing. */
import { idOf, kindOf } from "../../domain/content.ts";
import { oneLine, quote } from "../../domain/text.ts";
import { type DecidedRow, decidedBy, WORDS } from "../../review/decided/row.ts";
import { HEAD } from "./sheet-lines.ts";

/** The most rows that are named. */
const MOST_NAMED = 100;

export interface OtherWords {
  /** A sentence for each of the first rows with another decision, then the number of the others. */
  readonly named: readonly string[];
  /** How many rows have another decision, as a sentence after a blank; empty if none has. */
  readonly count: string;
}

/** Names the rows with other decisions, by the numbers that a spreadsheet shows. */
export function otherWords(rows: readonly DecidedRow[]): OtherWords {
  const named: string[] = [];
  let found = 0;
  for (const [index, { content, user, decision }] of rows.entries()) {
    if (decidedBy(decision) !== "other" || ++found > MOST_NAMED) continue;
    const row = `Row ${HEAD + index + 1} (${kindOf(content)}/${idOf(content)}, ${user})`;
    named.push(oneLine(`${row}: decision is ${quote(decision)}; accepted: ${WORDS.join(", ")} or empty.`));
  }
  if (found > MOST_NAMED) {
    named.push(`And ${(found - MOST_NAMED).toLocaleString("en")} more; --decision other lists them.`);
  }
  return { named, count: found === 0 ? "" : ` Decisions in other words: ${found.toLocaleString("en")}.` };
}
