import type { Dialect } from "../engine.ts";

/** Compares as bytes in every locale. */
const TEXT = `text COLLATE "C"`;

export const POSTGRES: Dialect = {
  text: TEXT,
  bytes: "bytea",
  clustered: "",
  texts: (parameter, alias) => `unnest(CAST(${parameter} AS text[]) COLLATE "C") ${alias} (value)`,
  numbers: (parameter, alias) => `unnest(CAST(${parameter} AS bigint[])) ${alias} (value)`,
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
