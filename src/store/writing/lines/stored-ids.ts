import { type Statement, statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";

/** A row of ids; the second column is null where one id is the whole key. */
export type IdRow = [first: string, second: string | null];

function ids(table: string): Statement<IdRow> {
  return statement(() => `SELECT t.id, NULL FROM ${table} t WHERE ${holds("t")}`);
}

/** All ids of a kind as of a revision: one statement a kind. */
export const STORED_IDS = {
  site: ids("site"),
  team: ids("team"),
  content: ids("content"),
  member: ids("member"),
} as const;
