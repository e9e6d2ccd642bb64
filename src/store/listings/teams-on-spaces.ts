/** Reads the grants of a member's teams on spaces. Only used on a local database. */
import type { ContentKey } from "../../domain/content.ts";
import { type Role, roleOf, ROLES } from "../../domain/role.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { hasSlot } from "../../sets/words.ts";
import type { CacheKind } from "../cache/cache.ts";
import type { Member } from "../directory/members.ts";
import type { SpaceWithContent } from "../directory/space-rows.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent } from "../schema/encoding.ts";
import { SPACES, spaceSets } from "../schema/set-names.ts";
import { NamedSets } from "../sets/named-sets.ts";

/** Sets of spaces, and for each the team and the role that it stands for. */
interface TeamSets {
  readonly sets: NamedSets;
  readonly given: readonly (readonly [team: string, role: Role])[];
}

/** The sets of a member's teams, cached because other pages of the member need them too. */
const KIND: CacheKind<TeamSets> = { name: "team-sets", bytes: ({ sets }) => 2 * sets.bytes };

function setsOfTeams({ teams }: Member): TeamSets {
  const given = teams.flatMap((team) => ROLES.map((role) => [team, role] as const));
  const names = given.map(([team, role]) => spaceSets.givenToTeam(team, role));
  return { sets: new NamedSets(SPACES, names), given };
}

/** `||` hides the team from the index: to read all grants of each content is faster than to look up each team. */
export const TEAM_GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts }) => `
    SELECT g.content, g.team, g.role FROM ${texts("$3", "wanted")} CROSS JOIN team_grant g
      WHERE ${holds("g")} AND g.content = wanted.value AND g.team || '' IN (SELECT team.value FROM ${texts("$4", "team")})`,
);

/** The grants of a member's teams on some spaces of one chunk; spaces without one are absent. */
export async function teamsOn(
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
  if (member.teams.length * ROLES.length > spaces.length) {
    const keys = spaces.map(({ content }) => content.content);
    const rows = await reading.read(TEAM_GRANTS, ...reading.asOf, keys, member.teams);
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
