/**
 * What is stored, as the lines of a snapshot file: an organization at a revision, records of any source with the end
 * record, single records that differ, and change files.
 */
import { idOf, kindOf } from "../domain/content.ts";
import { roleOf } from "../domain/role.ts";
import { type Reader, statement } from "../store/engine/engine.ts";
import type { Revision } from "../store/reading.ts";
import { holds, memberDoc } from "../store/schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../store/schema/encoding.ts";
import type { RecordChange, RecordNames } from "../store/schema/record-change.ts";
import type { RecordDifference } from "../store/writing/generation/difference.ts";
import type { SnapshotRecord } from "./records.ts";

type Text = string;

const MEMBERS = statement<[doc: Text, id: Text, role: number]>(
  () => `SELECT ${memberDoc("m")}, m.id, m.role FROM member m WHERE ${holds("m")} ORDER BY m.position`,
);
const TEAMS = statement<[doc: Text]>(() => `SELECT t.doc FROM team t WHERE ${holds("t")} ORDER BY t.id`);
const TEAM_MEMBERS = statement<[team: Text, member: Text, role: Text]>(
  () => `
    SELECT tm.team, m.id, tm.role FROM team_member tm CROSS JOIN member m
      WHERE ${holds("tm")} AND ${holds("m")} AND m.position = tm.position ORDER BY tm.position, tm.team`,
);
const COLLECTIONS = statement<[doc: Text]>(
  () =>
    `SELECT c.doc FROM content c WHERE ${holds("c")} AND c.id < 'space/' AND c.doc IS NOT NULL ORDER BY c.id`,
);
const SPACES = statement<[doc: Text]>(
  () => `SELECT s.doc FROM space s WHERE ${holds("s")} ORDER BY s.position`,
);
const SITES = statement<[id: Text, title: Text]>(
  () => `SELECT s.id, s.title FROM site s WHERE ${holds("s")} ORDER BY s.id`,
);
const SITE_SPACES = statement<[site: Text, space: Text]>(
  () => `SELECT s.site, s.space FROM site_space s WHERE ${holds("s")} ORDER BY s.site, s.space`,
);
const USER_PERMISSIONS = statement<[content: Text, member: Text, role: number]>(
  () => `
    SELECT g.content, m.id, g.role FROM user_grant g CROSS JOIN member m
      WHERE ${holds("g")} AND ${holds("m")} AND m.position = g.position ORDER BY g.position, g.content`,
);
const TEAM_PERMISSIONS = statement<[content: Text, team: Text, role: number]>(
  () => `
    SELECT g.content, g.team, g.role FROM team_grant g WHERE ${holds("g")} ORDER BY g.content, g.team`,
);

/**
 * The records of an organization at one revision, as lines; importing them changes nothing. `reader` must be a
 * consistent read, because the revision may be deleted during a long export.
 */
export async function* exportLines(reader: Pick<Reader, "stream">, at: Revision): AsyncGenerator<string> {
  const { organization: id, generation, revision, title } = at;
  const asOf = [generation, revision] as const;
  yield JSON.stringify({ object: "organization", id, title });
  for await (const [doc, user, role] of reader.stream(MEMBERS, ...asOf)) {
    yield doc;
    yield JSON.stringify({ object: "member", organization: id, user, role: decodeMemberRole(role) });
  }
  for await (const [doc] of reader.stream(TEAMS, ...asOf)) {
    // A document of a team lacks the organization, which comes before the title.
    yield doc.replace(',"title":', `,"organization":${JSON.stringify(id)},"title":`);
  }
  for await (const [team, user, role] of reader.stream(TEAM_MEMBERS, ...asOf)) {
    yield JSON.stringify({ object: "teamMember", team, user, role });
  }
  for await (const [doc] of reader.stream(COLLECTIONS, ...asOf)) yield doc;
  for await (const [doc] of reader.stream(SPACES, ...asOf)) yield doc;
  for await (const [site, siteTitle] of reader.stream(SITES, ...asOf)) {
    yield JSON.stringify({ object: "site", id: site, organization: id, title: siteTitle });
  }
  for await (const [site, space] of reader.stream(SITE_SPACES, ...asOf)) {
    yield JSON.stringify({ object: "siteSpace", site, space });
  }
  for await (const [content, user, role] of reader.stream(USER_PERMISSIONS, ...asOf)) {
    yield permission(content, { user }, role);
  }
  for await (const [content, team, role] of reader.stream(TEAM_PERMISSIONS, ...asOf)) {
    yield permission(content, { team }, role);
  }
}

