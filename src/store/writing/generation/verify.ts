/**
 * Computes the rows of an organization again from its records, and compares them with the stored rows: the tables, the
 * sets, and the positions of members and spaces.
 */
import { ROLES } from "../../../domain/role.ts";
import { compareIds } from "../../../domain/id.ts";
import { type Container, addContainer } from "../../../sets/container.ts";
import { headOf } from "../../../sets/head.ts";
import { SLOTS, chunkOf, positionAt, slotOf } from "../../../sets/position.ts";
import { addSlot, hasSlot, noSlots, slotsFrom } from "../../../sets/words.ts";
import { type Dialect, type Staging, type Statement, statement, wholeSelect } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { MEMBERS, SPACES, type Universe, headColumn } from "../../schema/set-names.ts";
import { HEADS } from "../../sets/containers.ts";
import {
  CATALOG,
  CONTENT,
  MEMBER,
  SITE,
  SITE_SPACE,
  SPACE,
  TEAM,
  TEAM_GRANT,
  TEAM_MEMBER,
  USER_GRANT,
} from "../change/tables.ts";
import { fillsOf } from "./derived-rows.ts";

export interface WrongRows {
  readonly table: string;
  readonly rows: number;
  /** The keys of the first wrong rows. */
  readonly first: readonly string[];
}

/** Compares everything that is derived again with what is stored. The records of the organization must be staged. */
export async function wrongRows(staging: Staging): Promise<WrongRows[]> {
  return [
    ...(await compareTables(staging)),
    ...(await compareSets(staging)),
    ...(await comparePositions(staging)),
  ];
}

/** The maximum number of keys in {@link WrongRows}. */
const MOST_NAMED = 5;

/** A compared table. The first `keys` of its columns identify a row. */
interface ComparedTable {
  readonly of: Pick<typeof MEMBER, "name" | "columns">;
  readonly keys: number;
  /** The index of the columns `until` and `since` in the select that fills the table; absent if the table has none. */
  readonly period?: number;
  /** Columns that are not compared as they are: {@link compareSets} compares heads. */
  readonly apart?: readonly string[];
}

const COMPARED: readonly ComparedTable[] = [
  { of: MEMBER, keys: 2, period: 1 },
  { of: TEAM_MEMBER, keys: 2, period: 2 },
  { of: USER_GRANT, keys: 2, period: 2 },
  { of: TEAM, keys: 1, period: 1 },
  { of: CONTENT, keys: 1, period: 1, apart: ROLES.map(headColumn) },
  { of: SPACE, keys: 2, period: 1 },
  { of: TEAM_GRANT, keys: 2, period: 2 },
  { of: SITE, keys: 1, period: 1 },
  { of: SITE_SPACE, keys: 2, period: 2 },
  { of: CATALOG, keys: 2, period: 3 },
  { of: { name: "search", columns: ["entry", "thing"] }, keys: 2 },
];

const STATEMENTS = COMPARED.map((each) => ({ table: each.of.name, differing: differing(each) }));

/** The keys of rows that are missing, and of rows that should not exist. */
function differing({ of, keys, period, apart = [] }: ComparedTable): Statement<[key: string]> {
  const { name: table, columns } = of;
  const filled =
    period === undefined ? columns : columns.toSpliced(period, 0, "until_revision", "since_revision");
  const listed = columns.filter((column) => !apart.includes(column)).join(", ");
  const key = columns
    .slice(0, keys)
    .map((column) => `CAST(${column} AS text)`)
    .join(" || ' ' || ");
  const holds = period === undefined ? "" : `AND until = ${FOREVER}`;
  return statement(
    (dialect) => `
      WITH expected (generation, ${filled.join(", ")}) AS (${selectsOf(dialect, table)}),
        stored AS (
          SELECT ${listed} FROM ${dialect.stored(table)}
            WHERE generation = (SELECT stored FROM staged_organization) ${holds}),
        missing AS (SELECT ${listed} FROM expected EXCEPT SELECT ${listed} FROM stored),
        surplus AS (SELECT ${listed} FROM stored EXCEPT SELECT ${listed} FROM expected)
      SELECT DISTINCT ${key} FROM (SELECT ${listed} FROM missing UNION ALL SELECT ${listed} FROM surplus) wrong`,
  );
}

