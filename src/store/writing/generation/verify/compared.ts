/** Computes the rows of an organization's tables from its records again, and compares them with the stored rows. */
import { FOREVER } from "../../../schema/as-of.ts";
import { wholeSelect } from "../../../engine/fill-part.ts";
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
} from "../../change/tables/tables.ts";
import { type Dialect, type Staging, type Statement, statement } from "../../../engine/engine.ts";
import { fillsOf } from "../fills.ts";

export interface Finding {
  readonly table: string;
  readonly rows: number;
  /** The keys of the first wrong rows. */
  readonly first: readonly string[];
}

/** The maximum number of keys in a finding. */
export const NAMED = 5;

/** A compared table. The first `keys` of its columns identify a row in a finding. */
interface Compared {
  readonly of: Pick<typeof MEMBER, "name" | "columns">;
  readonly keys: number;
  /** The index of the columns `until` and `since` in the select that fills the table; absent if the table has none. */
  readonly period?: number;
}

const COMPARED: readonly Compared[] = [
  { of: MEMBER, keys: 2, period: 1 },
  { of: TEAM_MEMBER, keys: 2, period: 2 },
  { of: USER_GRANT, keys: 2, period: 2 },
  { of: TEAM, keys: 1, period: 1 },
  { of: CONTENT, keys: 1, period: 1 },
  { of: SPACE, keys: 2, period: 1 },
  { of: TEAM_GRANT, keys: 2, period: 2 },
  { of: SITE, keys: 1, period: 1 },
  { of: SITE_SPACE, keys: 2, period: 2 },
  { of: CATALOG, keys: 2, period: 3 },
  { of: { name: "search", columns: ["entry", "thing"] }, keys: 2 },
];

const STATEMENTS = COMPARED.map((each) => ({ table: each.of.name, differing: differing(each) }));

/** The keys of rows that are missing, and of rows that should not exist. */
function differing({ of: { name: table, columns }, keys, period }: Compared): Statement<[key: string]> {
  const filled =
    period === undefined ? columns : columns.toSpliced(period, 0, "until_revision", "since_revision");
  const listed = columns.join(", ");
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

/** The wrong rows of each table. The records of the organization must be staged. */
export async function compareTables(staging: Staging): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, differing: wanted } of STATEMENTS) {
    const keys = await staging.read(wanted);
    if (keys.length > 0) {
      findings.push({ table, rows: keys.length, first: keys.slice(0, NAMED).map(([key]) => key) });
    }
  }
  return findings;
}
