/**
 * Writes a change of an organization as one revision. The order of events:
 *
 * 1. New members and spaces get positions. A full chunk is split, which moves rows, so nothing else may have changed.
 * 2. Everything that the change will read is read at once.
 * 3. Permissions are taken, contents are written, permissions are given: sets of removed contents end with the contents.
 * 4. Members, memberships, teams and sites are written, then what follows from them: the counts of teams, and the lists
 *    in the rows of members.
 * 5. The explorer's lists and the search index are written.
 * 6. The sets and rows that are in memory are written, then the log and the revision.
 */
import { type ContentKey, idOf } from "../../../domain/content.ts";
import { roleOf } from "../../../domain/role.ts";
import { type Connection, statement, writeEach } from "../../engine/engine.ts";
import type { Counts, Revision } from "../../reading.ts";
import { type ChangeSource, numbered, point, type Publication } from "../../revisions/publication.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import { contentIn, type RecordChange, type RecordKind } from "../../../domain/record-change.ts";
import { rowOfRecord } from "../../schema/record-change.ts";
import { MEMBERS, memberSets, SPACES, spaceSets } from "../../schema/set-names.ts";
import { dropTokens } from "../../tokens.ts";
import {
  addSpaces,
  type ContentChange,
  contentChanges,
  Inheritance,
  writeContents,
  writeDepths,
  writeTeamsOn,
} from "./contents.ts";
import { giveGrants, type Grantees, moveGrants, takeGrants, writeMemberships } from "./grants.ts";
import { indexContents, indexSearch, indexSites, indexTeamGrants } from "./lists.ts";
import {
  addMembers,
  dropRepeated,
  memberChanges,
  MemberLists,
  memberPosition,
  setWithRole,
  writeMembers,
} from "./members.ts";
import { loadPositions, positionOfKey } from "./positions.ts";
import { SetChanges } from "./sets.ts";
import {
  beginWriting,
  CONTENT,
  flushRows,
  MEMBER,
  SITE,
  SITE_SPACE,
  SPACE,
  TEAM,
  type Writing,
} from "./tables.ts";
import { teamsOn, writeTeamCounts, writeTeams } from "./teams.ts";

/** The changed records of some kinds. */
type ChangesOfKinds = (...kinds: readonly RecordKind[]) => readonly RecordChange[];

/**
 * Writes a valid change (docs/changes.md) as one revision, and makes it the current one. The cost depends only on
 * the size of the change. `current` is the revision on which the change is based, which must be the current one; `records`
 * are in any order, without duplicates, and include the dependents of removed records, and the user record of a member who
 * joins or leaves. Call it in a transaction that then announces the revision. Throws a CommandError if another process has
 * changed the organization since.
 */
export async function writeChange(
  connection: Connection,
  current: Revision,
  records: readonly RecordChange[],
  source: ChangeSource,
  now: number,
): Promise<Publication> {
  const { organization, generation, revision: base } = current;
  const publication = await numbered(connection, { organization, base }, now);
  const writing = beginWriting(connection, generation, publication.revision);
  const of: ChangesOfKinds = (...kinds) => records.filter(({ kind }) => kinds.includes(kind));
  const people = memberChanges(records);
  const contents = contentChanges(of("collection", "space"));
  const members = new SetChanges(writing, MEMBERS);
  const spaces = new SetChanges(writing, SPACES);
  const grantees = { members, spaces, lists: new MemberLists() };

  await addMembers(writing, members, people);
  await addSpaces(writing, spaces, contents);
  await loadMembers(writing, members, of);
  await loadContents(writing, spaces, of, contents);

  const reach = await writeStructure(writing, grantees, contents, of("permission"));
  await writeMembers(writing, members, people);
  await writeMemberships(writing, grantees, of("teamMember"));
  await writeTeams(writing, of("team"));
  writeSites(writing, of("site"), of("siteSpace"));
  await writeTeamCounts(writing, spaces, joinedOf(of("teamMember")), reach);
  const gone = new Set<number>();
  for (const { member, becomes } of of("member")) {
    if (becomes === undefined) gone.add(await memberPosition(writing, member));
  }
  await grantees.lists.write(writing, spaces, gone);
  await dropRepeated(writing);

  await indexContents(writing, members, contents, new Set(of("permission").map(contentIn)));
  indexSites(writing, of("site"));
  indexTeamGrants(writing, of("permission"));
  await indexSearch(writing, records);
  await writeDepths(writing, contents);
  await members.finish();
  await spaces.finish();
  await flushRows(writing);

  await log(writing, records);
  const title = titleAfter(current.title, records);
  const counts = countsAfter(current.counts, records);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  if (gone.size > 0) await dropTokens(connection, organization, generation);
  return publication;
}

/**
 * Reads at once the positions, rows and sets of members that would otherwise be read record by record: on PostgreSQL,
 * each read is a round trip. Call it when all members have positions.
 */
async function loadMembers(writing: Writing, members: SetChanges, of: ChangesOfKinds): Promise<void> {
  const records = of("user", "member", "teamMember", "permission").filter(
    ({ member }) => member !== undefined,
  );
  const ids = records.map(({ member = "" }) => member);
  await loadPositions(writing, MEMBERS, ids);
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
    records.flatMap((record) => {
      const position = positions.get(record.member ?? "");
      return position === undefined ? [] : memberSetsOf(record).map((name) => [name, position] as const);
    }),
  );
}

