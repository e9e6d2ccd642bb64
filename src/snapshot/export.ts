/**
 * What is stored, as the lines of a snapshot file: an organization at a revision, records of any source with the end
 * record, single records that differ, and change files.
 */
import { contentKey, idOf, kindOf } from "../domain/content.ts";
import { type Reader, type SqlValue, statement } from "../store/engine/engine.ts";
import type { Revision } from "../store/reading.ts";
import { holds, memberDoc } from "../store/schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../store/schema/encoding.ts";
import type { RecordChange, RecordNames } from "../domain/record-change.ts";
import type { RecordDifference } from "../store/writing/generation/difference.ts";
import type { SnapshotRecord } from "./records.ts";

/** A stored record: its key, and what makes its line of a snapshot file. */
interface StoredRecord {
  readonly names: RecordNames;
  readonly line: () => string;
}

/** In blocks, because handing on each record by itself takes longer than reading it. */
type StoredRecords = (
  reader: Pick<Reader, "stream">,
  at: Revision,
) => AsyncGenerator<readonly StoredRecord[]>;

const RECORDS_A_BLOCK = 1000;

/** The records in the rows of a statement. */
function stored<Row extends SqlValue[]>(
  sql: string,
  recordsIn: (row: Row, organization: string) => StoredRecord[],
): StoredRecords {
  const rows = statement<Row>(() => sql);
  return async function* (reader, { organization, generation, revision }) {
    let block: StoredRecord[] = [];
    for await (const row of reader.stream(rows, generation, revision)) {
      block.push(...recordsIn(row, organization));
      if (block.length < RECORDS_A_BLOCK) continue;
      yield block;
      block = [];
    }
    yield block;
  };
}

/** All records of an organization except its own, in the order of an export. */
export const STORED: readonly StoredRecords[] = [
  stored<[id: string, doc: string, role: number]>(
    `SELECT m.id, ${memberDoc("m")}, m.role FROM member m WHERE ${holds("m")} ORDER BY m.position`,
    ([member, doc, role], organization) => [
      { names: { kind: "user", member }, line: () => doc },
      recordOf({ kind: "member", member, organization }, String(role)),
    ],
  ),
  stored<[id: string, doc: string]>(
    `SELECT t.id, t.doc FROM team t WHERE ${holds("t")} ORDER BY t.id`,
    ([team, doc], organization) => [recordOf({ kind: "team", team, organization }, doc)],
  ),
  stored<[team: string, member: string, role: string]>(
    `SELECT tm.team, m.id, tm.role FROM team_member tm CROSS JOIN member m
       WHERE ${holds("tm")} AND ${holds("m")} AND m.position = tm.position ORDER BY tm.position, tm.team`,
    ([team, member, role], organization) => [
      recordOf({ kind: "teamMember", team, member, organization }, role),
    ],
  ),
  stored<[id: string, doc: string]>(
    `SELECT c.id, c.doc FROM content c
       WHERE ${holds("c")} AND c.id < 'space/' AND c.doc IS NOT NULL ORDER BY c.id`,
    ([id, doc]) => [{ names: { kind: "collection", content: decodeContent(id) }, line: () => doc }],
  ),
  // In the sort key of a space, the id follows fifteen digits and a slash.
  stored<[id: string, doc: string]>(
    `SELECT substr(s.key, 17), s.doc FROM space s WHERE ${holds("s")} ORDER BY s.position`,
    ([id, doc]) => [{ names: { kind: "space", content: contentKey("space", id) }, line: () => doc }],
  ),
  stored<[id: string, title: string]>(
    `SELECT s.id, s.title FROM site s WHERE ${holds("s")} ORDER BY s.id`,
    ([site, title], organization) => [recordOf({ kind: "site", site, organization }, title)],
  ),
  stored<[site: string, space: string]>(
    `SELECT s.site, s.space FROM site_space s WHERE ${holds("s")} ORDER BY s.site, s.space`,
    ([site, space], organization) => [
      recordOf({ kind: "siteSpace", site, content: contentKey("space", space), organization }, ""),
    ],
  ),
  stored<[content: string, member: string, role: number]>(
    `SELECT g.content, m.id, g.role FROM user_grant g CROSS JOIN member m
       WHERE ${holds("g")} AND ${holds("m")} AND m.position = g.position ORDER BY g.position, g.content`,
    ([content, member, role], organization) => [
      recordOf({ kind: "permission", content: decodeContent(content), member, organization }, String(role)),
    ],
  ),
  stored<[content: string, team: string, role: number]>(
    `SELECT g.content, g.team, g.role FROM team_grant g WHERE ${holds("g")} ORDER BY g.content, g.team`,
    ([content, team, role], organization) => [
      recordOf({ kind: "permission", content: decodeContent(content), team, organization }, String(role)),
    ],
  ),
];

/** The record with these names; `says` is as the log has it. */
function recordOf(names: OwnedNames, says: string): StoredRecord {
  return { names, line: () => JSON.stringify(fileRecord(names, says)) };
}

/**
 * The records of an organization at one revision, in blocks; importing their lines changes nothing. `reader` must be a
 * consistent read, because the revision may be deleted during a long export.
 */
export async function* storedRecords(
  reader: Pick<Reader, "stream">,
  at: Revision,
): AsyncGenerator<readonly StoredRecord[]> {
  yield [recordOf({ kind: "organization", organization: at.organization }, at.title)];
  for (const records of STORED) yield* records(reader, at);
}

/** The lines of {@link storedRecords}. */
export async function* exportLines(reader: Pick<Reader, "stream">, at: Revision): AsyncGenerator<string> {
  for await (const block of storedRecords(reader, at)) for (const { line } of block) yield line();
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