function permission(content: string, grantee: { user: string } | { team: string }, role: number): string {
  const key = decodeContent(content);
  const on = key.startsWith("space/") ? { space: idOf(key) } : { collection: idOf(key) };
  return JSON.stringify({ object: "permission", ...on, ...grantee, permission: roleOf(role) });
}

type Several<T> = Iterable<T> | AsyncIterable<T>;

/** The lines of a snapshot file with its end record, without line ends. */
export function snapshotLines(records: Several<SnapshotRecord>): AsyncGenerator<string> {
  return withEnd(written(records));
}

/** Adds the end record (docs/snapshot.md). */
export async function* withEnd(lines: Several<string>): AsyncGenerator<string> {
  let records = 0;
  for await (const line of lines) {
    records++;
    yield line;
  }
  yield JSON.stringify({ object: "end", records });
}

async function* written(records: Several<SnapshotRecord>): AsyncGenerator<string> {
  for await (const record of records) yield JSON.stringify(record);
}

/** A record as a snapshot file has it. */
export type DifferingRecord = Readonly<Record<string, unknown>>;

interface BeforeAndAfter {
  /** Absent if the record was added. */
  readonly before?: DifferingRecord;
  /** Absent if the record was removed. */
  readonly after?: DifferingRecord;
}

export function beforeAndAfter(difference: RecordDifference): BeforeAndAfter {
  const { was, becomes } = difference;
  return {
    ...(was === undefined ? {} : { before: fileRecord(difference, was) }),
    ...(becomes === undefined ? {} : { after: fileRecord(difference, becomes) }),
  };
}

/** The names of a record, and the organization to which it belongs. */
type OwnedNames = RecordNames & { readonly organization: string };

/** The fields of a record that name it. */
function namesOf({ kind, organization, member, team, content, site }: OwnedNames): DifferingRecord {
  const on = content === undefined ? {} : { [kindOf(content)]: idOf(content) };
  switch (kind) {
    case "member":
      return { object: kind, organization, user: member };
    case "teamMember":
      return { object: kind, team, user: member };
    case "siteSpace":
      return { object: kind, site, ...on };
    case "permission":
      return { object: kind, ...on, ...(member === undefined ? { team } : { user: member }) };
    default: {
      const id = content === undefined ? (member ?? team ?? site ?? organization) : idOf(content);
      return { object: kind, id };
    }
  }
}

/** `says` has the fields that do not name the record, as the log stores them. */
function fileRecord(named: OwnedNames, says: string): DifferingRecord {
  const { kind, organization } = named;
  const names = namesOf(named);
  switch (kind) {
    case "organization":
      return { ...names, title: says };
    case "user":
    case "collection":
    case "space":
      return documentOf(says);
    case "team":
      return { ...names, organization, ...documentOf(says) };
    case "site":
      return { ...names, organization, title: says };
    case "siteSpace":
      return names;
    case "teamMember":
      return { ...names, role: says };
    case "member":
      return { ...names, role: decodeMemberRole(Number(says)) };
    case "permission":
      return { ...names, permission: decodeMemberRole(Number(says)) };
  }
}

function documentOf(text: string): DifferingRecord {
  const record: DifferingRecord = JSON.parse(text);
  return record;
}

/** The changed fields of a record with their old and new values. Of an added or removed record, only its role. */
export function changedFields({ before, after }: BeforeAndAfter): string[] {
  if (before === undefined || after === undefined) {
    const record = { ...before, ...after };
    return ["role", "permission"].flatMap((field) =>
      field in record ? `${field} ${said(record[field])}` : [],
    );
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [old, now] = [said(before[field]), said(after[field])];
    return old === now ? [] : [`${field} ${old} → ${now}`];
  });
}

function said(value: unknown): string {
  return value === undefined
    ? "(none)"
    : typeof value === "string" && value !== ""
      ? value
      : JSON.stringify(value);
}

/**
 * The lines of a change file, without its end record. With `undone`, it undoes the changes. With `base`, it can be
 * applied only to that revision.
 */
export function* changeLines(
  organization: string,
  records: Iterable<RecordChange>,
  undone: boolean,
  base?: number,
): Generator<string> {
  yield JSON.stringify({ object: "changes", organization, ...(base === undefined ? {} : { base }) });
  for (const record of records) {
    const becomes = undone ? record.was : record.becomes;
    if (becomes !== undefined) yield JSON.stringify(fileRecord({ ...record, organization }, becomes));
    // A user record is removed together with its member.
    else if (record.kind !== "user") {
      yield JSON.stringify({ ...namesOf({ ...record, organization }), removed: true });
    }
  }
}
