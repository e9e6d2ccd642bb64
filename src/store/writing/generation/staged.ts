/**
 * The rows that an import compares: the records of its files, in staged tables, and the current rows of the same
 * organizations. {@link createStaged}, then a {@link StagedWriter} for all records, then {@link indexStaged}.
 */
import { type SqlValue, type Dialect, type Staging, statement } from "../../engine/engine.ts";
import { mustBeApplied } from "../../revisions/publication.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { MEMBERS } from "../../schema/set-names.ts";

/** The types of columns; `?` marks those that may be null. */
type ColumnOf<Type> = Type extends "text"
  ? string
  : Type extends "text?"
    ? string | null
    : Type extends `${string}?`
      ? number | null
      : number;

/** The columns of the staged tables, in order. `line` encodes the file and line of a record. */
const TABLES = {
  staged_organization: [
    "id text",
    "title text",
    "line bigint",
    "current bigint?", // the current revision; set when all records have been read
    "stored bigint?", // the generation of the current revision
    "generation bigint?", // the generation that this import writes; null for an unchanged organization
  ],
  staged_unsorted_user: [
    "id text",
    "doc text",
    "omitted smallint",
    "words text", // the user's search terms, as a JSON array
    "line bigint",
  ],
  staged_member: ["organization text", "member text", "role smallint", "line bigint"],
  staged_team: ["id text", "organization text", "title text", "folded text", "doc text", "line bigint"],
  staged_team_member: ["team text", "member text", "role text", "line bigint"],
  staged_content: [
    "id text",
    "organization text",
    "parent text?",
    "title text",
    "default_level smallint",
    "position text?",
    "doc text",
    "omitted smallint",
    "title_key text", // the sort key in a list by kind and title
    "look text",
    "line bigint",
  ],
  staged_site: ["id text", "organization text", "title text", "title_key text", "line bigint"],
  staged_site_space: ["site text", "space text", "line bigint"],
  staged_user_permission: ["content text", "member text", "role smallint", "line bigint"],
  staged_team_permission: ["content text", "team text", "role smallint", "line bigint"],
  staged_word: ["organization text", "entry text", "thing text"], // the search terms of all records except users
} as const;

type StagedTable = keyof typeof TABLES;
type StagedRow<Columns extends readonly string[]> = {
  readonly [Index in keyof Columns]: Columns[Index] extends `${string} ${infer Type}`
    ? ColumnOf<Type>
    : never;
};

/**
 * Indexes for checks and derivations. An index with all columns that a statement reads makes looking up the row
 * unnecessary.
 */
const INDEXES: readonly (readonly [StagedTable, string])[] = [
  ["staged_organization", "id"],
  ["staged_member", "member, organization, role, line"],
  ["staged_team", "id, organization"],
  ["staged_team_member", "member, team, role, line"],
  ["staged_content", "id, organization"],
  ["staged_content", "parent, id"],
  ["staged_site", "id, organization"],
  ["staged_site_space", "site, space, line"],
  ["staged_user_permission", "member, content, role, line"],
  ["staged_team_permission", "content, team, role, line"],
];

/**
 * Tables with the number of records per team or per content, for the largest tables. An index of these columns would
 * cost more.
 */
const COUNTED: readonly (readonly [table: string, of: StagedTable, column: string])[] = [
  ["staged_in_team", "staged_team_member", "team"],
  ["staged_to_users", "staged_user_permission", "content"],
];

export async function createStaged(staging: Staging): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    const declared = columns.map((column) => column.replace("?", "").replace(/text$/, staging.dialect.text));
    await staging.create(table, declared.join(", "));
  }
}

const CURRENT = statement<never>(
  () => `
    UPDATE staged_organization
      SET (current, stored) = (
        SELECT r.revision, r.generation FROM organization o JOIN revision r ON r.revision = o.revision
          WHERE o.id = staged_organization.id)`,
);
const REPEATED_USERS = statement<never>(
  () => `
    DELETE FROM staged_user WHERE id IN (SELECT id FROM staged_user GROUP BY id HAVING count(*) > 1)
      AND line > (SELECT min(u.line) FROM staged_user u WHERE u.id = staged_user.id)`,
);

const DROP_UNSORTED = statement<never>(() => "DROP TABLE staged_unsorted_user");

/** Prepares the staged records for checks and comparison. Call it when all records are staged. */
export async function indexStaged(staging: Staging): Promise<void> {
  // Documents are read in the order of users. Unsorted, nearly each document would be on another page of the file.
  await staging.createAs("staged_user", "SELECT * FROM staged_unsorted_user ORDER BY id, line", "id, line");
  await staging.write(DROP_UNSORTED);
  for (const [table, columns] of INDEXES) await staging.index(table, columns);
  for (const [table, of, column] of COUNTED) {
    await staging.createAs(
      table,
      `SELECT ${column}, count(*) AS records FROM ${of} GROUP BY ${column}`,
      column,
    );
  }
  await staging.write(CURRENT);
}

