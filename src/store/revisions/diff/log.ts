/** The changed records between two revisions, from the log. */
import { type ChangedRecord, concernsAccess } from "../../../domain/changed-record.ts";
import { limit } from "../../limit.ts";
import { type Reader, statement } from "../../engine/engine.ts";
import type { Revision, Reading } from "../../reading.ts";
import {
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  keyOfRecord,
} from "../../../domain/record-change.ts";
import { type RecordRow, recordColumns, recordOfRow } from "../../schema/record-change.ts";

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
