import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { rank, type Role, roleOf, ROLES } from "../../../domain/role.ts";
import type { CacheKind } from "../../cache/cache.ts";
import type { Order } from "../../sets/chunks.ts";
import { startAfter } from "../../sets/start.ts";
import { type Member, memberOf } from "../../directory/members.ts";
import type { Reading } from "../../reading.ts";
import { CLIMB_ENDS, type ClimbEnd, SPACES, spaceSets } from "../../schema/set-names.ts";
import { NamedSets } from "../../sets/named-sets.ts";
import { spacesAt } from "../../directory/rows/space-rows.ts";
import { findFrom } from "../access-query/find.ts";
import { type Given, givenTo, NOTHING, setsOfGuest } from "./given-to.ts";
import { lookAtNext, type MemberSpace } from "./next-spaces.ts";
import { type AccessQuery, plainQuery } from "../access-query/query.ts";
import { type Because, type QueryStep, SetNames } from "../access-query/steps.ts";

/**
 * The spaces on which a member has an effective role, by time of creation, then id (endpoint 7). With `role`, only
 * those with exactly this role. With `some`, only the spaces of this query, which must select some of the member's
 * spaces. With `isExplained`, reads spaces with their reasons if possible, even where sets find them faster.
 */
export async function memberSpaces(
  reading: Reading,
  member: Member,
  order: Order,
  { after, limit }: PageRequest<string>,
  role?: Role,
  some?: AccessQuery,
  isExplained = false,
): Promise<Page<MemberSpace, string>> {
  const key = (entry: MemberSpace) => entry.key;
  const first = await startAfter(reading, SPACES, after, order);
  if (first === undefined) return pageOf([], limit, key);
  const isLikely =
    member.role !== null && some === undefined && (role === undefined || member.teams.length > MANY_TEAMS);
  const isLooking = isLikely && (isExplained || !isKnown(reading, member));
  const { entries, next } = isLooking
    ? await lookAtNext(reading, member, order, first, limit + 1, role)
    : { entries: [], next: first };
  if (next === undefined) return pageOf(entries, limit, key);
  const query = some ?? (await spacesQuery(reading, member));
  const wanted = role === undefined ? undefined : rank(role);
  const hits = await findFrom(reading, query, next, {
    count: limit + 1 - entries.length,
    order,
    rank: wanted,
  });
  const rows = await spacesAt(
    reading,
    hits.map(({ position }) => position),
  );
  const found = hits.map((hit) => {
    const row = rows.get(hit.position);
    if (row === undefined) throw new Error(`No space has position ${hit.position}, which a set holds.`);
    return { ...row, role: roleOf(hit.rank) };
  });
  return pageOf([...entries, ...found], limit, key);
}

/**
 * A page with `role` reads the next spaces before sets, too, if the member has more teams than this: sets would be six
 * per team.
 */
const MANY_TEAMS = 16;

const KIND: CacheKind<AccessQuery> = { name: "spaces-query", bytes: ({ bytes }) => bytes };

function isKnown(reading: Reading, member: Member): boolean {
  return reading.cache.get(KIND, reading.at, member.id) !== undefined;
}

/**
 * Contract section 3 for one member and all spaces, as a fold over sets of spaces. The order of the steps: direct
 * permissions on the space, team grants on the space, permissions on collections (deepest first), default levels and
 * the organization role. Tests compare the results with those of the ladder.
 */
export function spacesQuery(reading: Reading, member: Member): Promise<AccessQuery> {
  return reading.cache.once(KIND, reading.at, member.id, async () =>
    queryOf(member, member.role === "admin" ? NOTHING : await givenTo(reading, member.id, "anybody")),
  );
}

function queryOf(member: Member, { own, collections }: Given): AccessQuery {
  const names = new SetNames();
  const steps: QueryStep[] = [];
  const take = (name: string, role: Role | null, because: Because) =>
    steps.push({ set: names.of(name), result: role === null ? 0 : rank(role), because });
  if (member.role === "admin")
    for (const end of CLIMB_ENDS) take(spaceSets.ending(end), "admin", { rule: "admin" });
  else {
    for (const role of ROLES) take(spaceSets.givenToUser(member.id, role), role, { rule: "direct" });
    for (const role of ROLES.toReversed()) {
      for (const team of member.teams) take(spaceSets.givenToTeam(team, role), role, { rule: "team", team });
    }
    for (const { collection, role, because } of collections) {
      take(spaceSets.under(collection), role, because);
    }
    for (const end of CLIMB_ENDS) {
      const rule = end === "organization" ? "organization" : "default";
      take(spaceSets.ending(end), endRole(member.role, end), { rule });
    }
  }
  const known = member.role === "admin" || member.many ? undefined : own;
  return plainQuery(SPACES, steps, new NamedSets(SPACES, names.names, known));
}

/**
 * On a remote database, reads in one round trip what a page of spaces after `after` will need: the member and, for a
 * guest, sets of spaces. Other members see most spaces, so their page reads the next spaces instead.
 */
export async function prefetchSpaces(
  reading: Reading,
  id: string,
  after: string | undefined,
  order: Order,
): Promise<void> {
  const known = reading.cache.get(KIND, reading.at, id);
  const [member, given, rows] = await Promise.all([
    memberOf(reading, id),
    known === undefined ? givenTo(reading, id, "guest") : NOTHING,
    setsOfGuest(reading, id, after, order),
  ]);
  if (member?.role !== null) return;
  const query = await reading.cache.once(KIND, reading.at, id, async () => queryOf(member, given));
  query.sets.keep(reading, rows);
}

/** The role of a member without any permission on the ladder (contract, section 3, steps 2c, 2d and 3). */
function endRole(role: Role | null, end: ClimbEnd): Role | null {
  if (role === null || end === "closed") return null;
  return end === "organization" ? role : end;
}
