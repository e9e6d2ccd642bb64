/** Reads the log of changed records between two revisions. */
import { type ContentKey, contentKey, type DefaultLevel } from "../../../../domain/content.ts";
import { compareIds } from "../../../../domain/id.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import { type Reader, statement } from "../../../engine/engine.ts";
import { type CountedKind, KINDS } from "../../../writing/generation/difference.ts";
import type { Revision } from "../../../reading.ts";

/** A record that differs between two revisions. */
export interface ChangedRecord {
  readonly kind: CountedKind;
  readonly member: string | undefined;
  readonly team: string | undefined;
  readonly content: ContentKey | undefined;
  readonly site: string | undefined;
  /** The fields of the record other than its key, at the earlier revision; `undefined` if the record did not exist. */
  readonly was: string | undefined;
  /** The fields of the record other than its key, at the later revision; `undefined` if the record no longer exists. */
  readonly becomes: string | undefined;
  /** The last revision that changed the record; of a record that affects access, what the record says about access. */
  readonly revision: number;
  /** The first revision that changed the record in this way: the revision that added a record which was missing before. */
  readonly first: number;
}

export type RecordNames = Pick<ChangedRecord, "kind" | "member" | "team" | "content" | "site">;

export function keyOfRecord({ kind, member, team, content, site }: RecordNames): string {
  // No id has a line break.
  return [kind, member, team, content, site].join("\n");
}

/** The order of causes: by revision, then by kind and ids of the record. */
export function compareCauses(a: ChangedRecord, b: ChangedRecord): number {
  return (
    a.revision - b.revision ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    compareIds(a.content ?? "", b.content ?? "") ||
    compareIds(a.team ?? "", b.team ?? "") ||
    compareIds(a.member ?? "", b.member ?? "") ||
    compareIds(a.site ?? "", b.site ?? "")
  );
}

/** The fields of a space or collection that affect access, and the title. */
export interface AccessFields {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
}

/** Parses the logged document of a space or collection. */
export function accessFieldsOf(document: string): AccessFields {
  const { title, parent, defaultLevel = "inherit" }: StoredContent = JSON.parse(document);
  return {
    title,
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    defaultLevel,
  };
}

interface StoredContent {
  readonly title: string;
  readonly parent?: string;
  readonly defaultLevel?: DefaultLevel;
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

type Row = [
  revision: number,
  kind: number,
  member: string | null,
  team: string | null,
  content: string | null,
  site: string | null,
  was: string | null,
  becomes: string | null,
];

const COLUMNS = "c.revision, c.kind, c.member, c.team, c.content, c.site, c.was, c.becomes";
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
  kinds: readonly CountedKind[] = KINDS,
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
  kinds: readonly CountedKind[] = KINDS,
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
  kinds: readonly CountedKind[],
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

function among(kinds: readonly CountedKind[]): (row: Row) => boolean {
  const wanted = new Set(kinds.map((kind) => KINDS.indexOf(kind)));
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

function recordOf(
  [revision, kind, member, team, content, site, was, becomes]: Row,
  began: number,
): ChangedRecord {
  const name = KINDS[kind];
  if (name === undefined) throw new TypeError(`The log of changes holds the kind ${kind}.`);
  const at = revision === 0 ? began : revision;
  return {
    kind: name,
    member: member ?? undefined,
    team: team ?? undefined,
    content: content === null ? undefined : decodeContent(content),
    site: site ?? undefined,
    was: was ?? undefined,
    becomes: becomes ?? undefined,
    revision: at,
    first: at,
  };
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
