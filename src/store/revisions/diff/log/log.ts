/** Reads the log of changed records between two revisions. */
import { compareIds } from "../../../../domain/id.ts";
import { type Reader, statement } from "../../../engine/engine.ts";
import {
  accessFieldsOf,
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  recordColumns,
  type RecordKind,
  recordOfRow,
  type RecordRow,
} from "../../../schema/record-change.ts";
import type { Revision } from "../../../reading.ts";

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

type Row = [revision: number, ...record: RecordRow];

const COLUMNS = `c.revision, ${recordColumns("c")}`;
const RECORDS = statement<Row>(
  () => `
    SELECT ${COLUMNS} FROM record_change c
      WHERE c.generation = $1 AND c.revision > $2 AND c.revision <= $3 ORDER BY c.revision, c.number`,
);
const OF_MEMBERS = statement<Row>(
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
  reader: Pick<Reader, "read" | "stream">,
  earlier: Revision,
  later: Revision,
  kinds: readonly RecordKind[] = RECORD_KINDS,
): Promise<ChangedRecord[]> {
  const found = new Map<string, ChangedRecord>();
  for await (const record of loggedRecords(reader, earlier, later, kinds)) take(found, record);
  return [...found.values()];
}

/** The logged changes of records of the given kinds, after revision `earlier` and up to `later`, in order. */
export async function* loggedRecords(
  reader: Pick<Reader, "read" | "stream">,
  earlier: Revision,
  later: Revision,
  kinds: readonly RecordKind[] = RECORD_KINDS,
): AsyncGenerator<ChangedRecord> {
  const isWanted = among(kinds);
  for (const { generation, after, began } of await logsBetween(reader, earlier, later)) {
    for await (const row of reader.stream(RECORDS, generation, after, later.revision)) {
      if (isWanted(row)) yield recordOf(row, began);
    }
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

function among(kinds: readonly RecordKind[]): (row: Row) => boolean {
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

function recordOf([revision, ...record]: Row, began: number): ChangedRecord {
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
