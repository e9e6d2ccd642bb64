/** Rows of one table that are read by the keys of what is looked for: an id, or an entry of one of its lists. */
import type { Connection, SqlValue } from "../engine/engine.ts";
import { readList } from "./lists.ts";
import type { Place, RowTable, Wanted } from "./tables.ts";

export interface KeyedRow<Values extends SqlValue[]> {
  readonly id: string;
  readonly part: number;
  /** `undefined` for a row that is not stored. */
  readonly since: number | undefined;
  values: Values;
  /** Those of its lists that were looked at. */
  readonly lists: Map<number, Map<number, string>>;
}

/** An entry of a list: the id that has the list, and the number that the entry is about. */
export type EntryKey = readonly [id: string, number: number];

export class KeyedRows<Values extends SqlValue[]> {
  readonly table: RowTable<Values>;
  readonly #rows = new Map<string, KeyedRow<Values>[]>();

  constructor(table: RowTable<Values>) {
    this.table = table;
  }

  /** Reads what holds at a revision: part 0 of ids, and of each list the parts in which entries are or would be. */
  async read(
    connection: Pick<Connection, "dialect" | "remote" | "read">,
    place: Place,
    ids: Iterable<string>,
    lists: readonly (readonly EntryKey[])[] = [],
  ): Promise<void> {
    const wanted = new Map<string, Wanted>();
    const want = (id: string, from: number, to: number) => wanted.set(`${id}\n${to}`, [id, from, to]);
    for (const id of ids) want(id, 0, 0);
    for (const [list, entries] of lists.entries()) {
      const parts = this.table.lists.parts[list];
      for (const [id, number] of entries) {
        want(id, 0, 0);
        want(id, parts?.lowest ?? 0, parts?.partOf(number) ?? 0);
      }
    }
    const found = new Set<string>();
    for (const row of await this.table.last(connection, place, [...wanted.values()])) {
      const key = `${row.id}\n${row.part}`;
      if (!found.has(key)) this.add({ ...row, lists: new Map() });
      found.add(key);
    }
  }

  add(row: KeyedRow<Values>): void {
    const rows = this.#rows.get(row.id);
    if (rows === undefined) this.#rows.set(row.id, [row]);
    else rows.push(row);
  }

  /** The part that every id has. */
  first(id: string): KeyedRow<Values> | undefined {
    return this.#rows.get(id)?.find(({ part }) => part === 0);
  }

  /** The part in which the entry about a number is, or would be; `undefined` if there is no such id. */
  partOf([id, number]: EntryKey, list: number): KeyedRow<Values> | undefined {
    const parts = this.table.lists.parts[list];
    const [lowest, highest] = [parts?.lowest ?? 0, parts?.partOf(number) ?? 0];
    let found = this.first(id);
    for (const row of this.#rows.get(id) ?? []) {
      if (row.part < lowest || row.part > highest) continue;
      if (found === undefined || found.part === 0 || row.part > found.part) found = row;
    }
    return found;
  }

  /** The entries of a list that are in a part. */
  entries(row: KeyedRow<Values>, list: number): Map<number, string> {
    let entries = row.lists.get(list);
    if (entries === undefined) {
      entries = readList(this.table.lists.textsOf(row.values)[list] ?? "");
      row.lists.set(list, entries);
    }
    return entries;
  }

  /** What the entry about a number says; `undefined` if there is none. */
  says(key: EntryKey, list: number): string | undefined {
    const row = this.partOf(key, list);
    return row === undefined ? undefined : this.entries(row, list).get(key[1]);
  }
}
