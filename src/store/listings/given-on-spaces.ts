/** The permissions of one member, or of one team, that may give a role on spaces. */
import { type ContentKey, idOf } from "../../domain/content.ts";
import type { Decision } from "../../domain/ladder.ts";
import { rank, type Role, roleOf, ROLES } from "../../domain/role.ts";
import { EMPTY, type Head, isEmpty } from "../../sets/head.ts";
import type { CacheKind } from "../cache.ts";
import type { Member } from "../directory/members.ts";
import { statement } from "../engine/engine.ts";
import type { UniverseIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent } from "../schema/encoding.ts";
import { SPACES, spaceSets } from "../schema/set-names.ts";
import { headsOf } from "../sets/containers.ts";
import type { SpacesGiven } from "./palette.ts";

interface OnCollection extends SpacesGiven {
  readonly depth: number;
}

/** What the permissions of a team give. */
interface OfTeam {
  readonly collections: readonly OnCollection[];
  /** On spaces; weakest first. */
  readonly spaces: readonly SpacesGiven[];
}

/** The permissions of a member, in the order in which {@link accessOfMember} paints them. */
export async function givenOnSpaces(
  reading: Reading,
  member: Member,
  index: UniverseIndex,
): Promise<SpacesGiven[]> {
  if (member.role === "admin") return [];
  const [teams, direct] = await Promise.all([
    givenToTeams(reading, member.teams, index),
    member.many ? allDirect(reading, member, index) : directlyGiven(reading, [...member.direct], index),
  ]);
  const collections = new Map<string, OnCollection>();
  for (const team of teams) {
    for (const own of team.collections) {
      const before = collections.get(own.set);
      if (before === undefined || wins(own.decision, before.decision)) collections.set(own.set, own);
    }
  }
  for (const own of direct.collections) collections.set(own.set, own);
  const given: SpacesGiven[] = [...collections.values()].sort(byDepth);
  // Of teams with the same role, the one with the smallest id decides: it is painted last.
  const onSpaces = teams.flatMap(({ spaces }) => spaces);
  onSpaces.sort(({ decision: a }, { decision: b }) => (wins(a, b) ? 1 : -1));
  given.push(...onSpaces);
  for (const [index, role] of ROLES.entries()) {
    const head = direct.spaces[index] ?? EMPTY;
    if (isEmpty(head)) continue;
    given.push({ set: spaceSets.givenToUser(member.id, role), head, decision: { role, rule: "direct" } });
  }
  return given;
}

/** The deepest collection is painted last. */
function byDepth(a: OnCollection, b: OnCollection): number {
  return a.depth - b.depth;
}

/** A permission on a collection; none if no space inherits from the collection. */
function onCollection(
  index: UniverseIndex,
  content: ContentKey,
  depth: number,
  decision: Decision,
): OnCollection[] {
  const set = spaceSets.under(idOf(content));
  const head = index.head(set);
  return isEmpty(head) ? [] : [{ set, head, depth, decision }];
}

/** Whether a team's permission decides before another one's: the higher role; of equal roles, the smaller id. */
function wins(a: Decision, b: Decision): boolean {
  return rank(a.role) - rank(b.role) > 0 || (a.role === b.role && (a.team ?? "") < (b.team ?? ""));
}

interface Direct {
  readonly collections: readonly OnCollection[];
  /** The heads of the sets of spaces, by role. */
  readonly spaces: readonly Head[];
}

const CONTENTS = statement<[id: string, depth: number, position: number | null]>(
  ({ texts }) => `
    SELECT c.id, c.depth, c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value`,
);

async function directlyGiven(
  reading: Reading,
  grants: readonly (readonly [ContentKey, Role])[],
  index: UniverseIndex,
): Promise<Direct> {
  if (grants.length === 0) return { collections: [], spaces: ROLES.map(() => EMPTY) };
  const roles = new Map(grants);
  const rows = await reading.read(CONTENTS, ...reading.asOf, [...roles.keys()]);
  const collections: OnCollection[] = [];
  const positions = new Map<Role, number[]>();
  for (const [id, depth, position] of rows) {
    const key = decodeContent(id);
    const role = roles.get(key) ?? "read";
    if (position === null) collections.push(...onCollection(index, key, depth, { role, rule: "direct" }));
    else positions.set(role, [...(positions.get(role) ?? []), position]);
  }
  const spaces = ROLES.map((role) => ({ positions: Uint32Array.from(positions.get(role) ?? []).sort() }));
  return { collections, spaces };
}

const COLLECTIONS = statement<[content: string, role: number, depth: number]>(({ lookUp }) => {
  const given = `(
    SELECT g.content, g.role FROM user_grant g
      WHERE ${holds("g")} AND g.position = $3 AND g.content < 'space/') g`;
  return `SELECT g.content, g.role, c.depth FROM ${lookUp(given, "content", "c", `${holds("c")} AND c.id = g.content`)}`;
});

/** The permissions of a member whose row does not list them. */
async function allDirect(reading: Reading, { id, position }: Member, index: UniverseIndex): Promise<Direct> {
  const names = ROLES.map((role) => spaceSets.givenToUser(id, role));
  const [rows, spaces] = await Promise.all([
    reading.read(COLLECTIONS, ...reading.asOf, position),
    headsOf(reading, SPACES, names),
  ]);
  const collections = rows.flatMap(([content, role, depth]) =>
    onCollection(index, decodeContent(content), depth, { role: roleOf(role), rule: "direct" }),
  );
  return { collections, spaces };
}

const TEAM_GRANTS = statement<[team: string, content: string, role: number, depth: number]>(
  ({ lookUp, texts }) => {
    const grants = lookUp(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.team = wanted.value AND g.content < 'space/'`,
      "team_grant_of_team",
    );
    const given = `(SELECT g.team, g.content, g.role FROM ${grants}) g`;
    return `SELECT g.team, g.content, g.role, c.depth FROM ${lookUp(given, "content", "c", `${holds("c")} AND c.id = g.content`)}`;
  },
);

const KIND: CacheKind<OfTeam> = {
  name: "given-to-team",
  bytes: ({ collections, spaces }) => 100 + 250 * (collections.length + spaces.length),
  isTouched: (_, __, { contents }) => contents.size > 0,
};

async function givenToTeams(
  reading: Reading,
  teams: readonly string[],
  index: UniverseIndex,
): Promise<readonly OfTeam[]> {
  const { cache, at } = reading;
  const found: OfTeam[] = [];
  const missing: string[] = [];
  for (const team of teams) {
    const known = cache.get(KIND, at, team);
    if (known === undefined) missing.push(team);
    else found.push(known);
  }
  if (missing.length === 0) return found;
  const read = new Map<string, OnCollection[]>(missing.map((team) => [team, []]));
  for (const [team, content, role, depth] of await reading.read(TEAM_GRANTS, ...reading.asOf, missing)) {
    const decision: Decision = { role: roleOf(role), rule: "team", team };
    read.get(team)?.push(...onCollection(index, decodeContent(content), depth, decision));
  }
  for (const [team, collections] of read) {
    const spaces = ROLES.flatMap((role): SpacesGiven[] => {
      const set = spaceSets.givenToTeam(team, role);
      const head = index.head(set);
      return isEmpty(head) ? [] : [{ set, head, decision: { role, rule: "team", team } }];
    });
    const own = { collections, spaces };
    found.push(own);
    cache.keep(KIND, at, team, own);
  }
  return found;
}
