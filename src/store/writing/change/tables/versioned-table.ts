import { FOREVER } from "../../../schema/as-of.ts";
import { type Column, type Parameter, type Statement, statement } from "../../../engine/engine.ts";
import type { Writing } from "../writing.ts";

/** A table whose rows hold from one revision up to another. At most one row per key is current. */
export class VersionedTable<Key extends Column[], Values extends Column[]> {
  readonly name: string;
  /** The columns besides `generation`, `since` and `until`; those of the key come first. */
  readonly columns: readonly string[];
  readonly #isMoved: boolean;
  readonly #read: Statement<Values>;
  readonly #insert: Statement<never>;
  readonly #end: Statement<never>;
  readonly #delete: Statement<never>;

  /**
   * `keys` and `values` are columns, besides `generation`, `since` and `until`. `isMoved`: whether a split of a chunk copies
   * rows of this table; {@link Writing.inserted} does not have these copies.
   */
  constructor(name: string, keys: readonly string[], values: readonly string[], isMoved = false) {
    this.name = name;
    this.#isMoved = isMoved;
    this.columns = [...keys, ...values];
    const given = keys.map((column, place) => `${column} = $${place + 2}`).join(" AND ");
    const current = `generation = $1 AND ${given} AND until = ${FOREVER}`;
    const places = this.columns.map((_, place) => `$${place + 3}`);
    const read = values.length === 0 ? "1" : values.join(", ");
    this.#read = statement(() => `SELECT ${read} FROM ${name} WHERE ${current}`);
    this.#insert = statement(
      () => `
        INSERT INTO ${name} (generation, since, until, ${this.columns.join(", ")})
          VALUES ($1, $2, ${FOREVER}, ${places.join(", ")})`,
    );
    this.#end = statement(() => `UPDATE ${name} SET until = $${keys.length + 2} WHERE ${current}`);
    this.#delete = statement(() => `DELETE FROM ${name} WHERE ${current} AND since = $${keys.length + 2}`);
  }

  /** The current values of a key. */
  async read({ connection, generation }: Writing, key: Key): Promise<Values | undefined> {
    const [row] = await connection.read(this.#read, generation, ...key);
    return row;
  }

  /** Sets the values of a key from this revision on. */
  put(writing: Writing, key: Key, values: Values): Promise<void> {
    return this.putAll(writing, [[key, values]]);
  }

  /** {@link put} for many keys, each of them once. */
  async putAll(writing: Writing, rows: readonly (readonly [key: Key, values: Values])[]): Promise<void> {
    const { connection, generation, revision, inserted } = writing;
    await this.endAll(
      writing,
      rows.map(([key]) => key),
    );
    await connection.writeEach(
      this.#insert,
      rows.map(([key, values]) => [generation, revision, ...key, ...values]),
    );
    for (const [key] of rows) inserted.add(this.#rowOf(key));
  }

  /** Ends the current row of a key, if any, at this revision. */
  end(writing: Writing, key: Key): Promise<void> {
    return this.endAll(writing, [key]);
  }

  /** {@link end} for many keys. */
  async endAll(
    { connection, generation, revision, inserted, hasSplit }: Writing,
    keys: readonly Key[],
  ): Promise<void> {
    const earlier: Parameter[][] = [];
    for (const key of keys) {
      const row = [generation, ...key, revision];
      // Nobody has read rows that this change inserted, so they are deleted.
      if (inserted.delete(this.#rowOf(key)) || (hasSplit && this.#isMoved)) {
        if ((await connection.write(this.#delete, ...row)) > 0) continue;
      }
      earlier.push(row);
    }
    await connection.writeEach(this.#end, earlier);
  }

  /** No id contains a control character. */
  #rowOf(key: Key): string {
    return `${this.name}\0${key.join("\0")}`;
  }
}
