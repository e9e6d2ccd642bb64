import { FOREVER } from "../as-of.ts";

/** SQL: the index of rows that ended, by which a pruning finds them. Every table of `ENDING_TABLES` has one. */
export function endedIndex(table: string): string {
  return `CREATE INDEX ${table}_ended ON ${table} (generation, until) WHERE until < ${FOREVER};`;
}
