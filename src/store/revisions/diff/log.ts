/** The changed records between two revisions, from the log, and which of them can change an effective role. */
import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { limit } from "../../../sets/limit.ts";
import { type Reader, statement } from "../../engine/engine.ts";
import type { Revision, Reading } from "../../reading.ts";
import {
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  accessFieldsOf,
  keyOfRecord,
} from "../../../domain/record-change.ts";
import { type RecordRow, recordColumns, recordOfRow } from "../../schema/record-change.ts";

/** The kinds of records that say something about access. */
export const ACCESS_KINDS = ["member", "teamMember", "collection", "space", "permission"] as const;

/** What is compared: an organization at two revisions. */
export interface TwoReadings {
  readonly before: Reading;
  readonly after: Reading;
}

/** Whether `before` is the later revision, so that the comparison shows changes undone. */
export function isUndone({ before, after }: TwoReadings): boolean {
  return before.at.revision > after.at.revision;
}

/** Sorts what belongs to the two sides by time. */
export function inTime<Value>(sides: TwoReadings, had: Value, has: Value): [earlier: Value, later: Value] {
  return isUndone(sides) ? [has, had] : [had, has];
}

/** A record that differs between two revisions. */
export interface ChangedRecord extends RecordChange {
  /** The last revision that changed the record; of a record that affects access, what the record says about access. */
  readonly revision: number;
  /** The first revision that changed the record in this way: the revision that added a record which was missing before. */
  readonly first: number;
}

/** The order of causes: by revision, then by kind and ids of the record. */
export function compareCauses(a: ChangedRecord, b: ChangedRecord): number {
  return (
    a.revision - b.revision ||
    RECORD_KINDS.indexOf(a.kind) - RECORD_KINDS.indexOf(b.kind) ||
    compareIds(a.content ?? "", b.content ?? "") ||
    compareIds(a.team ?? "", b.team ?? "") ||
    compareIds(a.member ?? "", b.member ?? "") ||
    compareIds(a.site ?? "", b.site ?? "")
  );
}

/** Whether a record is of a kind that says something about access, and its change can change an effective role. */
export function isEvent(record: ChangedRecord): boolean {
  return ACCESS_KINDS.some((kind) => kind === record.kind) && concernsAccess(record);
}

/** Whether a changed member, membership, content or permission can change an effective role. */
export function concernsAccess({ kind, was, becomes }: ChangedRecord): boolean {
  if (was === undefined || becomes === undefined) return true;
  if (kind === "teamMember") return false;
  if (kind !== "collection" && kind !== "space") return true;
  const [old, now] = [accessFieldsOf(was), accessFieldsOf(becomes)];
  return old.parent !== now.parent || old.defaultLevel !== now.defaultLevel;
}

const REVISIONS = statement<[revision: number, generation: number]>(
  () => `
    SELECT r.revision, r.generation FROM revision r
      WHERE r.organization = $1 AND r.revision > $2 AND r.revision <= $3 ORDER BY r.revision`,
);

type LoggedRow = [revision: number, ...record: RecordRow];

const COLUMNS = `c.revision, ${recordColumns("c")}`;
const RECORDS = statement<[number: number, ...LoggedRow]>(
  () => `
    SELECT c.number, ${COLUMNS} FROM record_change c
      WHERE c.generation = $1 AND (c.revision, c.number) > ($2, $3) AND c.revision <= $4
      ORDER BY c.revision, c.number LIMIT $5`,
);
/** How many records one statement reads: others wait for it. */
const RECORDS_PER_READ = limit("log.block", 500);
/** More than every number in the log. */
const LAST_NUMBER = Number.MAX_SAFE_INTEGER;

/** The log of a generation after one revision and up to another, in order. */
export async function* logRows(
  reader: Pick<Reader, "read">,
  generation: number,
  after: number,
  upTo: number,
): AsyncGenerator<LoggedRow> {
  for (let from: [number, number] | undefined = [after, LAST_NUMBER]; from !== undefined;) {
    const rows: [number, ...LoggedRow][] = await reader.read(
      RECORDS,
      generation,
      ...from,
      upTo,
      RECORDS_PER_READ,
    );
    for (const [, ...row] of rows) yield row;
    const last = rows.length < RECORDS_PER_READ ? undefined : rows.at(-1);
    from = last && [last[1], last[0]];
  }
}
const OF_MEMBERS = statement<LoggedRow>(
  ({ texts, lookUp }) => `
    SELECT ${COLUMNS} FROM ${lookUp(
      texts("$4", "wanted"),
      "record_change",
      "c",
      "c.generation = $1 AND c.member = wanted.value AND c.revision > $2 AND c.revision <= $3",
      "record_change_of_member",
    )} ORDER BY c.revision, c.number`,
);

/** Less than every revision in the log. The changes with which a generation begins are logged under revision 0. */
const BEFORE_ALL = -1;

/**
 * The records of the given kinds that differ between two revisions of an organization. A record that changed and
 * changed back is not included.
 */
export async function changedRecords(
  reader: Pick<Reader, "read">,
  earlier: Revision,
  later: Revision,
  kinds: readonly RecordKind[] = RECORD_KINDS,
): Promise<ChangedRecord[]> {
  const found = new Map<string, ChangedRecord>();
  for await (const record of loggedRecords(reader, earlier, later, kinds)) take(found, record);
  return [...found.values()];
}

/**
 * The records that differ between two revisions of one generation; `undefined` if the log has more than `most` rows in
 * between.
 */
