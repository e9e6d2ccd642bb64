/** Creates and caches the access queries of contents, sites and teams. */
import type { ContentKey } from "../../../domain/content.ts";
import { type Role, rank, ROLES } from "../../../domain/role.ts";
import type { CacheKind } from "../../cache/cache.ts";
import { ladderFor, setsOfLadder, setsOfSite } from "../../directory/inheritance.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { siteLadders } from "../../directory/site-ladders.ts";
import { NamedSets } from "../../sets/named-sets.ts";
import { type AccessQuery, openQuery, plainQuery } from "./query.ts";
import { SetNames } from "./steps.ts";

const KIND: CacheKind<AccessQuery> = { name: "query", bytes: ({ bytes }) => bytes };

/** A query for the members with a role on a content; `undefined` if the content does not exist. */
export async function onContent(reading: Reading, key: ContentKey): Promise<AccessQuery | undefined> {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const ladder = await ladderFor(reading, key);
  return ladder === undefined ? undefined : kept(reading, key, openQuery([ladder]));
}

/**
 * On a remote database, reads in one round trip what the page after `after` will need: the query and its sets. If the
 * query is cached, reads only its sets; if it is also open and no `role` is requested, reads nothing, because such a
 * page begins with members' rows.
 */
export async function prefetchOnContent(
  reading: Reading,
  key: ContentKey,
  after: string | undefined,
  role: Role | undefined,
): Promise<void> {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known === undefined) {
    const [query, rows] = await Promise.all([onContent(reading, key), setsOfLadder(reading, key, after)]);
    query?.sets.keep(reading, rows);
  } else if (role !== undefined || !known.isOpen) await known.sets.prefetch(reading, after);
}

/** A query for the members with a role on at least one space of a site; `undefined` if the site does not exist. */
export async function onSite(reading: Reading, site: string): Promise<AccessQuery | undefined> {
  const key = `site/${site}`;
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const ladders = await siteLadders(reading, site);
  if (ladders === undefined) return undefined;
  return kept(reading, key, openQuery(ladders));
}

/**
 * On a remote database, reads in one round trip what a site's page after `after` will need: the query, and its sets if
 * they are few.
 */
export async function prefetchOnSite(
  reading: Reading,
  site: string,
  after: string | undefined,
): Promise<void> {
  const known = reading.cache.get(KIND, reading.at, `site/${site}`);
  if (known === undefined) {
    const [query, rows] = await Promise.all([onSite(reading, site), setsOfSite(reading, site, after)]);
    if (rows.length > 0) query?.sets.keep(reading, rows);
  } else if (known.rowDecisions === undefined) await known.sets.prefetch(reading, after);
}

/** Caches a query, unless a concurrent request has cached one. Returns the cached query. */
function kept(reading: Reading, key: string, query: AccessQuery): AccessQuery {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  reading.cache.keep(KIND, reading.at, key, query);
  return query;
}

/** A query for the users with a direct permission on a content. */
export function givenOn(reading: Reading, content: ContentKey): AccessQuery {
  return union(
    reading,
    `given/${content}`,
    ROLES.map((role) => [memberSets.given(content, role), role]),
  );
}

/** Whether the query of {@link givenOn} is cached. */
export function isGivenKnown({ cache, at }: Reading, content: ContentKey): boolean {
  return cache.get(KIND, at, `given/${content}`) !== undefined;
}

/** A query for all members. With `only`, for those with this organization role. */
export function everyMember(reading: Reading, only?: Role): AccessQuery {
  const roles = only === undefined ? [null, ...ROLES] : [only];
  return union(
    reading,
    `members/${only ?? ""}`,
    roles.map((role) => [memberSets.withRole(role), role ?? "read"]),
  );
}

/** A query for the members of a team. */
export function ofTeam(reading: Reading, team: string): AccessQuery {
  return union(reading, `team/${team}`, [[memberSets.ofTeam(team), "read"]]);
}

/** A query for the members of several sets. Each member has the role of the set. */
function union(
  reading: Reading,
  key: string,
  sets: readonly (readonly [name: string, role: Role])[],
): AccessQuery {
  const known = reading.cache.get(KIND, reading.at, key);
  if (known !== undefined) return known;
  const names = new SetNames();
  const steps = sets.map(([name, role]) => ({ set: names.of(name), result: rank(role) }));
  return kept(reading, key, plainQuery(MEMBERS, steps, new NamedSets(MEMBERS, names.names)));
}