/** The names of the sets of members that a changed record concerns. */
function memberSetsOf(record: RecordChange): string[] {
  const { kind, team = "", was, becomes } = record;
  const said = [was, becomes].filter((text) => text !== undefined);
  if (kind === "member") return said.map(setWithRole);
  if (kind === "teamMember") return [memberSets.ofTeam(team)];
  if (kind !== "permission") return [];
  return said.map((role) => memberSets.given(contentIn(record), roleOf(Number(role))));
}

/** As {@link loadMembers}, for contents and teams. */
async function loadContents(
  writing: Writing,
  spaces: SetChanges,
  of: ChangesOfKinds,
  contents: readonly ContentChange[],
): Promise<void> {
  const keys = contents.flatMap(({ before, after }) => [before?.key ?? [], after?.key ?? []].flat());
  await loadPositions(writing, SPACES, keys);
  const given = new Set([...contents.map(({ content }) => content), ...of("permission").map(contentIn)]);
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
    of("permission").flatMap(({ content = "", team, was, becomes }) => {
      const position = positions.get(content);
      if (team === undefined || position === undefined) return [];
      return [was, becomes].flatMap((role) =>
        role === undefined ? [] : [[spaceSets.givenToTeam(team, roleOf(Number(role))), position] as const],
      );
    }),
  );
  await TEAM.load(
    writing,
    of("team", "teamMember", "permission").flatMap(({ team }) => (team === undefined ? [] : [[team]])),
  );
}

/** Writes contents and permissions. Returns the teams whose spaces must be counted again. */
async function writeStructure(
  writing: Writing,
  grantees: Grantees,
  contents: readonly ContentChange[],
  grants: readonly RecordChange[],
): Promise<Set<string>> {
  const inheritance = new Inheritance(writing, grantees.spaces);
  await takeGrants(writing, grantees, grants);
  await writeContents(writing, inheritance, contents);
  for (const { content, before, after } of contents) {
    if (before?.key === undefined || after?.key === undefined || before.key === after.key) continue;
    const from = await positionOfKey(writing, SPACES, before.key);
    const to = await positionOfKey(writing, SPACES, after.key);
    if (from !== undefined && to !== undefined) await moveGrants(writing, grantees, content, from, to);
  }
  await giveGrants(writing, grantees, grants);
  const toTeams = grants.filter(({ team }) => team !== undefined);
  const changed: ContentKey[] = [...contents.map(({ content }) => content), ...toTeams.map(contentIn)];
  await writeTeamsOn(writing, new Set(changed));
  const reach = new Set(await teamsOn(writing, inheritance.touched));
  for (const { team = "" } of toTeams) reach.add(team);
  return reach;
}

/** How many members each team gains; fewer than none if it loses some. */
function joinedOf(memberships: readonly RecordChange[]): Map<string, number> {
  const joined = new Map<string, number>();
  for (const record of memberships) {
    const { team = "" } = record;
    const more = added(record);
    if (more !== 0) joined.set(team, (joined.get(team) ?? 0) + more);
  }
  return joined;
}

function writeSites(writing: Writing, sites: readonly RecordChange[], spaces: readonly RecordChange[]): void {
  for (const { site = "", becomes } of sites) {
    if (becomes === undefined) SITE.end(writing, [site]);
    else SITE.put(writing, [site], [becomes]);
  }
  for (const record of spaces) {
    const key: [string, string] = [record.site ?? "", idOf(contentIn(record))];
    if (record.becomes === undefined) SITE_SPACE.end(writing, key);
    else SITE_SPACE.put(writing, key, []);
  }
}

const LOG = statement<never>(
  ({ given }) => `
    INSERT INTO record_change (generation, revision, number, kind, member, team, content, site, was, becomes)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint), given.*
        FROM ${given(["number", "number", "text", "text", "text", "text", "text", "text"], 3)}`,
);

/** Writes the log of changed records, from which differences, causes and histories are computed. */
async function log(
  { connection, generation, revision }: Writing,
  records: readonly RecordChange[],
): Promise<void> {
  const rows = records.map((record, index) => [index + 1, ...rowOfRecord(record)]);
  await writeEach(connection, LOG, [generation, revision], rows);
}

/** The title of an organization after a change. */
export function titleAfter(title: string, records: readonly RecordChange[]): string {
  return records.find(({ kind }) => kind === "organization")?.becomes ?? title;
}

type Changeable = { -readonly [Field in keyof Counts]: Counts[Field] } & {
  roles: Record<keyof Counts["roles"], number>;
};

/** The count of each kind of records. A user counts as a member. */
const COUNTED: Readonly<Partial<Record<RecordKind, Exclude<keyof Counts, "roles">>>> = {
  member: "members",
  team: "teams",
  teamMember: "teamMembers",
  collection: "collections",
  space: "spaces",
  site: "sites",
  siteSpace: "siteSpaces",
  permission: "permissions",
};

export function countsAfter(counts: Counts, records: readonly RecordChange[]): Counts {
  const after: Changeable = { ...counts, roles: { ...counts.roles } };
  for (const record of records) {
    const { kind, was, becomes } = record;
    const counted = COUNTED[kind];
    if (counted !== undefined) after[counted] += added(record);
    if (kind !== "member") continue;
    if (was !== undefined) after.roles[decodeMemberRole(Number(was)) ?? "guest"]--;
    if (becomes !== undefined) after.roles[decodeMemberRole(Number(becomes)) ?? "guest"]++;
  }
  return after;
}

/** 1 if the record was added, -1 if it was removed, otherwise 0. */
function added({ was, becomes }: RecordChange): number {
  return Number(becomes !== undefined) - Number(was !== undefined);
}
