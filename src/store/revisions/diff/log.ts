/** The changed records between two revisions, from the log. */
import { type ChangedRecord, concernsAccess } from "../../../domain/changed-record.ts";
import { type Reader, statement } from "../../engine/engine.ts";
import type { Revision, Reading } from "../../reading.ts";
import {
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  keyOfRecord,
} from "../../../domain/record-change.ts";
import { logged, LOGGED_COLUMNS, type LoggedRow } from "../../rows/log.ts";
import { recordOfRow } from "../../schema/record-change.ts";

/** What is compared: an organization at two revisions. */
export interface TwoReadings {
  readonly before: Reading;
  readonly after: Reading;
}

/** Whether `before` is the later revision, so that the comparison shows changes undone. */
export function isUndone({ before, after }: TwoReadings): boolean {
  return before.at.revision > after.at.revision;
}

const REVISIONS = statement<[revision: number, generation: number]>(
  () => `
    SELECT r.revision, r.generation FROM revision r
      WHERE r.organization = $1 AND r.revision > $2 AND r.revision <= $3 ORDER BY r.revision`,
);

const OF_MEMBERS = statement<LoggedRow>(
  ({ texts, lookUp }) => `
    SELECT ${LOGGED_COLUMNS} FROM ${lookUp(
      texts("$4", "wanted"),
      "record_change",
      "c",
      "c.generation = $1 AND c.member = wanted.value AND c.revision >= $2 AND c.revision <= $3",
      "record_change_of_member",
    )} ORDER BY c.revision, c.number`,
);

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
  for await (const block of logged(reader, generation, earlier + 1, later)) {
    rows += block.length;
    if (rows > most) return undefined;
    for (const row of block) take(found, recordOf(row, earlier));
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
  for (const { generation, first, began } of await logsBetween(reader, earlier, later)) {
    for await (const block of logged(reader, generation, first, later.revision))
      for (const row of block) if (isWanted(row)) yield recordOf(row, began);
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
  for (const { generation, first, began } of await logsBetween(reader, earlier, later)) {
    for (const row of await reader.read(OF_MEMBERS, generation, first, later.revision, users)) {
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
  /** The first revision of this part: 0 for the changes with which a generation begins. */
  readonly first: number;
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
    first: generation === earlier.generation ? earlier.revision + 1 : 0,
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