const TAKE_STORED = statement<never>(() => "UPDATE staged_organization SET generation = stored");

/** Makes derivations use the stored generation, so that their results can be compared with the stored rows. */
export async function takeStored(staging: Staging): Promise<void> {
  await staging.write(TAKE_STORED);
}

/** Drops identical duplicates of users. Call it after the checks, which refuse all other duplicates. */
export async function dropRepeatedUsers(staging: Staging): Promise<void> {
  await staging.write(REPEATED_USERS);
}

/** Collects the rows of one staged table until there are enough for an append. */
export class Appender {
  readonly #staging: Staging;
  readonly #table: string;
  readonly #columns: number;
  /** The values of the rows in sequence. One array per row would burden the garbage collector. */
  #values: SqlValue[] = [];

  constructor(staging: Staging, table: string, columns: number) {
    this.#staging = staging;
    this.#table = table;
    this.#columns = columns;
  }

  add(row: readonly SqlValue[]): void {
    for (const value of row) this.#values.push(value);
  }

  get isFull(): boolean {
    return this.#values.length >= ROWS_AN_APPEND * this.#columns;
  }

  async flush(): Promise<void> {
    const values = this.#values;
    this.#values = [];
    if (values.length > 0) await this.#staging.append(this.#table, this.#columns, values);
  }
}

const ROWS_AN_APPEND = 4096;

/** Stages the rows of all tables. */
export class StagedWriter {
  readonly #staging: Staging;
  readonly #appenders = new Map<StagedTable, Appender>();

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  /** Adds a row. If the result is a promise, await it before the next call: the writer waits for the database. */
  add<Table extends StagedTable>(
    table: Table,
    row: StagedRow<(typeof TABLES)[Table]>,
  ): Promise<void> | undefined {
    let appender = this.#appenders.get(table);
    if (appender === undefined) {
      appender = new Appender(this.#staging, table, TABLES[table].length);
      this.#appenders.set(table, appender);
    }
    appender.add(row);
    return appender.isFull ? appender.flush() : undefined;
  }

  async end(): Promise<void> {
    for (const appender of this.#appenders.values()) await appender.flush();
  }
}

/**
 * SQL: a condition that is always true. With it and a CROSS JOIN, SQLite scans an index that begins with the member, and
 * consecutive look-ups find adjacent rows.
 */
export function byMember(alias: string): string {
  return `${alias}.member > ''`;
}

/** The file and line of a record as one number, which sorts by file, then by line. */
export function encodeLine(file: number, line: number): number {
  return file * LINES + line;
}

export function decodeLine(encoded: number): { file: number; line: number } {
  return { file: Math.floor(encoded / LINES), line: encoded % LINES };
}

const LINES = 2 ** 40;

const STORED_GENERATIONS = statement<[organization: string, revision: number, generation: number]>(
  () => "SELECT id, current, stored FROM staged_organization WHERE stored IS NOT NULL",
);

/** The tables that every import compares with staged tables. */
const RECORD_TABLES = [
  "place",
  "member",
  "team",
  "team_member",
  "content",
  "space",
  "team_grant",
  "user_grant",
  "site",
  "site_space",
];

/**
 * Makes stored rows available for comparison: those of the given tables, by default of all tables with records. Throws a
 * CommandError if the rows of a current revision cannot be read yet.
 */
export async function fetchStored(
  staging: Staging,
  tables: readonly string[] = RECORD_TABLES,
): Promise<void> {
  const generations: number[] = [];
  for (const [organization, revision, generation] of await staging.read(STORED_GENERATIONS)) {
    await mustBeApplied(staging, { organization, revision, generation });
    generations.push(generation);
  }
  for (const table of tables) await staging.fetch(table, generations);
}

// In the SQL of comparisons, `r` is a staged row, `s` a stored one, and `o` their staged organization.

/** SQL: whether a row of organization `o` is current. */
export function isStored(alias: string): string {
  return `${alias}.generation = o.stored AND ${alias}.until = ${FOREVER}`;
}

/** A FROM item with its condition: the current row of a table with a key. */
export function storedRow({ stored }: Dialect, table: string, key: string): string {
  return `${stored(table)} s WHERE ${isStored("s")} AND ${key}`;
}

/**
 * A FROM item with its condition: the current rows at all positions of a user id, in a table keyed by a member's
 * position.
 */
export function storedOfMember({ stored }: Dialect, table: string, user: string, key = "true"): string {
  return `${stored("place")} p CROSS JOIN ${stored(table)} s
    WHERE p.generation = o.stored AND p.universe = ${MEMBERS} AND p.key = ${user}
      AND ${isStored("s")} AND s.position = p.position AND ${key}`;
}
