/** The access on a content, on a site, of a member, of a team, as of a revision. */
import type { ContentKey } from "../../domain/content.ts";
import type { CacheKind } from "../cache.ts";
import { ladderFor } from "../directory/contents.ts";
import { type Member, memberOf } from "../directory/members.ts";
import { siteLadders } from "../directory/sites.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets, SPACES } from "../schema/set-names.ts";
import type { Access, NamedSet } from "./access.ts";
import { givenOnSpaces, givenToTeam } from "./given-on-spaces.ts";
import { accessOfMember, accessOfTeam, accessOn, directAccess, type LeftOut, type Rung } from "./palette.ts";

const KIND: CacheKind<Access> = { name: "access", bytes: ({ size }) => size };

/** The access on a content; `undefined` if the content does not exist. */
export function accessOnContent(reading: Reading, key: ContentKey): Promise<Access | undefined> {
  return kept(reading, key, async () => {
    // The access needs the index.
    const [ladder] = await Promise.all([ladderFor(reading, key), universeIndex(reading, MEMBERS)]);
    return ladder && accessOnLadders(reading, [ladder]);
  });
}

/** The highest access on the spaces of a site; `undefined` if the site does not exist. */
export function accessOnSite(reading: Reading, site: string): Promise<Access | undefined> {
  return kept(reading, `site/${site}`, async () => {
    const [ladders] = await Promise.all([siteLadders(reading, site), universeIndex(reading, MEMBERS)]);
    return ladders && accessOnLadders(reading, ladders);
  });
}

async function kept<Made extends Access | undefined>(
  reading: Reading,
  key: string,
  make: () => Promise<Made>,
): Promise<Access | Made> {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const access = await make();
  if (access !== undefined) reading.cache.keep(KIND, reading.at, key, access);
  return access;
}

/** The access on the contents with these ladders: on several, the highest role of each member. */
export async function accessOnLadders(
  reading: Reading,
  ladders: readonly (readonly Rung[])[],
  leftOut?: LeftOut,
): Promise<Access> {
  const index = await universeIndex(reading, MEMBERS);
  return accessOn(ladders, (name) => index.head(name), leftOut);
}

/** The users with a direct permission on a content; `undefined` if the content does not exist. */
export function accessGivenOn(reading: Reading, content: ContentKey): Promise<Access | undefined> {
  return kept(reading, `given/${content}`, async () => {
    // The walk needs the index.
    const [ladder] = await Promise.all([ladderFor(reading, content), universeIndex(reading, MEMBERS)]);
    return ladder && directAccess(ladder[0]);
  });
}

/** The members of a team, or all guests, as a set that narrows an access. */
export async function teamSet(reading: Reading, team: string): Promise<NamedSet> {
  return memberSet(reading, memberSets.ofTeam(team));
}

export async function guestSet(reading: Reading): Promise<NamedSet> {
  return memberSet(reading, memberSets.withRole(null));
}

async function memberSet(reading: Reading, name: string): Promise<NamedSet> {
  return { name, head: (await universeIndex(reading, MEMBERS)).head(name) };
}

/** The access of a member on all spaces. */
export function accessOf(reading: Reading, member: Member): Promise<Access> {
  return kept(reading, `member/${member.id}`, async () => {
    const index = await universeIndex(reading, SPACES);
    return accessOfMember(member.role, await givenOnSpaces(reading, member, index));
  });
}

/** The access of a user on all spaces; `undefined` for a user who is not a member. */
export async function accessOfUser(reading: Reading, user: string): Promise<Access | undefined> {
  // The access needs the index.
  const [member] = await Promise.all([memberOf(reading, user), universeIndex(reading, SPACES)]);
  return member && accessOf(reading, member);
}

/** The access that the permissions of a team give on all spaces. */
export async function accessThrough(reading: Reading, team: string): Promise<Access> {
  const index = await universeIndex(reading, SPACES);
  return accessOfTeam(await givenToTeam(reading, team, index));
}
