import type { Column, Dialect, Given } from "../engine.ts";
import { letter } from "../letter.ts";

const TEXT = `text COLLATE "C"`;

/** Rows per statement. With this many, the wait for the answer is a small part of the time. */
const ROWS = 2_000;

const LISTS: Readonly<Record<Given, string>> = {
  text: `text[]) COLLATE "C"`,
  number: "bigint[])",
  bytes: "bytea[])",
};

/** SQL: a FROM item whose columns are list parameters. `first` is the number of the first parameter. */
function unnest(types: readonly Given[], first: number): string {
  return `unnest(${types.map((type, index) => `CAST($${first + index} AS ${LISTS[type]}`).join(", ")})`;
}

function* listsOf(rows: readonly (readonly Column[])[]): Generator<Column[][]> {
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS);
    yield (some[0] ?? []).map((_, index) => some.map((row) => row[index] ?? null));
  }
}

export const POSTGRES: Dialect = {
  text: TEXT,
  bytes: "bytea",
  clustered: "",
  texts: (parameter, alias) => `unnest(CAST(${parameter} AS text[]) COLLATE "C") ${alias} (value)`,
  numbers: (parameter, alias) => `unnest(CAST(${parameter} AS bigint[])) ${alias} (value)`,
  given: (types, first) =>
    `${unnest(types, first)} given (${types.map((_, index) => letter(index)).join(", ")})`,
  isGiven: (columns, types, first) =>
    `(${columns.join(", ")}) IN (SELECT * FROM ${unnest(types, first)} given)`,
  runs: listsOf,
  // `OFFSET 0` makes the planner look up each item. Without it, the planner may scan the whole table.
  lookUp: (items, table, alias, condition) =>
    `${items} CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  by: () => "",
  elements: (column, alias) =>
    `CROSS JOIN LATERAL (
       SELECT value COLLATE "C" AS value FROM json_array_elements_text(CAST(${column} AS json)) AS of_it (value)
     ) ${alias}`,
  field: (json, name) => `CAST(CAST(${json} AS json) -> '${name}' AS text)`,
  joinedBytes: (column) => `string_agg(${column}, CAST('' AS bytea))`,
  contains: (column, parameter) => `strpos(${column}, ${parameter}) > 0`,
  exists: (table) => `to_regclass('${table}') IS NOT NULL`,
  stored: (table) => `stored_${table}`,
};
