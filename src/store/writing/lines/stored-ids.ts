import { type Statement, statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";

/** One id, or the two ids of a pair. The second column is null for one id. */
export type IdRow = [first: string, second: string | null];

function ids(table: string): Statement<IdRow> {
  return statement(() => `SELECT t.id, NULL FROM ${table} t WHERE ${holds("t")}`);
}

/** Statements that read all ids of a kind at a revision. */
export const STORED_IDS = {
  site: ids("site"),
  team: ids("team"),
  content: ids("content"),
  member: ids("member"),
} as const;
