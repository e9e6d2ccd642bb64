import { FOREVER } from "../../../schema/as-of.ts";
import {
  type Column,
  type Given,
  type Statement,
  readEach,
  statement,
  writeEach,
} from "../../../engine/engine.ts";
import type { Writing } from "../writing.ts";

export type Columns = Readonly<Record<string, Given>>;

/** The current row of a key, as this change leaves it. */
interface Row<Key, Values> {
  readonly key: Key;
  /** `undefined` if the key has no current row. */
  values: Values | undefined;
  /** Whether the table has a current row with this key; `undefined` if that was not read. */
  isStored: boolean | undefined;
  /** Whether this change has inserted the stored row. */
  isNew: boolean;
  isChanged: boolean;
}

/**
 * A table whose rows hold from one revision up to another. At most one row per key is current. A change keeps rows in
 * memory, and {@link flush} writes them together. Call it before another statement reads the table.
 */
export class VersionedTable<Key extends Column[], Values extends Column[]> {
  readonly name: string;
  /** All columns except `generation`, `since` and `until`; the key's columns come first. */
  readonly columns: readonly string[];
  readonly #values: number;
  readonly #isMoved: boolean;
  readonly #rows = new WeakMap<Writing, Map<string, Row<Key, Values>>>();
  /** Selects the columns of the values, then those of the key. */
  readonly #read: Statement<Values>;
  readonly #insert: Statement<never>;
  readonly #end: Statement<never>;
  readonly #delete: Statement<never>;

  /**
   * `isMoved`: whether splitting a chunk copies rows of this table. The copies belong to this change, but their `isNew`
   * is not set.
   */
  constructor(name: string, keys: Columns, values: Columns, isMoved = false) {
    this.name = name;
    this.#isMoved = isMoved;
    this.#values = Object.keys(values).length;
    this.columns = [...Object.keys(keys), ...Object.keys(values)];
    const all = this.columns.join(", ");
    const types = Object.values({ ...keys, ...values });
    const current = (isGiven: string) => `generation = $1 AND ${isGiven} AND until = ${FOREVER}`;
    const keyed = (first: number) => [Object.keys(keys), Object.values(keys), first] as const;
    this.#read = statement(
      ({ isGiven }) => `
        SELECT ${[...Object.keys(values), ...Object.keys(keys)].join(", ")} FROM ${name} WHERE ${current(isGiven(...keyed(2)))}`,
    );
    this.#insert = statement(
      ({ given }) => `
        INSERT INTO ${name} (generation, since, until, ${all})
          SELECT CAST($1 AS bigint), CAST($2 AS bigint), ${FOREVER}, given.* FROM ${given(types, 3)}`,
    );
    this.#end = statement(
      ({ isGiven }) => `UPDATE ${name} SET until = $2 WHERE ${current(isGiven(...keyed(3)))}`,
    );
    this.#delete = statement(
      ({ isGiven }) => `DELETE FROM ${name} WHERE ${current(isGiven(...keyed(3)))} AND since = $2`,
    );
  }

  /** Reads the current rows of keys at once, for later calls of {@link read}. */
  async load(writing: Writing, keys: Iterable<Key>): Promise<void> {
    const rows = this.#rowsOf(writing);
    const unread = new Map<string, Key>();
    for (const key of keys) {
      const name = nameOf(key);
      if (rows.get(name)?.isStored === undefined && rows.get(name)?.isChanged !== true) unread.set(name, key);
    }
    for (const [name, key] of unread) {
      rows.set(name, { key, values: undefined, isStored: false, isNew: false, isChanged: false });
    }
    const { connection, generation } = writing;
    for (const found of await readEach(connection, this.#read, [generation], [...unread.values()])) {
      const key = found.splice(this.#values);
      const row = rows.get(nameOf(key));
      if (row === undefined) throw new Error(`Table ${this.name} returned ${JSON.stringify(key)} unasked.`);
      row.values = found;
      row.isStored = true;
    }
  }

  /** The current values of a key; `undefined` if it has no current row. */
  async read(writing: Writing, key: Key): Promise<Values | undefined> {
    const rows = this.#rowsOf(writing);
    const name = nameOf(key);
    if (rows.get(name) === undefined) await this.load(writing, [key]);
    return rows.get(name)?.values;
  }

  /** Sets the values of a key from this revision on. */
  put(writing: Writing, key: Key, values: Values): void {
    this.#change(writing, key, values);
  }

  /** Sets the values of a key without a current row. */
  insert(writing: Writing, key: Key, values: Values): void {
    this.#change(writing, key, values).isStored ??= false;
  }

  /** Ends the current row of a key, if any, at this revision. */
  end(writing: Writing, key: Key): void {
    this.#change(writing, key, undefined);
  }

  /** Writes the changed rows. */
  async flush(writing: Writing): Promise<void> {
    const { connection, generation, revision, hasSplit } = writing;
    const changed = [...this.#rowsOf(writing).values()].filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    const isUnread = (row: Row<Key, Values>) => row.isNew || (hasSplit && this.#isMoved);
    const keysOf = (some: typeof changed) => some.map(({ key }) => key);
    const there = changed.filter(({ isStored }) => isStored !== false);
    const at = [generation, revision];
    // Deletes rows that this change inserted, because no revision contains them.
    await writeEach(connection, this.#delete, at, keysOf(there.filter(isUnread)));
    await writeEach(connection, this.#end, at, keysOf(there.filter(({ isNew }) => !isNew)));
    const kept = changed.flatMap(({ key, values }) => (values === undefined ? [] : [[...key, ...values]]));
    await writeEach(connection, this.#insert, at, kept);
    for (const row of changed) {
      row.isStored = row.values !== undefined;
      row.isNew = row.isStored;
      row.isChanged = false;
    }
  }

  /** Forgets all rows if a split may have moved them. Call {@link flush} before the split. */
  forget(writing: Writing): void {
    if (this.#isMoved) this.#rows.delete(writing);
  }

  #change(writing: Writing, key: Key, values: Values | undefined): Row<Key, Values> {
    const rows = this.#rowsOf(writing);
    const name = nameOf(key);
    const row: Row<Key, Values> = rows.get(name) ?? {
      key,
      values,
      isStored: undefined,
      isNew: false,
      isChanged: true,
    };
    rows.set(name, row);
    row.values = values;
    row.isChanged = true;
    return row;
  }

  #rowsOf(writing: Writing): Map<string, Row<Key, Values>> {
    const known = this.#rows.get(writing) ?? new Map<string, Row<Key, Values>>();
    this.#rows.set(writing, known);
    return known;
  }
}

/** A key as one text. No id contains the separator U+0000. */
function nameOf(key: readonly Column[]): string {
  return key.join("\0");
}
