/**
 * The tables that a change writes. A change reads a row once, keeps what becomes of it in memory, and writes all changed
 * rows of a table together.
 */
import { ROLES } from "../../../domain/role.ts";
import {
  type SqlValue,
  type Connection,
  type ColumnType,
  type Statement,
  readEach,
  statement,
  writeEach,
} from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { MEMBERS, SPACES, type Universe, headColumn } from "../../schema/set-names.ts";

/** The transaction, generation and revision of a change. */
export interface Writing {
  readonly connection: Connection;
  readonly generation: number;
  readonly revision: number;
  /** The positions that were looked up, by key; `undefined` for a key without a position. */
  readonly positions: Readonly<Record<Universe, Map<string, number | undefined>>>;
  hasSplit: boolean;
}

export function beginWriting(connection: Connection, generation: number, revision: number): Writing {
  const positions = { [MEMBERS]: new Map(), [SPACES]: new Map() };
  return { connection, generation, revision, positions, hasSplit: false };
}

type ColumnTypes = Readonly<Record<string, ColumnType>>;

/** The current row of a key, as this change leaves it. */
interface KeyedRow<Key, Values> {
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
export class VersionedTable<Key extends SqlValue[], Values extends SqlValue[]> {
  readonly name: string;
  /** All columns except `generation`, `since` and `until`; the key's columns come first. */
  readonly columns: readonly string[];
  readonly #values: number;
  readonly #isMoved: boolean;
  readonly #rows = new WeakMap<Writing, Map<string, KeyedRow<Key, Values>>>();
  /** Selects the columns of the values, then those of the key. */
  readonly #read: Statement<Values>;
  readonly #insert: Statement<never>;
  readonly #end: Statement<never>;
  readonly #delete: Statement<never>;

  /**
   * `isMoved`: whether splitting a chunk copies rows of this table. The copies belong to this change, but their `isNew`
   * is not set.
   */
  constructor(name: string, keys: ColumnTypes, values: ColumnTypes, isMoved = false) {
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
    const isUnread = (row: KeyedRow<Key, Values>) => row.isNew || (hasSplit && this.#isMoved);
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

  #change(writing: Writing, key: Key, values: Values | undefined): KeyedRow<Key, Values> {
    const rows = this.#rowsOf(writing);
    const name = nameOf(key);
    const row: KeyedRow<Key, Values> = rows.get(name) ?? {
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

  #rowsOf(writing: Writing): Map<string, KeyedRow<Key, Values>> {
    const known = this.#rows.get(writing) ?? new Map<string, KeyedRow<Key, Values>>();
    this.#rows.set(writing, known);
    return known;
  }
}

/** A key as one text. No id contains the separator U+0000. */
function nameOf(key: readonly SqlValue[]): string {
  return key.join("\0");
}

export const MEMBER = new VersionedTable<
  [position: number],
  [id: string, role: number, teams: string, grants: string, doc: string, omitted: number]
>(
  "member",
  { position: "number" },
  { id: "text", role: "number", teams: "text", grants: "text", doc: "text", omitted: "number" },
  true,
);

export const TEAM_MEMBER = new VersionedTable<[position: number, team: string], [role: string]>(
  "team_member",
  { position: "number", team: "text" },
  { role: "text" },
  true,
);

export const USER_GRANT = new VersionedTable<[position: number, content: string], [role: number]>(
  "user_grant",
  { position: "number", content: "text" },
  { role: "number" },
  true,
);

export const TEAM_GRANT = new VersionedTable<[content: string, team: string], [role: number]>(
  "team_grant",
  { content: "text", team: "text" },
  { role: "number" },
);

export const TEAM = new VersionedTable<
  [id: string],
  [title: string, folded: string, doc: string, members: number, spaces: number]
>(
  "team",
  { id: "text" },
  { title: "text", folded: "text", doc: "text", members: "number", spaces: "number" },
);

export type ContentValues = [
  parent: string | null,
  title: string,
  level: number,
  depth: number,
  position: number | null,
  doc: string | null,
  look: string,
  teams: string,
  ...direct: (Uint8Array | null)[],
];

export const CONTENT = new VersionedTable<[id: string], ContentValues>(
  "content",
  { id: "text" },
  {
    parent: "text",
    title: "text",
    level: "number",
    depth: "number",
    position: "number",
    doc: "text",
    look: "text",
    teams: "text",
    ...Object.fromEntries(ROLES.map((role) => [headColumn(role), "bytes"] as const)),
  },
  true,
);

export const SPACE = new VersionedTable<[position: number], [key: string, doc: string, omitted: number]>(
  "space",
  { position: "number" },
  { key: "text", doc: "text", omitted: "number" },
  true,
);

export const SITE = new VersionedTable<[id: string], [title: string]>(
  "site",
  { id: "text" },
  { title: "text" },
);

export const SITE_SPACE = new VersionedTable<[site: string, space: string], []>(
  "site_space",
  { site: "text", space: "text" },
  {},
);

export const CONTAINER = new VersionedTable<
  [universe: number, chunk: number, name: string],
  [bits: Uint8Array]
>("container", { universe: "number", chunk: "number", name: "text" }, { bits: "bytes" });

export const CATALOG = new VersionedTable<[list: string, position: string], [thing: string, own: number]>(
  "catalog",
  { list: "text", position: "text" },
  { thing: "text", own: "number" },
);

/** All tables whose changed rows a change keeps in memory. */
export const VERSIONED = [
  MEMBER,
  TEAM_MEMBER,
  USER_GRANT,
  TEAM_GRANT,
  TEAM,
  CONTENT,
  SPACE,
  SITE,
  SITE_SPACE,
  CONTAINER,
  CATALOG,
] as const;

/** Writes the changed rows of all tables. */
export async function flushRows(writing: Writing): Promise<void> {
  for (const table of VERSIONED) await table.flush(writing);
}

/** Forgets the rows and positions that were read before a split, because the split has moved rows. */
export function forgetMoved(writing: Writing): void {
  for (const table of VERSIONED) table.forget(writing);
  for (const positions of Object.values(writing.positions)) positions.clear();
}
