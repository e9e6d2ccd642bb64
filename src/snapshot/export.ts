/**
 * What is stored, as the lines of a snapshot file: an organization at a revision, records of any source with the end
 * record, single records that differ, and change files.
 */
import { idOf, kindOf } from "../domain/content.ts";
import { listIn, type Lists, MEMBERSHIP, PERMISSION, valueIn } from "../model/lists.ts";
import { ROLE } from "../model/code.ts";
import { keyOf, memberId, type Model, siteText } from "../model/model.ts";
import { textOf } from "../model/texts.ts";
import { decodeMemberRole } from "../store/schema/encoding.ts";
import type { RecordChange, RecordNames } from "../domain/record-change.ts";
import type { RecordDifference } from "../store/writing/organization-change.ts";
import type { SnapshotRecord } from "./records.ts";

/**
 * The lines of all records of an organization, always in the same order (docs/snapshot.md); importing them changes
 * nothing.
 */
export function* exportLines(model: Model): Generator<string> {
  const { organization, members, teams, contents, sites } = model;
  const line = (names: RecordNames, says: string) =>
    JSON.stringify(fileRecord({ ...names, organization: organization.id }, says));
  yield line({ kind: "organization" }, organization.title);
  for (let x = 0; x < members.count; x++) yield textOf(members.profiles, x);
  for (let x = 0; x < members.count; x++)
    yield line({ kind: "member", member: memberId(model, x) }, String(members.roles[x]));
  for (const [x, team] of teams.ids.entries()) yield line({ kind: "team", team }, teams.texts[x] ?? "");
  for (const [x, team] of teams.ids.entries()) {
    for (const member of listIn(teams.members, x)) {
      const isOwner = valueIn(members.teams, member, x, MEMBERSHIP) === 1;
      const names = { kind: "teamMember", team, member: memberId(model, member) } as const;
      yield line(names, isOwner ? "owner" : "member");
    }
  }
  // Collections, then spaces.
  for (const x of contents.byKey) yield textOf(contents.texts, x);
  for (const [x, site] of sites.ids.entries()) yield line({ kind: "site", site }, siteText(sites, x));
  for (const [x, site] of sites.ids.entries()) {
    for (const space of listIn(sites.spaces, x))
      yield line({ kind: "siteSpace", site, content: keyOf(model, space) }, "");
  }
  const given = (on: Pick<RecordNames, "content" | "site">, { users, teams: to }: Given, x: number) => [
    ...permissionsIn(users, x).map(([member, rank]) =>
      line({ kind: "permission", ...on, member: memberId(model, member) }, rank),
    ),
    ...permissionsIn(to, x).map(([team, rank]) =>
      line({ kind: "permission", ...on, team: teams.ids[team] }, rank),
    ),
  ];
  for (const x of contents.byKey) yield* given({ content: keyOf(model, x) }, contents, x);
  for (const [x, site] of sites.ids.entries()) yield* given({ site }, sites, x);
}

type Given = Pick<Model["sites"], "users" | "teams">;

/** The members or teams with a permission on a content or a site, ascending, with its rank. */
function permissionsIn(lists: Lists, x: number): (readonly [number: number, rank: string])[] {
  const entries = Array.from(listIn(lists, x)).sort((a, b) => a - b);
  return entries.map((entry) => [entry >>> PERMISSION, String(entry & ROLE)]);
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

/** Lines with their ends, and how many there are. */
interface Piece {
  readonly text: string;
  readonly lines: number;
}

/** In characters. A piece of this length is made in well under a millisecond. */
const PIECE = 1 << 15;

/** Lines in pieces: to write each by itself takes longer than to make it. */
export async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<Piece> {
  let [text, count] = ["", 0];
  for await (const line of lines) {
    text += `${line}\n`;
    count++;
    if (text.length < PIECE) continue;
    yield { text, lines: count };
    [text, count] = ["", 0];
  }
  yield { text, lines: count };
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
  const on = content === undefined ? { site } : { [kindOf(content)]: idOf(content) };
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
      return { ...names, organization, ...documentOf(says) };
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
