import type { Column, Dialect, Given } from "../engine.ts";
import { letter } from "../letter.ts";

/** The type of a text column that compares as bytes in every locale. */
const TEXT = `text COLLATE "C"`;

/** The number of rows per statement: with this many, the wait for the answer hardly matters. */
const ROWS = 2_000;

const LISTS: Readonly<Record<Given, string>> = {
  text: `text[]) COLLATE "C"`,
  number: "bigint[])",
  bytes: "bytea[])",
};

/** SQL: a FROM item with rows, from one list parameter per column. */
function unnest(types: readonly Given[], first: number): string {
  return `unnest(${types.map((type, place) => `CAST($${first + place} AS ${LISTS[type]}`).join(", ")})`;
}

function* listsOf(rows: readonly (readonly Column[])[]): Generator<Column[][]> {
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS);
    yield (some[0] ?? []).map((_, place) => some.map((row) => row[place] ?? null));
  }
}

export const POSTGRES: Dialect = {
  text: TEXT,
  bytes: "bytea",
  clustered: "",
  texts: (parameter, alias) => `unnest(CAST(${parameter} AS text[]) COLLATE "C") ${alias} (value)`,
  numbers: (parameter, alias) => `unnest(CAST(${parameter} AS bigint[])) ${alias} (value)`,
  given: (types, first) =>
    `${unnest(types, first)} given (${types.map((_, place) => letter(place)).join(", ")})`,
  isGiven: (columns, types, first) =>
    `(${columns.join(", ")}) IN (SELECT * FROM ${unnest(types, first)} given)`,
  runs: listsOf,
  // OFFSET keeps the planner from scanning the table instead of looking up each item.
  lookUp: (items, table, alias, condition) =>
    `${items} CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  by: () => "",
  elements: (column, alias) =>
    `CROSS JOIN LATERAL (
       SELECT value COLLATE "C" AS value FROM json_array_elements_text(CAST(${column} AS json)) AS of_it (value)
     ) ${alias}`,
  joinedBytes: (column) => `string_agg(${column}, CAST('' AS bytea))`,
  contains: (column, parameter) => `strpos(${column}, ${parameter}) > 0`,
  exists: (table) => `to_regclass('${table}') IS NOT NULL`,
  stored: (table) => `stored_${table}`,
};
