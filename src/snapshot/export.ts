import { idOf } from "../domain/content.ts";
import { roleOf } from "../domain/role.ts";
import { decodeContent, decodeMemberRole } from "../store/codes.ts";
import { type Reader, statement } from "../store/engine.ts";
import type { Snapshot } from "../store/reading.ts";

type Text = string;

const MEMBERS = statement<[doc: Text, id: Text, role: number]>(
  () => "SELECT doc, id, role FROM member WHERE snapshot = $1 ORDER BY id",
);
const TEAMS = statement<[doc: Text]>(() => "SELECT doc FROM team WHERE snapshot = $1 ORDER BY id");
const TEAM_MEMBERS = statement<[team: Text, member: Text, role: Text]>(
  () => "SELECT team, member, role FROM member_team WHERE snapshot = $1 ORDER BY member, team",
);
const COLLECTIONS = statement<[doc: Text]>(
  () => "SELECT doc FROM collection WHERE snapshot = $1 ORDER BY id",
);
const SPACES = statement<[doc: Text]>(() => "SELECT doc FROM space WHERE snapshot = $1 ORDER BY position");
const SITES = statement<[id: Text, title: Text]>(
  () => "SELECT id, title FROM site WHERE snapshot = $1 ORDER BY id",
);
const SITE_SPACES = statement<[site: Text, space: Text]>(
  () => "SELECT site, space FROM site_space WHERE snapshot = $1 ORDER BY site, space",
);
const USER_PERMISSIONS = statement<[source: Text, member: Text, role: number]>(
  () => `
    SELECT source, member, role FROM posting
      WHERE snapshot = $1 AND source >= 'direct/' AND source < 'direct0' ORDER BY source, member`,
);
const TEAM_PERMISSIONS = statement<[content: Text, team: Text, role: number]>(
  () => "SELECT content, team, role FROM team_permission WHERE snapshot = $1 ORDER BY content, team",
);

/**
 * The records of an organization, a line each, all of one snapshot; importing them changes nothing. `reader` keeps to one moment: an export may take longer than its snapshot is kept.
 */
export async function* exportLines(reader: Reader, at: Snapshot): AsyncGenerator<string> {
  const { organization: id, snapshot, title } = at;
  yield JSON.stringify({ object: "organization", id, title });
  for await (const [doc, user, role] of reader.stream(MEMBERS, snapshot)) {
    yield doc;
    yield JSON.stringify({ object: "member", organization: id, user, role: decodeMemberRole(role) });
  }
  for await (const [doc] of reader.stream(TEAMS, snapshot)) {
    yield `${doc.slice(0, -1)},"organization":${JSON.stringify(id)}}`;
  }
  for await (const [team, user, role] of reader.stream(TEAM_MEMBERS, snapshot)) {
    yield JSON.stringify({ object: "teamMember", team, user, role });
  }
  for await (const [doc] of reader.stream(COLLECTIONS, snapshot)) yield doc;
  for await (const [doc] of reader.stream(SPACES, snapshot)) yield doc;
  for await (const [site, siteTitle] of reader.stream(SITES, snapshot)) {
    yield JSON.stringify({ object: "site", id: site, organization: id, title: siteTitle });
  }
  for await (const [site, space] of reader.stream(SITE_SPACES, snapshot)) {
    yield JSON.stringify({ object: "siteSpace", site, space });
  }
  for await (const [source, user, role] of reader.stream(USER_PERMISSIONS, snapshot)) {
    yield permission(source.slice("direct/".length), { user }, role);
  }
  for await (const [content, team, role] of reader.stream(TEAM_PERMISSIONS, snapshot)) {
    yield permission(content, { team }, role);
  }
}

function permission(content: string, grantee: { user: string } | { team: string }, role: number): string {
  const key = decodeContent(content);
  const on = key.startsWith("space/") ? { space: idOf(key) } : { collection: idOf(key) };
  return JSON.stringify({ object: "permission", ...on, ...grantee, permission: roleOf(role) });
}
