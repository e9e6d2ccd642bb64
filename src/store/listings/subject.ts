/** The access queries of contents and sites, remembered. */
import type { ContentKey } from "../../domain/content.ts";
import { type Role, rank, ROLES } from "../../domain/role.ts";
import type { CacheKind } from "../cache.ts";
import { headsOfLadders } from "../levels.ts";
import { ladderFor } from "../members.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../set-names.ts";
import { siteLadders } from "../site-ladders.ts";
import { type AccessQuery, openQuery, openSets, plainQuery } from "./query.ts";
import { SetNames } from "./steps.ts";

const KIND: CacheKind<AccessQuery> = { name: "query", bytes: ({ bytes }) => bytes };

/** Everyone with an effective role on a content; `undefined` where it does not exist. */
export async function onContent(reading: Reading, key: ContentKey): Promise<AccessQuery | undefined> {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const [ladder, heads] = await Promise.all([
    ladderFor(reading, key),
    reading.distant ? headsOfLadders(reading, [key]) : undefined,
  ]);
  if (ladder === undefined) return undefined;
  return reading.cache.once(KIND, reading.at, key, () => openQuery(reading, [ladder], undefined, heads));
}

/** Everyone with an effective role on a space of a site; `undefined` where the site does not exist. */
export async function onSite(reading: Reading, site: string): Promise<AccessQuery | undefined> {
  const key = `site/${site}`;
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const ladders = await siteLadders(reading, site);
  if (ladders === undefined) return undefined;
  return reading.cache.once(KIND, reading.at, key, () => openQuery(reading, ladders));
}

/** The users who were given a permission on that very content. */
export function givenOn(reading: Reading, content: ContentKey): Promise<AccessQuery> {
  return union(
    reading,
    `given/${content}`,
    ROLES.map((role) => [memberSets.given(content, role), role]),
  );
}

/** Every member, whatever their role; with `only`, those with that organization role. */
export function everyMember(reading: Reading, only?: Role): Promise<AccessQuery> {
  const roles = only === undefined ? [null, ...ROLES] : [only];
  return union(
    reading,
    `members/${only ?? ""}`,
    roles.map((role) => [memberSets.withRole(role), role ?? "read"]),
  );
}

/** The members of a team. */
export function ofTeam(reading: Reading, team: string): Promise<AccessQuery> {
  return union(reading, `team/${team}`, [[memberSets.ofTeam(team), "read"]]);
}

/** Everybody in some sets, each with the role that its set stands for. */
function union(
  reading: Reading,
  key: string,
  sets: readonly (readonly [name: string, role: Role])[],
): Promise<AccessQuery> {
  return reading.cache.once(KIND, reading.at, key, async () => {
    const names = new SetNames();
    const steps = sets.map(([name, role]) => ({ set: names.of(name), result: rank(role) }));
    const opened = await openSets(reading, MEMBERS, names.names);
    return plainQuery(MEMBERS, steps, opened);
  });
}
