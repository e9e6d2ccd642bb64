/** A member's spaces by looking at the next ones in turn: where most let the member in, this is all that a page reads. */
import { decide } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Role, roleOf, ROLES } from "../../domain/role.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { hasSlot } from "../../sets/words.ts";
import type { CacheKind } from "../cache/cache.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import { decodeContent } from "../schema/encoding.ts";
import { type Order, type Place, placeBehind } from "../sets/chunks.ts";
import type { Content } from "../directory/content.ts";
import { contents, ladderOf } from "../directory/inheritance.ts";
import { type Member, subjectOn } from "../directory/members.ts";
import type { Reading } from "../reading.ts";
import { SPACES, spaceSets } from "../schema/set-names.ts";
import { NamedSets } from "../sets/named-sets.ts";
import { occupiedFrom } from "../sets/start.ts";
import { nextSpaces, type SpaceRow, type SpaceWithContent } from "../directory/space-rows.ts";

/** A space with the role that a member has on it. */
export interface MemberSpace extends SpaceRow {
  readonly role: Role;
}

/** How often the next spaces are looked at before sets are. */
const LOOKS = 4;

/** The number of spaces to read for each entry of a page, at first and at most: more than one, as some may be closed. */
const SPARE = 1.4;
const MOST_SPARE = 4;

/** The spaces that the next ones gave, and where to go on with sets; `next` is `undefined` where the page is done. */
interface Looked {
  readonly entries: readonly MemberSpace[];
  readonly next: Place | undefined;
}

/** Looks at the next spaces from a place on until `count` are found, a few times. */
export async function lookAtNext(
  reading: Reading,
  member: Member,
  order: Order,
  first: Place,
  count: number,
): Promise<Looked> {
  const entries: MemberSpace[] = [];
  let spare = SPARE;
  let from = first;
  for (let look = 0; look < LOOKS; look++) {
    const size = Math.ceil(spare * (count - entries.length));
    const { spaces, next } = await nextSpaces(reading, from, order, size);
    let following = next;
    if (spaces.length === 0) following = await occupiedFrom(reading, SPACES, from, order);
    else {
      const found = await decided(reading, member, spaces);
      entries.push(...found);
      if (entries.length >= count) return { entries: entries.slice(0, count), next: undefined };
      spare = Math.min(MOST_SPARE, (SPARE * spaces.length) / Math.max(1, found.length));
      following ??= await placeBehind(reading, SPACES, from.chunk, order);
    }
    if (following === undefined) return { entries, next: undefined };
    from = following;
  }
  return { entries, next: from };
}

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** Sets of spaces, and of each the team that was given them, and as what. */
interface TeamSets {
  readonly sets: NamedSets;
  readonly given: readonly (readonly [team: string, role: Role])[];
}

/** The spaces that the teams of a member were given. They are kept, since other pages of the member ask for them too. */
const KIND: CacheKind<TeamSets> = { name: "team-sets", bytes: ({ sets }) => 2 * sets.bytes };

function setsOfTeams({ teams }: Member): TeamSets {
  const given = teams.flatMap((team) => ROLES.map((role) => [team, role] as const));
  const names = given.map(([team, role]) => spaceSets.givenToTeam(team, role));
  return { sets: new NamedSets(SPACES, names), given };
}

/** What all teams were given on some contents: to look up each team on each content takes longer than to read all. */
const GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts }) => `
    SELECT g.content, g.team, g.role FROM ${texts("$3", "wanted")} CROSS JOIN team_grant g
      WHERE ${holds("g")} AND g.content = wanted.value AND g.team || '' IN (SELECT team.value FROM ${texts("$4", "team")})`,
);

/** What the teams of a member were given on some spaces of one chunk; spaces with nothing are absent. */
async function teamsOn(
  reading: Reading,
  member: Member,
  spaces: readonly SpaceWithContent[],
): Promise<ReadonlyMap<ContentKey, ReadonlyMap<string, Role>>> {
  const found = new Map<ContentKey, Map<string, Role>>();
  const add = (content: ContentKey, team: string, role: Role) => {
    const roles = found.get(content);
    if (roles === undefined) found.set(content, new Map([[team, role]]));
    else roles.set(team, role);
  };
  const [first] = spaces;
  if (first === undefined || member.teams.length === 0) return found;
  // Where each read waits, sets take two.
  if (reading.remote || member.teams.length * ROLES.length > spaces.length) {
    const keys = spaces.map(({ content }) => content.content);
    const rows = await reading.read(GRANTS, ...reading.asOf, keys, member.teams);
    for (const [content, team, role] of rows) add(decodeContent(content), team, roleOf(role));
    return found;
  }
  const { sets, given } = await reading.cache.once(KIND, reading.at, member.id, async () =>
    setsOfTeams(member),
  );
  const chunk = chunkOf(first.position);
  const opened = await sets.open(reading);
  const slots = await opened.read(reading, chunk);
  for (const [set, [team, role]] of given.entries()) {
    const words = slots[set];
    if (words === undefined) continue;
    for (const { position, content } of spaces) {
      if (hasSlot(words, slotOf(position))) add(content.content, team, role);
    }
  }
  return found;
}

/** Those of some spaces of one chunk on which a member has a role. */
async function decided(
  reading: Reading,
  member: Member,
  spaces: readonly SpaceWithContent[],
): Promise<MemberSpace[]> {
  const parents = spaces.flatMap(({ content }) => parentOf(content) ?? []);
  const [above, given] = await Promise.all([
    contents(reading, [...new Set(parents)]),
    teamsOn(reading, member, spaces),
  ]);
  const ladders = spaces.map(({ content }) => {
    const level = { ...content, teams: given.get(content.content) ?? NO_TEAMS };
    const parent = above.get(parentOf(content) ?? content.content);
    return parent === undefined ? [level] : [level, ...ladderOf(parent, above)];
  });
  const subject = await subjectOn(reading, member, ladders);
  return spaces.flatMap(({ id, key, document }, place) => {
    const role = decide(ladders[place] ?? [], subject)?.role;
    return role === undefined ? [] : [{ id, key, document, role }];
  });
}

/** The collection that a space inherits from. */
function parentOf({ defaultLevel, parent }: SpaceWithContent["content"]): Content["parent"] {
  return defaultLevel === "inherit" ? parent : undefined;
}
