/** Entries of an access, with their records. */
import type { Document } from "../../domain/document.ts";
import type { Order, Page, PageRequest } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { membersAt } from "../directory/member-rows.ts";
import { type SpaceDetails, spacesAt } from "../directory/space-rows.ts";
import type { Reading } from "../reading.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import type { Access } from "./access.ts";
import { type Hit, pageOfHits, positionOf } from "./walk.ts";

export interface EffectiveEntry {
  readonly id: string;
  readonly position: number;
  readonly role: Role;
  /** The organization role; `null` for a guest. */
  readonly memberRole: Role | null;
  readonly document: Document;
}

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceDetails {
  readonly role: Role;
}

/** The members with a role, by id. With `role`, only those with exactly this role. */
export async function effectiveMembers(
  reading: Reading,
  access: Access,
  request: PageRequest<string>,
  role?: Role,
): Promise<Page<EffectiveEntry, string>> {
  const { entries: hits, ...next } = await pageOfHits(reading, access, { ...request, order: "asc", role });
  return { ...next, entries: await entriesOf(reading, access, hits) };
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

async function entriesOf(reading: Reading, access: Access, hits: readonly Hit[]): Promise<EffectiveEntry[]> {
  const rows = await membersAt(reading, hits.map(positionOf));
  return hits.map((hit) => {
    const position = positionOf(hit);
    const row = rows.get(position);
    if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const [, id, own, text, omitted] = row;
    return {
      id,
      position,
      role: roleOf(access.ranks[hit.code] ?? 0),
      memberRole: decodeMemberRole(own),
      document: { text, omitted },
    };
  });
}
