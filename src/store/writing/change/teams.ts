/** Writes changed teams, and the counts of members and spaces that lists of teams show. */
import { fold } from "../../../domain/text.ts";
import { addAll, noSlots, countSlots, type Words } from "../../../sets/words.ts";
import { ROLES } from "../../../domain/role.ts";
import { idOf, type ContentKey } from "../../../domain/content.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { spaceSets } from "../../schema/set-names.ts";
import { type RecordChange, titleIn } from "../../../domain/record-change.ts";
import type { SetChanges } from "./sets.ts";
import { TEAM, TEAM_GRANT, type Writing } from "./tables.ts";

export async function writeTeams(writing: Writing, changes: readonly RecordChange[]): Promise<void> {
  for (const { team = "", becomes } of changes) {
    if (becomes === undefined) {
      TEAM.end(writing, [team]);
      continue;
    }
    const [, , , members = 0, spaces = 0] = (await TEAM.read(writing, [team])) ?? [];
    const title = titleIn(becomes);
    TEAM.put(writing, [team], [title, fold(title), becomes, members, spaces]);
  }
}

const TEAMS_ON = statement<[team: string]>(
  ({ texts, lookUp }) => `
    SELECT DISTINCT g.team FROM ${lookUp(
      texts("$2", "wanted"),
      "team_grant",
      "g",
      `g.generation = $1 AND g.content = wanted.value AND g.until = ${FOREVER}`,
    )}`,
);
/** The collections on which the given teams have a permission. */
const COLLECTIONS_OF = statement<[team: string, content: string]>(
  ({ texts, lookUp }) => `
    SELECT g.team, g.content FROM ${lookUp(
      texts("$2", "wanted"),
      "team_grant",
      "g",
      `g.generation = $1 AND g.team = wanted.value AND g.until = ${FOREVER} AND g.content < 'space/'`,
      "team_grant_of_team",
    )}`,
);

/** The teams with a grant on one of the contents. */
export async function teamsOn(writing: Writing, contents: Iterable<ContentKey>): Promise<string[]> {
  await TEAM_GRANT.flush(writing);
  const { connection, generation } = writing;
  const rows = await connection.read(TEAMS_ON, generation, [...contents]);
  return rows.map(([team]) => team);
}

/**
 * Updates the counts of teams. `joined` has the number to add to each team's members, which may be negative. The spaces
 * of the teams in `reach` are counted again.
 */
export async function writeTeamCounts(
  writing: Writing,
  spaces: SetChanges,
  joined: ReadonlyMap<string, number>,
  reach: ReadonlySet<string>,
): Promise<void> {
  const counted = await countedSets(writing, spaces, reach);
  await TEAM.load(
    writing,
    [...joined.keys(), ...reach].map((team) => [team]),
  );
  for (const team of new Set([...joined.keys(), ...reach])) {
    const row = await TEAM.read(writing, [team]);
    if (row === undefined) continue;
    const [title, folded, doc, members, before] = row;
    const after = members + (joined.get(team) ?? 0);
    const names = counted.get(team);
    const reached = names === undefined ? before : await countSpaces(spaces, names);
    if (after !== members || reached !== before) {
      TEAM.put(writing, [team], [title, folded, doc, after, reached]);
    }
  }
}

/**
 * The names of the sets of spaces to which a team's grants give access, by team: grants on the space, or on a
 * collection from which the space inherits (docs/permissions.md).
 */
async function countedSets(
  writing: Writing,
  spaces: SetChanges,
  teams: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  await TEAM_GRANT.flush(writing);
  const { connection, generation } = writing;
  const names = new Map(
    [...teams].map((team) => [team, ROLES.map((role) => spaceSets.givenToTeam(team, role))]),
  );
  for (const [team, content] of await connection.read(COLLECTIONS_OF, generation, [...teams])) {
    names.get(team)?.push(spaceSets.under(idOf(decodeContent(content))));
  }
  await spaces.loadAll([...names.values()].flat());
  return names;
}

async function countSpaces(spaces: SetChanges, names: readonly string[]): Promise<number> {
  const union = new Map<number, Words>();
  for (const name of names) {
    for (const [chunk, words] of await spaces.all(name)) {
      union.set(chunk, addAll(union.get(chunk) ?? noSlots(), words));
    }
  }
  return union.values().reduce((sum, words) => sum + countSlots(words), 0);
}