export async function shortLog(
  reader: Pick<Reader, "read">,
  generation: number,
  earlier: number,
  later: number,
  most: number,
): Promise<RecordChange[] | undefined> {
  const found = new Map<string, ChangedRecord>();
  let rows = 0;
  for await (const row of logRows(reader, generation, earlier, later)) {
    if (++rows > most) return undefined;
    take(found, recordOf(row, earlier));
  }
  return [...found.values()];
}

/** The logged changes of records of the given kinds, after revision `earlier` and up to `later`, in order. */
export async function* loggedRecords(
  reader: Pick<Reader, "read">,
  earlier: Revision,
  later: Revision,
  kinds: readonly RecordKind[] = RECORD_KINDS,
): AsyncGenerator<ChangedRecord> {
  const isWanted = among(kinds);
  for (const { generation, after, began } of await logsBetween(reader, earlier, later)) {
    for await (const row of logRows(reader, generation, after, later.revision))
      if (isWanted(row)) yield recordOf(row, began);
  }
}

/** The logged changes of the given users' records, of the given kinds, after revision `earlier` and up to `later`. */
export async function loggedRecordsOf(
  reader: Pick<Reader, "read">,
  earlier: Revision,
  later: Revision,
  users: readonly string[],
  kinds: readonly RecordKind[],
): Promise<ChangedRecord[]> {
  const isWanted = among(kinds);
  const found: ChangedRecord[] = [];
  for (const { generation, after, began } of await logsBetween(reader, earlier, later)) {
    for (const row of await reader.read(OF_MEMBERS, generation, after, later.revision, users)) {
      if (isWanted(row)) found.push(recordOf(row, began));
    }
  }
  return found;
}

function among(kinds: readonly RecordKind[]): (row: LoggedRow) => boolean {
  const wanted = new Set(kinds.map((kind) => RECORD_KINDS.indexOf(kind)));
  return ([, kind]) => wanted.has(kind);
}

/** The part of a generation's log that lies between two revisions. */
interface LogPart {
  readonly generation: number;
  /** The last revision before this part. */
  readonly after: number;
  /** The generation's first revision. */
  readonly began: number;
}

async function logsBetween(
  reader: Pick<Reader, "read">,
  earlier: Revision,
  later: Revision,
): Promise<LogPart[]> {
  const revisions = await reader.read(REVISIONS, earlier.organization, earlier.revision, later.revision);
  const first = new Map<number, number>();
  for (const [revision, generation] of revisions) {
    if (!first.has(generation)) first.set(generation, revision);
  }
  return [...first].map(([generation, began]) => ({
    generation,
    after: generation === earlier.generation ? earlier.revision : BEFORE_ALL,
    began,
  }));
}

function recordOf([revision, ...record]: LoggedRow, began: number): ChangedRecord {
  const at = revision === 0 ? began : revision;
  return { ...recordOfRow(record), revision: at, first: at };
}

function take(found: Map<string, ChangedRecord>, record: ChangedRecord): void {
  const key = keyOfRecord(record);
  const known = found.get(key);
  if (known === undefined) found.set(key, record);
  else if (known.was === record.becomes) found.delete(key);
  else found.set(key, { ...record, was: known.was, ...revisionsOf(known, record) });
}

/** The revisions of a record that changed again. A new title or date does not count if an earlier change affects access. */
function revisionsOf(known: ChangedRecord, record: ChangedRecord): Pick<ChangedRecord, "first" | "revision"> {
  const { first, revision } = known;
  if (concernsAccess(known) && !concernsAccess(record)) return { first, revision };
  return {
    first: concernsAccess(known) || !concernsAccess(record) ? first : record.first,
    revision: record.revision,
  };
}

/** Changed records that can change an effective role. */
export class AccessChanges {
  /** The members who joined or left, or whose organization role changed, by user id. */
  readonly people = new Map<string, ChangedRecord>();
  /** The contents that were added, removed or moved, or whose default level changed. */
  readonly contents = new Map<ContentKey, ChangedRecord>();
  /** The permissions and team memberships of each user, by user id. */
  readonly own = new Map<string, ChangedRecord[]>();
  /** The permissions of teams, by content. */
  readonly grants = new Map<ContentKey, ChangedRecord[]>();

  /** Leaves out records that cannot change an effective role. */
  constructor(records: readonly ChangedRecord[]) {
    for (const record of records) if (isEvent(record)) this.#add(record);
  }

  #add(record: ChangedRecord): void {
    const { kind, member, content } = record;
    if (kind === "member") this.people.set(member ?? "", record);
    else if (member !== undefined) append(this.own, member, record);
    else if (content !== undefined) {
      if (kind === "permission") append(this.grants, content, record);
      else this.contents.set(content, record);
    }
  }

  /** The users whose own records changed. */
  get users(): ReadonlySet<string> {
    return new Set([...this.people.keys(), ...this.own.keys()]);
  }

  /** Whether a change of the content itself, or of a team's permission there, may concern everybody. */
  isOn(content: ContentKey): boolean {
    return this.contents.has(content) || this.grants.has(content);
  }

  /** The changes of a content itself and of the permissions of teams there. */
  *on(content: ContentKey): Generator<ChangedRecord> {
    const own = this.contents.get(content);
    if (own !== undefined) yield own;
    yield* this.grants.get(content) ?? [];
  }

  /** The contents on which {@link isOn} is true. */
  get changedContents(): ContentKey[] {
    return [...new Set([...this.contents.keys(), ...this.grants.keys()])];
  }
}

function append<Key>(to: Map<Key, ChangedRecord[]>, key: Key, record: ChangedRecord): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [record]);
  else known.push(record);
}

export async function accessChanges(
  reader: Reader,
  earlier: Revision,
  later: Revision,
): Promise<AccessChanges> {
  return new AccessChanges(await changedRecords(reader, earlier, later, ACCESS_KINDS));
}
