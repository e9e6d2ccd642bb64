/** The tables with the records of an organization (schema/tables.ts): their statements, and the types of their rows. */
import {
  type ColumnType,
  type Connection,
  type Dialect,
  type SqlValue,
  statement,
} from "../engine/engine.ts";
import { type Statement, letter, readEach, writeEach } from "../engine/engine.ts";
import { FOREVER, holds } from "../schema/as-of.ts";
import type { ENDING_TABLES } from "../schema/tables.ts";
import { ABOVE_NUMBERS, BY_NUMBER, type InParts } from "./lists.ts";

/** Where the rows of an organization lie, and the revision that is written. */
export interface Place {
  readonly generation: number;
  readonly revision: number;
}

/** A row that holds now, or one that a revision adds. */
export interface Row<Values extends SqlValue[]> {
  readonly id: string;
  readonly part: number;
  /** The revision from which on it holds. */
  readonly since: number;
  readonly values: Values;
}

type EndingTable = (typeof ENDING_TABLES)[number];

/** Looks for the last part of an id in a range. */
export type Wanted = readonly [id: string, from: number, to: number];

/** The lists of a table's rows. */
interface RowLists<Values extends SqlValue[]> {
  /** How each of them goes on in parts. */
  readonly parts: readonly InParts[];
  readonly textsOf: (values: Values) => readonly string[];
  readonly withTexts: (values: Values, texts: readonly string[]) => Values;
  /** What a further part has beside the text of a list. */
  readonly further: Values;
}

export type Stored<Values extends SqlValue[]> = [id: string, part: number, since: number, ...values: Values];

/** One of the tables: its statements, and the type of its rows. */
export class RowTable<Values extends SqlValue[]> {
  readonly name: EndingTable;
  readonly columns: readonly string[];
  readonly lists: RowLists<Values>;
  /** Deletes rows of an id that begin at a revision. */
  readonly forget: Statement<never>;
  /** Lets rows of an id that end at a revision hold on. */
  readonly revive: Statement<never>;
  readonly #last: Statement<Stored<Values>>;
  readonly #all: Statement<[id: string, part: number, since: number]>;
  readonly #end: Statement<never>;
  readonly #drop: Statement<never>;
  readonly #add: Statement<never>;

