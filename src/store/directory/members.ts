/** Reads members for changes and sign-ins. */
import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds, memberDoc } from "../schema/as-of.ts";
import { MANY, decodeContent, decodeGrants, decodeMemberRole } from "../schema/encoding.ts";
import { MEMBERS } from "../schema/set-names.ts";

export interface Member {
  readonly id: string;
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  readonly document: Document;
}

const BY_ID = statement<[id: string, role: number, text: string, omitted: number]>(
  ({ texts }) => `
    SELECT m.id, m.role, ${memberDoc("m")}, m.omitted
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** The members with the given ids, by id. Other ids are absent. */
export async function membersById(
  reading: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Member>> {
  const rows = ids.length === 0 ? [] : await reading.read(BY_ID, ...reading.asOf, ids);
  return new Map(
    rows.map(([id, role, text, omitted]) => [
      id,
      { id, role: decodeMemberRole(role), document: { text, omitted } },
    ]),
  );
}

const GRANTS_BY_ID = statement<[position: number, id: string, grants: string]>(
  ({ texts }) => `
    SELECT m.position, m.id, m.grants FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);
const GRANTS = statement<[content: string, role: number]>(
  () => `SELECT g.content, g.role FROM user_grant g WHERE ${holds("g")} AND g.position = $3`,
);

/** The direct permissions of the given members, by id of the member. Other ids are absent. */
export async function directPermissions(
  reading: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<ContentKey, Role>>> {
  const found = new Map<string, ReadonlyMap<ContentKey, Role>>();
  for (const [position, id, grants] of await reading.read(GRANTS_BY_ID, ...reading.asOf, ids)) {
    if (grants !== MANY) found.set(id, new Map(decodeGrants(grants)));
    else {
      const rows = await reading.read(GRANTS, ...reading.asOf, position);
      found.set(id, new Map(rows.map(([content, role]) => [decodeContent(content), roleOf(role)])));
    }
  }
  return found;
}
