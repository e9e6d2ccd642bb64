/** Whether a kept revision of an organization had a record: somebody who left is no misspelt name. */
import { contentKey } from "../../domain/content.ts";
import { type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { READABLE } from "./past.ts";

/** The kinds of records that have a name of their own. */
export type NamedKind = "team" | "member" | "site" | "space" | "collection";

/** The readable revisions of each generation: the first and the last. */
const GENERATIONS = statement<[generation: number, first: number, last: number]>(
  () => `SELECT r.generation, min(r.revision), max(r.revision) ${READABLE} GROUP BY r.generation`,
);

type Holding = Statement<[id: string]>;

/** SQL: whether row `h` of generation `$1` holds at a revision from `$3` to `$4`. */
const HELD = "h.generation = $1 AND h.until > $3 AND h.since <= $4";

const MEMBER: Holding = statement(
  () => `
    SELECT h.id FROM place p CROSS JOIN member h
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $2 AND h.position = p.position AND ${HELD}
      LIMIT 1`,
);
const [TEAM, SITE, CONTENT]: [Holding, Holding, Holding] = [
  heldIn("team"),
  heldIn("site"),
  heldIn("content"),
];

function heldIn(table: string): Holding {
  return statement(() => `SELECT h.id FROM ${table} h WHERE h.id = $2 AND ${HELD} LIMIT 1`);
}

/** Whether a readable revision of the organization of `reading` had this record. */
export async function wasEver(reading: Reading, kind: NamedKind, id: string): Promise<boolean> {
  const [holding, key] = holdingOf(kind, id);
  for (const range of await reading.read(GENERATIONS, reading.at.organization)) {
    const [generation, first, last] = range;
    if ((await reading.read(holding, generation, key, first, last)).length > 0) return true;
  }
  return false;
}

function holdingOf(kind: NamedKind, id: string): [holding: Holding, key: string] {
  switch (kind) {
    case "member":
      return [MEMBER, id];
    case "team":
      return [TEAM, id];
    case "site":
      return [SITE, id];
    case "space":
    case "collection":
      return [CONTENT, contentKey(kind, id)];
  }
}
