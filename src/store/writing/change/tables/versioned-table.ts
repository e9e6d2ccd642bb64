import { FOREVER } from "../../../schema/as-of.ts";
import { type Column, type Statement, statement } from "../../../engine/engine.ts";
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
   * `keys` and `values` are columns, besides `generation`, `since` and `until`. `isMoved`: whether the split of a chunk copies
   * rows, of which `inserted` does not know.
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
  async put(writing: Writing, key: Key, values: Values): Promise<void> {
    const { connection, generation, revision, inserted } = writing;
    await this.end(writing, key);
    await connection.write(this.#insert, generation, revision, ...key, ...values);
    inserted.add(this.#rowOf(key));
  }

  /** Ends the current row of a key, if any, at this revision. */
  async end({ connection, generation, revision, inserted, hasSplit }: Writing, key: Key): Promise<void> {
    // Nobody has read rows that this change inserted, so they are deleted.
    if (inserted.delete(this.#rowOf(key)) || (hasSplit && this.#isMoved)) {
      if ((await connection.write(this.#delete, generation, ...key, revision)) > 0) return;
    }
    await connection.write(this.#end, generation, ...key, revision);
  }

  #rowOf(key: Key): string {
    return JSON.stringify([this.name, ...key.map(String)]);
  }
}