function selectsOf(dialect: Dialect, table: string): string {
  return fillsOf(dialect, 1)
    .filter((fill) => fill.table === table)
    .flatMap(({ parts }) => parts.map((part) => `SELECT * FROM (${wholeSelect(part)}) part`))
    .join(" UNION ALL ");
}

/** The wrong rows of each table. */
async function compareTables(staging: Staging): Promise<WrongRows[]> {
  const findings: WrongRows[] = [];
  for (const { table, differing: wanted } of STATEMENTS) {
    const keys = await staging.read(wanted);
    if (keys.length > 0) {
      findings.push({ table, rows: keys.length, first: keys.slice(0, MOST_NAMED).map(([key]) => key) });
    }
  }
  return findings;
}

type SetChunkRow = [chunk: number, bits: Uint8Array];

/** SQL: the heads of users with a direct permission, as rows like those of table `container`. */
function headsIn(table: string, content: string, where = "true"): string {
  return ROLES.map((role) => {
    const head = headColumn(role);
    return `
      SELECT ${MEMBERS}, ${HEADS}, 'direct/' || ${content} || '/${role}', ${head} FROM ${table}
        WHERE ${where} AND ${head} IS NOT NULL`;
  }).join(" UNION ALL ");
}

const EXPECTED = `
  SELECT universe, chunk, name, bits FROM staged_container UNION ALL ${headsIn("staged_direct", "content")}`;
const storedSets = ({ stored }: Dialect) => {
  const holds = `generation = (SELECT stored FROM staged_organization) AND until = ${FOREVER}`;
  return `
    SELECT universe, chunk, name, bits FROM ${stored("container")} WHERE ${holds}
    UNION ALL ${headsIn(stored("content"), "id", holds)}`;
};
const DIFFERING = statement<[universe: number, name: string]>(
  (dialect) => `
    WITH expected AS (${EXPECTED}), stored AS (${storedSets(dialect)})
    SELECT DISTINCT universe, name FROM (
      SELECT * FROM (SELECT * FROM expected EXCEPT SELECT * FROM stored) missing
      UNION ALL SELECT * FROM (SELECT * FROM stored EXCEPT SELECT * FROM expected) surplus) wrong`,
);
const EXPECTED_SET = statement<SetChunkRow>(
  () => `SELECT s.chunk, s.bits FROM (${EXPECTED}) s WHERE s.universe = $1 AND s.name = $2`,
);
const STORED_SET = statement<SetChunkRow>(
  (dialect) => `SELECT s.chunk, s.bits FROM (${storedSets(dialect)}) s WHERE s.universe = $1 AND s.name = $2`,
);

/**
 * The sets with wrong positions. A set near the size limit may be stored in its head or in containers, so the positions
 * are compared.
 */
async function compareSets(staging: Staging): Promise<WrongRows[]> {
  const wrong: string[] = [];
  for (const [universe, name] of await staging.read(DIFFERING)) {
    const expected = textOf(await staging.read(EXPECTED_SET, universe, name));
    const stored = textOf(await staging.read(STORED_SET, universe, name));
    if (stored !== expected) wrong.push(name);
  }
  return wrong.length === 0
    ? []
    : [{ table: "container", rows: wrong.length, first: wrong.slice(0, MOST_NAMED) }];
}

/**
 * The positions of a set as one text. If its head and containers contradict each other, the text says so or has an
 * empty position.
 */
function textOf(rows: readonly SetChunkRow[]): string {
  const head = rows.find(([chunk]) => chunk === HEADS);
  const containers = new Map(rows.filter(([chunk]) => chunk !== HEADS));
  if (head === undefined) return containers.size === 0 ? "" : "containers without a head";
  const known = headOf(head[1]);
  if ("positions" in known) {
    return containers.size === 0 ? known.positions.join() : "containers beside a small head";
  }
  if (known.chunks.length !== containers.size) return "a head of other chunks";
  return [...known.chunks].flatMap((chunk) => slotsIn(chunk, containers.get(chunk))).join();
}

