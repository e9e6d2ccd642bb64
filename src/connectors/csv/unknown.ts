/** People whom a row names, but no row describes: an error or, with `--skip-unknown`, a row that is left out and listed. */
import { show } from "../../snapshot/problem.ts";

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

interface LeftOutRows {
  /** Reports the row as an error after all. */
  readonly refuse: (why: string) => void;
  /** Where its rows are, for messages. */
  readonly rows: string[];
}

const ROWS = 5;

export class Unknown {
  readonly #skips: boolean;
  readonly #people = new Map<string, LeftOutRows>();

  constructor(skips: boolean) {
    this.#skips = skips;
  }

  /** Leaves a row out. Returns false if the row is an error. */
  leaveOut<Field extends string>(
    table: {
      readonly file: string;
      rowName(row: number): string;
      wrong(row: number, field: Field, value: string, why: string): void;
    },
    row: number,
    field: Field,
    person: string,
  ): boolean {
    if (!this.#skips || person === "") return false;
    const known = this.#people.get(person) ?? {
      refuse: (why) => table.wrong(row, field, person, why),
      rows: [],
    };
    this.#people.set(person, known);
    known.rows.push(`${table.file} ${table.rowName(row)}`);
    return true;
  }

  /** Reports rows that turned out to name a team: without such a row, somebody's role might rise. */
  refuseTeams(isTeam: (text: string) => boolean): void {
    for (const [text, { refuse }] of this.#people) {
      if (isTeam(text)) refuse("this is a team, and rows of teams are never left out");
    }
  }

  /** A line for each person, in the order of the rows. */
  *lines(): Generator<string> {
    for (const [person, { rows }] of this.#people) {
      const more = rows.length > ROWS ? ` and ${(rows.length - ROWS).toLocaleString("en")} more` : "";
      yield `Left out, because nobody has this id or address: ${show(person)} (${rows.slice(0, ROWS).join(", ")}${more})`;
    }
  }
}
