/** Reads at once what a change would otherwise read record by record. On PostgreSQL, each read is a round trip. */
import { MEMBERS, memberSets, SPACES, spaceSets } from "../../schema/set-names.ts";
import type { Of } from "./record-change.ts";
import { loadPositions, positionOfKey } from "./sets/places.ts";
import type { SetChanges } from "./sets/set-changes.ts";
import { CONTENT, MEMBER, SPACE, TEAM } from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

/** Reads the positions, rows and sets of a change. Call it when all keys have positions. */
export async function preload(
  writing: Writing,
  members: SetChanges,
  spaces: SetChanges,
  of: Of,
): Promise<void> {
  await loadMembers(writing, members, of);
  await loadContents(writing, spaces, of);
  const teams = [...of("team"), ...of("teamMember"), ...of("teamGrant")].map(({ team }) => team);
  await TEAM.load(
    writing,
    teams.map((team) => [team]),
  );
}

async function loadMembers(writing: Writing, members: SetChanges, of: Of): Promise<void> {
  const ids = [...of("member"), ...of("teamMember"), ...of("userGrant")].map(({ member }) => member);
  await loadPositions(writing, MEMBERS, ids);
  const sets: [member: string, name: string][] = [];
  for (const { member, before, after } of of("member")) {
    if (before !== undefined) sets.push([member, memberSets.withRole(before.role)]);
    if (after !== undefined) sets.push([member, memberSets.withRole(after.role)]);
  }
  for (const { team, member } of of("teamMember")) sets.push([member, memberSets.ofTeam(team)]);
  for (const { content, member, before, after } of of("userGrant")) {
    for (const role of [before, after]) {
      if (role !== undefined) sets.push([member, memberSets.given(content, role)]);
    }
  }
  const positions = new Map<string, number>();
  for (const id of ids) {
    const position = await positionOfKey(writing, MEMBERS, id);
    if (position !== undefined) positions.set(id, position);
  }
  await MEMBER.load(
    writing,
    [...positions.values()].map((position) => [position]),
  );
  await members.loadAt(
    sets.flatMap(([member, name]) => {
      const position = positions.get(member);
      return position === undefined ? [] : [[name, position]];
    }),
  );
}

async function loadContents(writing: Writing, spaces: SetChanges, of: Of): Promise<void> {
  const contents = of("content");
  const keys = contents.flatMap(({ before, after }) => [before?.key ?? [], after?.key ?? []].flat());
  await loadPositions(writing, SPACES, keys);
  const given = new Set([...contents, ...of("userGrant"), ...of("teamGrant")].map(({ content }) => content));
  await CONTENT.load(
    writing,
    [...given].map((content) => [content]),
  );
  const positions = new Map<string, number>();
  for (const content of given) {
    const [, , , , position = null] = (await CONTENT.read(writing, [content])) ?? [];
    if (position !== null) positions.set(content, position);
  }
  for (const key of keys) {
    const position = await positionOfKey(writing, SPACES, key);
    if (position !== undefined) positions.set(key, position);
  }
  await SPACE.load(
    writing,
    [...positions.values()].map((position) => [position]),
  );
  await spaces.loadAt(
    of("teamGrant").flatMap(({ content, team, before, after }) =>
      [before, after].flatMap((role) => {
        const position = positions.get(content);
        if (role === undefined || position === undefined) return [];
        return [[spaceSets.givenToTeam(team, role), position]];
      }),
    ),
  );
}
