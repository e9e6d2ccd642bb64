/** Reads the grants of a member's teams on spaces. Only used on a local database. */
import { type Role, roleOf } from "../../../domain/role.ts";
import type { Member } from "../../directory/members.ts";
import type { SpaceWithLevel } from "../../directory/rows/space-rows.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { grantsAmong, MANY } from "../../schema/encoding.ts";
import { WantedWords } from "../../schema/wanted-words.ts";

/** The grants of teams `$4` on spaces `$3`, for spaces whose row does not list all teams. */
export const TEAM_GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts, lookUp }) => `
    SELECT g.content, g.team, g.role FROM ${lookUp(
      `${texts("$3", "wanted")} CROSS JOIN ${texts("$4", "member")}`,
      "team_grant",
      "g",
      `${holds("g")} AND g.content = wanted.value AND g.team = member.value`,
    )}`,
);

/**
 * The grants of a member's teams on each of the given spaces, as one map per space. Grants of other teams may be
 * included.
 */
export async function teamsOn(
  reading: Reading,
  { teams }: Member,
  spaces: readonly SpaceWithLevel[],
): Promise<ReadonlyMap<string, Role>[]> {
  const wanted = new WantedWords<string>();
  for (const team of teams) wanted.add(team);
  const cut = spaces.filter((space) => space.teams === MANY).map(({ level }) => level.content);
  const rows = cut.length === 0 ? [] : await reading.read(TEAM_GRANTS, ...reading.asOf, cut, teams);
  const looked = Map.groupBy(rows, ([content]) => content);
  return spaces.map((space) => {
    if (space.teams !== MANY) return grantsAmong(space.teams, wanted);
    const found = looked.get(space.level.content) ?? [];
    return new Map(found.map(([, team, role]) => [team, roleOf(role)]));
  });
}
