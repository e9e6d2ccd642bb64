import type { ContentKey } from "../../../domain/content.ts";
import type { Connection } from "../../engine/engine.ts";
import type { Revision } from "../../reading.ts";
import { dropTokens } from "../../tokens.ts";
import { numbered, point, type Publication } from "../../revisions/publication.ts";
import { MEMBERS, SPACES } from "../../schema/set-names.ts";
import { addSpaces, writeContents, writeDepths, writeLevels } from "./contents/contents.ts";
import { countsAfter } from "./counts.ts";
import { giveGrants, moveGrants, takeGrants, writeMemberships } from "./grants.ts";
import { Inheritance } from "./contents/inheritance.ts";
import { logChanges } from "./log.ts";
import { dropRepeated, MemberLists, memberPosition, addMembers, writeMembers } from "./members.ts";
import { preload } from "./preload.ts";
import { flushRows } from "./rows.ts";
import { positionOfKey } from "./sets/places.ts";
import { type ChangeSet, isOf, type Of, type StoredChange } from "./record-change.ts";
import { SetChanges } from "./sets/set-changes.ts";
import { SITE, SITE_SPACE } from "./tables/tables.ts";
import { teamsOn, writeTeamCounts, writeTeams } from "./teams.ts";
import { indexSearch } from "./search-index.ts";
import { indexContents, indexSites, indexTeamGrants } from "./contents/tree-index.ts";
import { beginWriting, type Writing } from "./writing.ts";

/**
 * Writes a valid change (contract, section 11) as one revision, and makes it the current one. The cost depends only on
 * the size of the change. `current` is the organization's current revision. Call it in a transaction that then
 * announces the revision. Throws a CommandError if another process has changed the organization since.
 */
export async function writeChange(
  connection: Connection,
  current: Pick<Revision, "generation" | "title" | "counts">,
  { organization, base, title, records, source }: ChangeSet,
  now = Date.now(),
): Promise<Publication> {
  const { generation } = current;
  const publication = await numbered(connection, { organization, base }, now);
  const { revision } = publication;
  const writing = beginWriting(connection, generation, revision);
  const of: Of = (kind) => records.filter((record) => isOf(record, kind));
  const members = new SetChanges(writing, MEMBERS);
  const spaces = new SetChanges(writing, SPACES);
  const grantees = { members, spaces, lists: new MemberLists() };

  // Positions come first, because splitting a chunk moves rows, which must not have changed before.
  await addMembers(writing, members, of("member"));
  await addSpaces(writing, spaces, of("content"));
  await preload(writing, members, spaces, of);

  const reach = await writeStructure(writing, grantees, of);
  await writeMembers(writing, members, of("member"));
  await writeMemberships(writing, grantees, of("teamMember"));
  await writeTeams(writing, of("team"));
  await writeSites(writing, of("site"), of("siteSpace"));
  await writeTeamCounts(writing, spaces, joinedOf(of("teamMember")), reach);
  const gone = new Set<number>();
  for (const { member, after } of of("member")) {
    if (after === undefined) gone.add(await memberPosition(writing, member));
  }
  await grantees.lists.write(writing, spaces, gone);
  await dropRepeated(writing);

  const given = new Set([...of("userGrant"), ...of("teamGrant")].map(({ content }) => content));
  await indexContents(writing, members, of("content"), given);
  await indexSites(writing, of("site"));
  await indexTeamGrants(writing, of("teamGrant"));
  await indexSearch(writing, records);
  await writeDepths(writing, of("content"));
  await members.finish();
  await spaces.finish();
  await flushRows(writing);

  await logChanges(writing, [current.title, title], records);
  const counts = countsAfter(current.counts, records);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  if (gone.size > 0) await dropTokens(connection, organization, generation);
  return publication;
}

/** Writes contents and permissions. Returns the teams whose spaces must be counted again. */
async function writeStructure(
  writing: Writing,
  grantees: Parameters<typeof takeGrants>[1],
  of: Of,
): Promise<Set<string>> {
  const inheritance = new Inheritance(writing, grantees.spaces);
  const touched = new Set<ContentKey>();
  await takeGrants(writing, grantees, of("userGrant"), of("teamGrant"));
  await writeContents(writing, inheritance, of("content"));
  for (const { content, before, after } of of("content")) {
    if (before?.key === undefined || after?.key === undefined || before.key === after.key) continue;
    const from = await positionOfKey(writing, SPACES, before.key);
    const to = await positionOfKey(writing, SPACES, after.key);
    if (from !== undefined && to !== undefined) await moveGrants(writing, grantees, content, from, to);
  }
  await giveGrants(writing, grantees, of("userGrant"), of("teamGrant"));
  await writeLevels(writing, new Set([...of("content"), ...of("teamGrant")].map(({ content }) => content)));
  for (const each of inheritance.touched) touched.add(each);
  const reach = new Set(await teamsOn(writing, touched));
  for (const { team } of of("teamGrant")) reach.add(team);
  return reach;
}

function joinedOf(
  memberships: readonly Extract<StoredChange, { kind: "teamMember" }>[],
): Map<string, number> {
  const joined = new Map<string, number>();
  for (const { team, before, after } of memberships) {
    const more = Number(after !== undefined) - Number(before !== undefined);
    if (more !== 0) joined.set(team, (joined.get(team) ?? 0) + more);
  }
  return joined;
}

async function writeSites(
  writing: Writing,
  sites: readonly Extract<StoredChange, { kind: "site" }>[],
  spaces: readonly Extract<StoredChange, { kind: "siteSpace" }>[],
): Promise<void> {
  for (const { site, after } of sites) {
    if (after === undefined) SITE.end(writing, [site]);
    else SITE.put(writing, [site], [after]);
  }
  for (const { site, space, after } of spaces) {
    if (after === undefined) SITE_SPACE.end(writing, [site, space]);
    else SITE_SPACE.put(writing, [site, space], []);
  }
}