function slotsIn(chunk: number, container: Container | undefined): (number | undefined)[] {
  if (container === undefined) return [undefined];
  const words = noSlots();
  addContainer(words, container);
  return [...slotsFrom(words)].map((slot) => positionAt(chunk, slot));
}

const HERE = "(SELECT stored FROM staged_organization)";

const CHUNKS = statement<[chunk: number, lowest: string, used: number]>(
  ({ stored }) => `
    SELECT c.chunk, c.lowest, c.used FROM ${stored("chunk")} c
      WHERE c.generation = ${HERE} AND c.universe = $1 AND c.until = ${FOREVER}`,
);
const POSITIONS = {
  [MEMBERS]: allPositions("member", MEMBERS),
  [SPACES]: allPositions("space", SPACES),
} as const;

/** All positions by key, and whether they are current: a key also has a position in each chunk that it left. */
function allPositions(
  table: string,
  universe: Universe,
): Statement<[key: string, position: number, isCurrent: number]> {
  return statement(
    ({ stored }) => `
      SELECT p.key, p.position, CASE WHEN EXISTS (
            SELECT 1 FROM ${stored(table)} k
              WHERE k.generation = ${HERE} AND k.position = p.position AND k.until = ${FOREVER}) THEN 1 ELSE 0 END
        FROM ${stored("place")} p
        WHERE p.generation = ${HERE} AND p.universe = ${universe} ORDER BY p.key, p.position`,
  );
}

const KEYS = {
  [MEMBERS]: keys("member", "id"),
  [SPACES]: keys("space", "key"),
} as const;

/** Finds rows at a position that the table `place` does not assign to their key, and rows in a closed chunk. */
function keys(table: string, key: string): Statement<[key: string]> {
  const universe = table === "member" ? MEMBERS : SPACES;
  return statement(
    ({ stored }) => `
      SELECT k.${key} FROM ${stored(table)} k
        WHERE k.generation = ${HERE} AND k.until = ${FOREVER}
          AND NOT EXISTS (
            SELECT 1 FROM ${stored("place")} p WHERE p.generation = ${HERE} AND p.universe = ${universe} AND p.key = k.${key}
              AND p.position = k.position)
        OR k.generation = ${HERE} AND k.until = ${FOREVER} AND k.position / ${SLOTS} NOT IN (
          SELECT c.chunk FROM ${stored("chunk")} c
            WHERE c.generation = ${HERE} AND c.universe = ${universe} AND c.until = ${FOREVER})`,
  );
}

/** The keys with a wrong position. */
async function comparePositions(staging: Staging): Promise<WrongRows[]> {
  const wrong = new Set<string>();
  for (const universe of [MEMBERS, SPACES] as const) {
    for (const [key] of await staging.read(KEYS[universe])) wrong.add(key);
    for await (const key of misplaced(staging, universe)) wrong.add(key);
  }
  return wrong.size === 0
    ? []
    : [{ table: "place", rows: wrong.size, first: [...wrong].slice(0, MOST_NAMED) }];
}

/** Keys whose slot was never given or is another key's, too, or that belong to another chunk. */
async function* misplaced(staging: Staging, universe: Universe): AsyncGenerator<string> {
  const rows = (await staging.read(CHUNKS, universe)).sort(([, a], [, b]) => compareIds(a, b));
  const chunks = new Map(
    rows.map(([chunk, lowest, used], index) => [
      chunk,
      { lowest, upper: rows[index + 1]?.[1], used, met: noSlots() },
    ]),
  );
  for await (const [key, position, isCurrent] of staging.stream(POSITIONS[universe])) {
    const chunk = chunks.get(chunkOf(position));
    if (chunk === undefined) continue;
    const slot = slotOf(position);
    const isOwn = slot < chunk.used && !hasSlot(chunk.met, slot);
    if (!isOwn || (isCurrent === 1 && !isWithin(key, chunk))) yield key;
    addSlot(chunk.met, slot);
  }
}

function isWithin(key: string, { lowest, upper }: { lowest: string; upper: string | undefined }): boolean {
  return compareIds(key, lowest) >= 0 && (upper === undefined || compareIds(key, upper) < 0);
}