  constructor(
    name: EndingTable,
    columns: { readonly [column: string]: ColumnType },
    lists: RowLists<Values>,
  ) {
    this.name = name;
    this.lists = lists;
    this.columns = Object.keys(columns);
    const given = ["id", "part", "since", "until", ...this.columns];
    const types: ColumnType[] = ["text", "number", "number", "number", ...Object.values(columns)];
    // The newest row of a part comes last in the key, so that ended rows before it are not read.
    this.#last = statement(
      ({ first, given }) => `
        SELECT r.id, r.part, r.since, ${this.listed("r")} FROM ${first(
          given(["text", "number", "number"], 3),
          name,
          "r",
          `${holds("r")} AND r.id = given.a AND r.part >= given.b AND r.part <= given.c`,
          "r.part DESC, r.since DESC",
        )}`,
    );
    this.#all = statement(
      (dialect) => `
        SELECT r.id, r.part, r.since FROM ${dialect.given(["text"], 2)} CROSS JOIN ${name} r
          WHERE r.generation = $1 AND r.id = given.a AND r.until = ${FOREVER}`,
    );
    const id = (dialect: Dialect) => dialect.isGiven(["id"], ["text"], 3);
    this.forget = statement(
      (dialect) => `DELETE FROM ${name} WHERE generation = $1 AND since = $2 AND ${id(dialect)}`,
    );
    this.revive = statement(
      (dialect) => `
        UPDATE ${name} SET until = ${FOREVER} WHERE generation = $1 AND until = $2 AND ${id(dialect)}`,
    );
    const key = (dialect: Dialect) =>
      dialect.isGiven(["id", "part", "since"], ["text", "number", "number"], 3);
    this.#end = statement(
      (dialect) => `UPDATE ${name} SET until = $2 WHERE generation = $1 AND ${key(dialect)}`,
    );
    this.#drop = statement(
      (dialect) => `DELETE FROM ${name} WHERE generation = $1 AND since = $2 AND ${key(dialect)}`,
    );
    this.#add = statement(
      (dialect) => `
        INSERT INTO ${name} (generation, ${given.join(", ")})
          SELECT CAST($1 AS bigint), ${given.map((_, index) => `given.${letter(index)}`).join(", ")}
            FROM ${dialect.given(types, 2)}`,
    );
  }

  /** SQL: the columns after those of the key. */
  listed(alias: string): string {
    return this.columns.map((column) => `${alias}.${column}`).join(", ");
  }

  /** Of each range, the last part that holds at a revision, if there is one. */
  async last(
    connection: Pick<Connection, "dialect" | "remote" | "read">,
    { generation, revision }: Place,
    wanted: readonly Wanted[],
  ): Promise<Row<Values>[]> {
    const rows = await readEach(connection, this.#last, [generation, revision], wanted);
    return rows.map(([id, part, since, ...values]) => ({ id, part, since, values }));
  }

  /** All parts of the ids that hold now, without their values. */
  async parts(
    connection: Connection,
    generation: number,
    ids: readonly string[],
  ): Promise<Pick<Row<Values>, "id" | "part" | "since">[]> {
    const rows = await readEach(
      connection,
      this.#all,
      [generation],
      ids.map((id) => [id]),
    );
    return rows.map(([id, part, since]) => ({ id, part, since }));
  }

  /** Ends rows at a revision. Those that began there, too, have never held: they are deleted. */
  async end(
    connection: Connection,
    { generation, revision }: Place,
    rows: readonly Pick<Row<Values>, "id" | "part" | "since">[],
  ): Promise<void> {
    const keys = (some: typeof rows) => some.map(({ id, part, since }) => [id, part, since]);
    const began = rows.filter(({ since }) => since === revision);
    const others = rows.filter(({ since }) => since !== revision);
    await writeEach(connection, this.#drop, [generation, revision], keys(began));
    await writeEach(connection, this.#end, [generation, revision], keys(others));
  }

  /** Adds rows that hold from a revision on. */
  async add(
    connection: Connection,
    { generation, revision }: Place,
    rows: readonly Pick<Row<Values>, "id" | "part" | "values">[],
  ): Promise<void> {
    await writeEach(
      connection,
      this.#add,
      [generation],
      rows.map(({ id, part, values }) => [id, part, revision, FOREVER, ...values]),
    );
  }
}

export type MemberValues = [
  role: number,
  omitted: number,
  teams: string,
  permissions: string,
  profile: string,
];

export const MEMBER = new RowTable<MemberValues>(
  "member_row",
  { role: "number", omitted: "number", teams: "text", permissions: "text", profile: "text" },
  {
    parts: [ABOVE_NUMBERS, BY_NUMBER],
    textsOf: ([, , teams, permissions]) => [teams, permissions],
    withTexts: ([role, omitted, , , profile], [teams = "", permissions = ""]) => [
      role,
      omitted,
      teams,
      permissions,
      profile,
    ],
    further: [0, 0, "", "", ""],
  },
);

/** The lists of a member, by their places in the table. */
export const TEAMS_OF_MEMBER = 0;
export const PERMISSIONS_OF_MEMBER = 1;

export type ContentValues = [
  number: number,
  parent: number | null,
  level: number,
  created: number,
  omitted: number,
  teams: string,
  document: string,
];

export const CONTENT = new RowTable<ContentValues>(
  "content_row",
  {
    number: "number",
    parent: "number",
    level: "number",
    created: "number",
    omitted: "number",
    teams: "text",
    document: "text",
  },
  {
    parts: [BY_NUMBER],
    textsOf: ([, , , , , teams]) => [teams],
    withTexts: ([number, parent, level, created, omitted, , document], [teams = ""]) => [
      number,
      parent,
      level,
      created,
      omitted,
      teams,
      document,
    ],
    further: [0, null, 0, 0, 0, "", ""],
  },
);

export type TeamValues = [number: number, document: string];

export const TEAM = new RowTable<TeamValues>(
  "team_row",
  { number: "number", document: "text" },
  { parts: [], textsOf: () => [], withTexts: (values) => values, further: [0, ""] },
);

export type SiteValues = [number: number, level: number, teams: string, spaces: string, document: string];

export const SITE = new RowTable<SiteValues>(
  "site_row",
  { number: "number", level: "number", teams: "text", spaces: "text", document: "text" },
  {
    parts: [ABOVE_NUMBERS, BY_NUMBER],
    textsOf: ([, , teams, spaces]) => [teams, spaces],
    withTexts: ([number, level, , , document], [teams = "", spaces = ""]) => [
      number,
      level,
      teams,
      spaces,
      document,
    ],
    further: [0, 0, "", "", ""],
  },
);

/** The lists of a site, by their places in the table. */
export const TEAMS_OF_SITE = 0;
export const SPACES_OF_SITE = 1;

/** The tables whose rows hold from one revision up to another. */
export const ROW_TABLES = [MEMBER, CONTENT, TEAM, SITE] as const;

/** Those of the given ids that are members at a revision. */
export const PRESENT = statement<[member: string]>(
  ({ lookUp, texts }) => `
    SELECT r.id FROM ${lookUp(
      texts("$3", "given"),
      MEMBER.name,
      "r",
      `${holds("r")} AND r.id = given.value AND r.part = 0`,
    )}`,
);
