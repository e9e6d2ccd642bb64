/** Looks up the stored records that a change file mentions. */
import type { Reading } from "../../../reading.ts";
import { type ContentKey, contentKey } from "../../../../domain/content.ts";
import type { Role } from "../../../../domain/role.ts";
import type { ContentRecord, MemberRecord, TeamRecord } from "../../change/record-change.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import type { Edits, FileEntries } from "../edits.ts";
import { namesOf, type Pair } from "../pair.ts";
import {
  contentsNamed,
  membersNamed,
  siteSpacesNamed,
  sitesNamed,
  teamGrantsNamed,
  teamMembersNamed,
  teamsNamed,
  userGrantsNamed,
} from "./present.ts";

export interface Present {
  readonly members: ReadonlyMap<string, MemberRecord>;
  readonly teams: ReadonlyMap<string, TeamRecord>;
  readonly teamMembers: ReadonlyMap<Pair, string>;
  readonly contents: ReadonlyMap<ContentKey, ContentRecord>;
  readonly sites: ReadonlyMap<string, string>;
  readonly siteSpaces: ReadonlyMap<Pair, true>;
  readonly userGrants: ReadonlyMap<Pair, Role>;
  readonly teamGrants: ReadonlyMap<Pair, Role>;
}

/** The stored records that the file names, and those to which they refer. */
export async function presentOf(at: Reading, edits: Edits): Promise<Present> {
  const { users, members, teams, teamMembers, contents, sites, siteSpaces, userGrants, teamGrants } = edits;
  const keys = new Set<ContentKey>(contents.keys());
  for (const { becomes } of contents.values()) if (becomes?.parent !== undefined) keys.add(becomes.parent);
  for (const content of [...firsts(userGrants), ...firsts(teamGrants)]) keys.add(decodeContent(content));
  for (const space of seconds(siteSpaces)) keys.add(contentKey("space", space));
  return {
    members: await membersNamed(
      at,
      new Set([...users.keys(), ...members.keys(), ...seconds(teamMembers), ...seconds(userGrants)]),
    ),
    teams: await teamsNamed(at, new Set([...teams.keys(), ...firsts(teamMembers), ...seconds(teamGrants)])),
    teamMembers: await teamMembersNamed(at, teamMembers.keys()),
    contents: await contentsNamed(at, keys),
    sites: await sitesNamed(at, new Set([...sites.keys(), ...firsts(siteSpaces)])),
    siteSpaces: await siteSpacesNamed(at, siteSpaces.keys()),
    userGrants: await userGrantsNamed(at, userGrants.keys()),
    teamGrants: await teamGrantsNamed(at, teamGrants.keys()),
  };
}

function firsts(said: FileEntries<unknown>): string[] {
  return [...said.keys()].map((pair) => namesOf(pair)[0]);
}

function seconds(said: FileEntries<unknown>): string[] {
  return [...said.keys()].map((pair) => namesOf(pair)[1]);
}

/** Whether a record with this key exists after the file is applied. */
export function isInOutcome<Key>(
  said: ReadonlyMap<Key, { readonly becomes: unknown }>,
  present: ReadonlyMap<Key, unknown>,
  key: Key,
): boolean {
  const edit = said.get(key);
  return edit === undefined ? present.has(key) : edit.becomes !== undefined;
}
