import { type Column, type Dialect, type Staging, statement } from "../../engine/engine.ts";
import { mustBeApplied } from "../../revisions/publication.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { MEMBERS } from "../../schema/set-names.ts";

/**
 * The staged tables: the records of all organizations of one import, as the file has them. The column `place` encodes
 * the file and line of a record; it has nothing to do with the table `place`.
 */
interface StagedRows {
  staged_organization: [
    id: string,
    title: string,
    place: number,
    /** The current revision; set when all records have been read. */
    current: number | null,
    /** The generation of the current revision. */
    stored: number | null,
    /** The generation that this import writes; null for an unchanged organization. */
    generation: number | null,
  ];
  staged_user: [
    id: string,
    doc: string,
    omitted: number,
    /** The user's search terms, as a JSON array. */
    words: string,
    place: number,
  ];
  staged_member: [organization: string, member: string, role: number, place: number];
  staged_team: [id: string, organization: string, title: string, folded: string, doc: string, place: number];
  staged_team_member: [team: string, member: string, role: string, place: number];
  staged_content: [
    id: string,
    organization: string,
    parent: string | null,
    title: string,
    default_level: number,
    position: string | null,
    doc: string,
    omitted: number,
    /** The sort key in a list by kind and title. */
    title_key: string,
    look: string,
    place: number,
  ];
  staged_site: [id: string, organization: string, title: string, title_key: string, place: number];
  staged_site_space: [site: string, space: string, place: number];
  staged_user_permission: [content: string, member: string, role: number, place: number];
  staged_team_permission: [content: string, team: string, role: number, place: number];
  /** The search terms of all records except users. */
  staged_word: [organization: string, entry: string, thing: string];
}

type StagedTable = keyof StagedRows;

const COLUMNS: Readonly<Record<StagedTable, (text: string) => string>> = {
  staged_organization: (text) =>
    `id ${text}, title ${text}, place bigint, current bigint, stored bigint, generation bigint`,
  staged_user: (text) => `id ${text}, doc ${text}, omitted smallint, words ${text}, place bigint`,
  staged_member: (text) => `organization ${text}, member ${text}, role smallint, place bigint`,
  staged_team: (text) =>
    `id ${text}, organization ${text}, title ${text}, folded ${text}, doc ${text}, place bigint`,
  staged_team_member: (text) => `team ${text}, member ${text}, role ${text}, place bigint`,
  staged_content: (text) =>
    `id ${text}, organization ${text}, parent ${text}, title ${text}, default_level smallint,
     position ${text}, doc ${text}, omitted smallint, title_key ${text}, look ${text}, place bigint`,
  staged_site: (text) => `id ${text}, organization ${text}, title ${text}, title_key ${text}, place bigint`,
  staged_site_space: (text) => `site ${text}, space ${text}, place bigint`,
  staged_user_permission: (text) => `content ${text}, member ${text}, role smallint, place bigint`,
  staged_team_permission: (text) => `content ${text}, team ${text}, role smallint, place bigint`,
  staged_word: (text) => `organization ${text}, entry ${text}, thing ${text}`,
};

/**
 * Indexes for checks and derivations. An index with all columns that a statement reads makes looking up the row
 * unnecessary.
 */
const INDEXES: readonly (readonly [StagedTable, string])[] = [
  ["staged_organization", "id"],
  ["staged_member", "member, organization, role, place"],
  ["staged_team", "id, organization"],
  ["staged_team_member", "member, team, role, place"],
  ["staged_content", "id, organization"],
  ["staged_content", "parent, id"],
  ["staged_site", "id, organization"],
  ["staged_site_space", "site, space, place"],
  ["staged_user_permission", "member, content, role, place"],
  ["staged_team_permission", "content, team, role, place"],
];

/**
 * Tables with the number of records per team or per content, for the largest tables. An index of these columns would
 * cost more.
 */
const COUNTED: readonly (readonly [table: string, of: StagedTable, column: string])[] = [
  ["staged_in_team", "staged_team_member", "team"],
  ["staged_to_users", "staged_user_permission", "content"],
];

const TABLES = Object.keys(COLUMNS).filter((name): name is StagedTable => name in COLUMNS);

export async function createStaged(staging: Staging): Promise<void> {
  for (const table of TABLES) await staging.create(table, COLUMNS[table](staging.dialect.text));
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
      AND place > (SELECT min(u.place) FROM staged_user u WHERE u.id = staged_user.id)`,
);

/** Prepares the staged records for checks and comparison. Call it when all records are staged. */
export async function indexStaged(staging: Staging): Promise<void> {
  // Documents are read in the order of users. Unsorted, nearly each document would be on another page of the file.
  await staging.sort("staged_user", "id, place");
  for (const [table, columns] of INDEXES) await staging.index(table, columns);
  for (const [table, of, column] of COUNTED) {
    await staging.createAs(table, `SELECT ${column}, count(*) AS records FROM ${of} GROUP BY ${column}`);
    await staging.index(table, column);
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

/** The values of a table's rows in sequence. One array per row would burden the garbage collector. */
interface Gathered {
  readonly columns: number;
  values: Column[];
}

/** Collects rows until a table has enough of them for an append. */
export class StagedWriter {
  readonly #staging: Staging;
  readonly #waiting = new Map<StagedTable, Gathered>();

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  /** Adds a row. If the result is a promise, await it before the next call: the writer waits for the database. */
  add<Table extends StagedTable>(table: Table, row: StagedRows[Table]): Promise<void> | undefined {
    let gathered = this.#waiting.get(table);
    if (gathered === undefined) this.#waiting.set(table, (gathered = { columns: row.length, values: [] }));
    for (const value of row) gathered.values.push(value);
    return gathered.values.length < ROWS_AN_APPEND * row.length ? undefined : this.#flush(table, gathered);
  }

  async end(): Promise<void> {
    for (const [table, gathered] of this.#waiting) await this.#flush(table, gathered);
  }

  async #flush(table: StagedTable, gathered: Gathered): Promise<void> {
    const { columns, values } = gathered;
    gathered.values = [];
    if (values.length > 0) await this.#staging.append(table, columns, values);
  }
}

const ROWS_AN_APPEND = 4096;

/** The file and line of a record as one number, which sorts by file, then by line. */
export function placeOf(file: number, line: number): number {
  return file * LINES + line;
}

export function fileAndLine(place: number): { file: number; line: number } {
  return { file: Math.floor(place / LINES), line: place % LINES };
}

const LINES = 2 ** 40;

/** SQL for the current rows (`s`) of organization `o`, with which an import compares the staged rows (`r`). */

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
