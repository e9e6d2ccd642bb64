/** Whether a kept revision of an organization had a record: somebody who left is no misspelt name. */
import { contentKey } from "../../domain/content.ts";
import { type Connection, type Statement, statement } from "../engine/engine.ts";
import type { ENDING_TABLES } from "../schema/tables.ts";
import { READABLE } from "./past.ts";

/** The kinds of records that have a name of their own. */
export type NamedKind = "team" | "member" | "site" | "space" | "collection";

/** The readable revisions of each generation: the first and the last. */
const GENERATIONS = statement<[generation: number, first: number, last: number]>(
  () => `SELECT r.generation, min(r.revision), max(r.revision) ${READABLE} GROUP BY r.generation`,
);

type Holding = Statement<[one: number]>;

/** Whether an id has a row that holds at a revision from `$3` to `$4`. */
function heldIn(table: (typeof ENDING_TABLES)[number]): Holding {
  return statement(
    () => `
      SELECT 1 FROM ${table} r
        WHERE r.generation = $1 AND r.id = $2 AND r.part = 0 AND r.until > $3 AND r.since <= $4 LIMIT 1`,
  );
}

const MEMBER = heldIn("member_row");
const TEAM = heldIn("team_row");
const SITE = heldIn("site_row");
const CONTENT = heldIn("content_row");

/** Whether a readable revision of an organization had this record. */
export async function wasEver(
  reader: Pick<Connection, "read">,
  organization: string,
  kind: NamedKind,
  id: string,
): Promise<boolean> {
  const [holding, key] = holdingOf(kind, id);
  for (const range of await reader.read(GENERATIONS, organization)) {
    const [generation, first, last] = range;
    if ((await reader.read(holding, generation, key, first, last)).length > 0) return true;
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
