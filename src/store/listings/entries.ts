/** The spaces of an access, with their records. */
import type { Order, Page, PageRequest } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { type SpaceDetails, spacesAt } from "../directory/space-rows.ts";
import type { Reading } from "../reading.ts";
import type { Access } from "./access.ts";
import { pageOfHits, positionOf } from "./walk.ts";

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceDetails {
  readonly role: Role;
}

/** The spaces with a role, by time of creation, then id. With `role`, only those with exactly this role. */
export async function memberSpaces(
  reading: Reading,
  access: Access,
  order: Order,
  request: PageRequest<string>,
  role?: Role,
): Promise<Page<MemberSpace, string>> {
  const { entries: hits, ...next } = await pageOfHits(reading, access, { ...request, order, role });
  const rows = await spacesAt(reading, hits.map(positionOf));
  const entries = hits.map((hit) => {
    const row = rows.get(positionOf(hit));
    if (row === undefined) throw new Error(`No space has position ${positionOf(hit)}, which a set holds.`);
    return { ...row, role: roleOf(access.ranks[hit.code] ?? 0) };
  });
  return { ...next, entries };
}
