/** Writes changed teams, and the two counts in every list of teams. */
import { fold } from "../../../domain/text/title.ts";
import { addAll, noSlots, countSlots, type Words } from "../../../sets/words.ts";
import { ROLES } from "../../../domain/role.ts";
import { idOf, type ContentKey } from "../../../domain/content.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { spaceSets } from "../../schema/set-names.ts";
import type { RecordChange } from "./record-change.ts";
import type { SetChanges } from "./sets/set-changes.ts";
import { TEAM } from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

export type TeamChange = Extract<RecordChange, { kind: "team" }>;

export async function writeTeams(writing: Writing, changes: readonly TeamChange[]): Promise<void> {
  for (const { team, after } of changes) {
    if (after === undefined) {
      await TEAM.end(writing, [team]);
      continue;
    }
    const [, , , members = 0, spaces = 0] = (await TEAM.read(writing, [team])) ?? [];
    await TEAM.put(writing, [team], [after.title, fold(after.title), after.doc, members, spaces]);
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
const CONTENTS_OF = statement<[content: string]>(
  () => `
    SELECT g.content FROM team_grant g WHERE g.generation = $1 AND g.team = $2 AND g.until = ${FOREVER}
      AND g.content < 'space/'`,
);

/** The teams with a permission on some contents. */
export async function teamsOn(
  { connection, generation }: Writing,
  contents: Iterable<ContentKey>,
): Promise<string[]> {
  const rows = await connection.read(TEAMS_ON, generation, [...contents]);
  return rows.map(([team]) => team);
}

/**
 * Updates the counts of teams: adds `joined`, which may be negative, to the number of members, and counts the spaces
 * of the teams in `reach` again.
 */
export async function writeTeamCounts(
  writing: Writing,
  spaces: SetChanges,
  joined: ReadonlyMap<string, number>,
  reach: ReadonlySet<string>,
): Promise<void> {
  for (const team of new Set([...joined.keys(), ...reach])) {
    const row = await TEAM.read(writing, [team]);
    if (row === undefined) continue;
    const [title, folded, doc, members, before] = row;
    const after = members + (joined.get(team) ?? 0);
    const reached = reach.has(team) ? await countSpaces(writing, spaces, team) : before;
    if (after !== members || reached !== before) {
      await TEAM.put(writing, [team], [title, folded, doc, after, reached]);
    }
  }
}

/**
 * The number of spaces on which a team has a permission, directly or by a collection from which the space inherits
 * (contract, section 4).
 */
async function countSpaces(writing: Writing, spaces: SetChanges, team: string): Promise<number> {
  const { connection, generation } = writing;
  const collections = await connection.read(CONTENTS_OF, generation, team);
  const names = [
    ...ROLES.map((role) => spaceSets.givenToTeam(team, role)),
    ...collections.map(([content]) => spaceSets.under(idOf(decodeContent(content)))),
  ];
  const union = new Map<number, Words>();
  for (const name of names) {
    for (const [chunk, words] of await spaces.all(name)) {
      union.set(chunk, addAll(union.get(chunk) ?? noSlots(), words));
    }
  }
  return union.values().reduce((sum, words) => sum + countSlots(words), 0);
}
