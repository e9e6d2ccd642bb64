import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { rank, type Role, roleOf, ROLES } from "../../domain/role.ts";
import type { Head } from "../../sets/head.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import type { Order } from "../sets/chunks.ts";
import { startBehind } from "../sets/start.ts";
import { statement } from "../engine/engine.ts";
import type { Member } from "../directory/members.ts";
import type { Reading } from "../reading.ts";
import { CLIMB_ENDS, type ClimbEnd, SPACES, spaceSets } from "../schema/set-names.ts";
import { NamedSets } from "../sets/named-sets.ts";
import { spacesAt } from "../directory/space-rows.ts";
import { findFrom } from "./find.ts";
import { lookAtNext, type MemberSpace } from "./next-spaces.ts";
import { type AccessQuery, plainQuery } from "./query.ts";
import { type Because, type QueryStep, SetNames } from "./steps.ts";

/**
 * Every space on which a member has an effective role, by creation, then id (endpoint 7); with `role`, those on which
 * it is that one. `some` keeps a part of the member's spaces.
 */
export async function memberSpaces(
  reading: Reading,
  member: Member,
  order: Order,
  { after, limit }: PageRequest<string>,
  role?: Role,
  some?: AccessQuery,
): Promise<Page<MemberSpace, string>> {
  const key = (entry: MemberSpace) => entry.key;
  const first = await startBehind(reading, SPACES, after, order);
  if (first === undefined) return pageOf([], limit, key);
  const isLikely = member.role !== null && role === undefined && some === undefined;
  const isLooking = isLikely && !isKnown(reading, member);
  const { entries, next } = isLooking
    ? await lookAtNext(reading, member, order, first, limit + 1)
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

const KIND: CacheKind<AccessQuery> = { name: "spaces-query", bytes: ({ bytes }) => bytes };

function isKnown(reading: Reading, member: Member): boolean {
  return reading.cache.get(KIND, reading.at, member.id) !== undefined;
}

/**
 * Contract section 3 for one member and every space, as steps of a fold over sets of spaces: what the member and their
 * teams were given on the space itself, then on the collections that it inherits from, the deepest first, then where
 * the climb ends. Held to the ladder by the tests.
 */
export function spacesQuery(reading: Reading, member: Member): Promise<AccessQuery> {
  return reading.cache.once(KIND, reading.at, member.id, async () => {
    const names = new SetNames();
    const steps: QueryStep[] = [];
    const take = (name: string, role: Role | null, because: Because) =>
      steps.push({ set: names.of(name), result: role === null ? 0 : rank(role), because });
    let known: ReadonlyMap<string, Head> | undefined;
    if (member.role === "admin")
      for (const end of CLIMB_ENDS) take(spaceSets.ending(end), "admin", { rule: "admin" });
    else {
      for (const role of ROLES) take(spaceSets.givenToUser(member.id, role), role, { rule: "direct" });
      if (!member.many) known = await ownSpaces(reading, member);
      for (const role of ROLES.toReversed()) {
        for (const team of member.teams)
          take(spaceSets.givenToTeam(team, role), role, { rule: "team", team });
      }
      for (const { collection, role, because } of await collectionsGiven(reading, member)) {
        take(spaceSets.under(collection), role, because);
      }
      for (const end of CLIMB_ENDS) {
        const rule = end === "organization" ? "organization" : "default";
        take(spaceSets.ending(end), endRole(member.role, end), { rule });
      }
    }
    return plainQuery(SPACES, steps, new NamedSets(SPACES, names.names, known));
  });
}

/** What is left for who was given nothing on the way: contract section 3, steps 2c, 2d and 3. */
function endRole(role: Role | null, end: ClimbEnd): Role | null {
  if (role === null || end === "closed") return null;
  return end === "organization" ? role : end;
}

const POSITIONS = statement<[id: string, position: number]>(
  ({ texts }) => `
    SELECT c.id, c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

/** The spaces on which the member was given each role: few, so their sets are made here. */
async function ownSpaces(reading: Reading, member: Member): Promise<Map<string, Head>> {
  const given = [...member.direct].filter(([content]) => content.startsWith("space/"));
  const keys = given.map(([content]) => content);
  const rows = keys.length === 0 ? [] : await reading.read(POSITIONS, ...reading.asOf, keys);
  const places = new Map(rows);
  return new Map(
    ROLES.map((role) => {
      const positions = given.flatMap(([content, held]) =>
        held === role ? (places.get(content) ?? []) : [],
      );
      return [spaceSets.givenToUser(member.id, role), { positions: Uint32Array.from(positions).sort() }];
    }),
  );
}

type GivenRow = [content: string, role: number, depth: number];

const OF_TEAMS = statement<[...GivenRow, team: string]>(
  ({ texts, by }) => `
    SELECT g.content, g.role, c.depth, g.team
      FROM ${texts("$3", "wanted")} CROSS JOIN team_grant g${by("team_grant_of_team")} CROSS JOIN content c
      WHERE ${holds("g")} AND g.team = wanted.value AND g.content < 'space/' AND ${holds("c")} AND c.id = g.content`,
);
const OF_USER = statement<GivenRow>(
  () => `
    SELECT g.content, g.role, c.depth FROM user_grant g CROSS JOIN content c
      WHERE ${holds("g")} AND g.position = $3 AND g.content < 'space/' AND ${holds("c")} AND c.id = g.content`,
);

/**
 * The collections that the member or a team of theirs was given, each with the role that counts there (contract,
 * section 3, steps 2a and 2b), the deepest first: of two that a space inherits from, the nearer one decides.
 */
async function collectionsGiven(
  reading: Reading,
  member: Member,
): Promise<{ readonly collection: string; readonly role: Role; readonly because: Because }[]> {
  const [direct, ofTeams] = await Promise.all([
    reading.read(OF_USER, ...reading.asOf, member.position),
    member.teams.length === 0 ? [] : reading.read(OF_TEAMS, ...reading.asOf, member.teams),
  ]);
  const given = new Map<string, { role: number; depth: number; because: Because }>();
  for (const [content, role, depth, team] of ofTeams) {
    const before = given.get(content);
    // The highest one counts, of several that of the smallest id.
    const wins = role - (before?.role ?? 0) || (team < (before?.because.team ?? "") ? 1 : -1);
    if (wins > 0) given.set(content, { role, depth, because: { rule: "team", team } });
  }
  for (const [content, role, depth] of direct)
    given.set(content, { role, depth, because: { rule: "direct" } });
  return [...given]
    .sort(([, a], [, b]) => b.depth - a.depth)
    .map(([content, { role, because }]) => ({
      collection: content.slice("collection/".length),
      role: roleOf(role),
      because,
    }));
}
