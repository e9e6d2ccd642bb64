/** The access on a content, on a site, of a member, of a team, as of a revision. */
import type { ContentKey } from "../../domain/content.ts";
import type { Ladder } from "../../domain/ladder.ts";
import type { Head } from "../../sets/head.ts";
import type { CacheKind } from "../cache.ts";
import { headsOfLadders, headsOfSite, ladderFor } from "../directory/contents.ts";
import { type Member, memberOf } from "../directory/members.ts";
import { siteLadders } from "../directory/sites.ts";
import { directHeads } from "../memory/direct.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets, SPACES } from "../schema/set-names.ts";
import type { Access, NamedSet } from "./access.ts";
import { givenOnSpaces, givenToTeam } from "./given-on-spaces.ts";
import { accessOfMember, accessOfTeam, accessOn, directAccess, type LeftOut, teamAccess } from "./palette.ts";

const KIND: CacheKind<Access> = { name: "access", bytes: ({ size }) => size };

/** The access on a content; `undefined` if the content does not exist. */
export function accessOnContent(reading: Reading, key: ContentKey): Promise<Access | undefined> {
  const ladders = async () => {
    const ladder = await ladderFor(reading, key);
    return ladder && [ladder];
  };
  return kept(reading, key, () => onLadders(reading, ladders, () => headsOfLadders(reading, [key])));
}

/** The highest access on the spaces of a site; `undefined` if the site does not exist. */
export function accessOnSite(reading: Reading, site: string): Promise<Access | undefined> {
  const ladders = () => siteLadders(reading, site);
  return kept(reading, `site/${site}`, () => onLadders(reading, ladders, () => headsOfSite(reading, site)));
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

/** On a remote database, reads the ladders, the heads of their sets and the index at once. */
async function onLadders(
  reading: Reading,
  ladders: () => Promise<readonly Ladder[] | undefined>,
  heads: () => Promise<ReadonlyMap<string, Head>>,
): Promise<Access | undefined> {
  const [found, read] = await Promise.all([
    ladders(),
    reading.remote ? heads() : undefined,
    reading.remote ? universeIndex(reading, MEMBERS) : undefined,
  ]);
  return found && accessOnLadders(reading, found, undefined, read);
}

/** The access on the contents with these ladders: on several, the highest role of each member. */
export async function accessOnLadders(
  reading: Reading,
  ladders: readonly Ladder[],
  leftOut?: LeftOut,
  read?: ReadonlyMap<string, Head>,
): Promise<Access> {
  const contents = new Set(ladders.flat().map(({ content }) => content));
  const [direct, index] = await Promise.all([
    directHeads(reading, contents, read),
    universeIndex(reading, MEMBERS),
  ]);
  return accessOn(ladders, { team: (name) => index.head(name), direct }, leftOut);
}

/** The users with a direct permission on a content. */
export function accessGivenOn(reading: Reading, content: ContentKey): Promise<Access> {
  return kept(reading, `given/${content}`, async () => {
    // The walk needs the index.
    const [direct] = await Promise.all([directHeads(reading, [content]), universeIndex(reading, MEMBERS)]);
    return directAccess(content, direct);
  });
}

/** The members of a team. */
export async function membersOfTeam(reading: Reading, team: string): Promise<Access> {
  const index = await universeIndex(reading, MEMBERS);
  return teamAccess(team, (name) => index.head(name));
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
