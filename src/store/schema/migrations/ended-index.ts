import { FOREVER } from "../as-of.ts";

/** SQL: an index of ended rows, by which pruning finds them. Every table in `ENDING_TABLES` needs one. */
export function endedIndex(table: string): string {
  return `CREATE INDEX ${table}_ended ON ${table} (generation, until) WHERE until < ${FOREVER};`;
}
