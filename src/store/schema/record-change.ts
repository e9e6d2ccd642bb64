/**
 * A changed record: its kind, its names, and what it says besides, before and after. Everything that changes records or
 * compares them has them in this form: change files and imports, the guard and the preview, the log, and the differences
 * between revisions.
 *
 * What a record says besides its names is one text:
 *
 * - of an organization or a site, the title;
 * - of a user, a team, a collection or a space, the JSON document without default values;
 * - of a member or a permission, the rank of the role, `0` for a guest;
 * - of a team member, the role in the team;
 * - of a space on a site, nothing.
 */
import { type ContentKey, contentKey, type DefaultLevel, idOf, kindOf } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { decodeContent, encodeDefaultLevel, sortKeyOf } from "./encoding.ts";

/** The kinds of records, in the order in which an import prints them. The log stores a kind as its index. */
export const RECORD_KINDS = [
  "organization",
  "user",
  "member",
  "team",
  "teamMember",
  "collection",
  "space",
  "site",
  "siteSpace",
  "permission",
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

/** The key of a record in its organization. A permission has either a member or a team. */
export interface RecordNames {
  readonly kind: RecordKind;
  readonly member?: string | undefined;
  readonly team?: string | undefined;
  readonly content?: ContentKey | undefined;
  readonly site?: string | undefined;
}

export interface RecordChange extends RecordNames {
  /** What the record said; `undefined` if it did not exist. */
  readonly was: string | undefined;
  /** What the record says now; `undefined` if it no longer exists. */
  readonly becomes: string | undefined;
}

/** The names of a record as one text. */
export function keyOfRecord({ kind, member, team, content, site }: RecordNames): string {
  // No id has a line break.
  return [kind, member, team, content, site].join("\n");
}

/** SQL: the columns of a {@link RecordRow}, from the log or the staged differences. */
export function recordColumns(alias: string): string {
  const columns = ["kind", "member", "team", "content", "site", "was", "becomes"];
  return columns.map((column) => `${alias}.${column}`).join(", ");
}

export type RecordRow = [
  kind: number,
  member: string | null,
  team: string | null,
  content: string | null,
  site: string | null,
  was: string | null,
  becomes: string | null,
];

export function recordOfRow([kind, member, team, content, site, was, becomes]: RecordRow): RecordChange {
  const name = RECORD_KINDS[kind];
  if (name === undefined) throw new TypeError(`The database holds the kind of record ${kind}.`);
  return {
    kind: name,
    member: member ?? undefined,
    team: team ?? undefined,
    content: content === null ? undefined : decodeContent(content),
    site: site ?? undefined,
    was: was ?? undefined,
    becomes: becomes ?? undefined,
  };
}

export function rowOfRecord({ kind, member, team, content, site, was, becomes }: RecordChange): RecordRow {
  return [
    RECORD_KINDS.indexOf(kind),
    member ?? null,
    team ?? null,
    content ?? null,
    site ?? null,
    was ?? null,
    becomes ?? null,
  ];
}

/** The content of a record that names one. */
export function contentIn({ kind, content }: RecordNames): ContentKey {
  if (content === undefined) throw new TypeError(`A changed ${kind} names no content.`);
  return content;
}

/** The fields of a space or collection that affect access, and the title. */
export interface AccessFields {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
}

/** The fields of a content's document that tables have apart from the document. */
export interface ContentDocument {
  readonly title: string;
  readonly parent?: string | undefined;
  readonly defaultLevel?: DefaultLevel | undefined;
  readonly createdAt?: string;
  readonly visibility?: string | undefined;
  readonly emoji?: string | undefined;
}

/** Parses what a changed space or collection says. */
export function accessFieldsOf(document: string): AccessFields {
  const { title, parent, defaultLevel = "inherit" }: ContentDocument = JSON.parse(document);
  return {
    title,
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    defaultLevel,
  };
}

/** The title in the document of a team, a space or a collection. */
export function titleIn(document: string): string {
  const { title }: { title: string } = JSON.parse(document);
  return title;
}

/** A space or a collection as the tables have it. */
export interface ContentRecord {
  readonly parent: ContentKey | undefined;
  readonly title: string;
  /** The default level, as `encodeDefaultLevel` encodes it. */
  readonly level: number;
  /** The sort key of a space; `undefined` for a collection. */
  readonly key: string | undefined;
  /** The JSON document without default values. */
  readonly doc: string;
  /** One bit for each field of a space that has its default value. */
  readonly omitted: number;
  /** What the explorer shows of a space beside its title: visibility and emoji. */
  readonly look: string;
}

/** What the tables have of a content, by its document, which `text` and `fields` both hold. */
export function contentRecord(
  content: ContentKey,
  { text, omitted }: Document,
  fields: ContentDocument,
): ContentRecord {
  const {
    title,
    parent,
    defaultLevel = "inherit",
    createdAt = "",
    visibility = "private",
    emoji = "",
  } = fields;
  const isSpace = kindOf(content) === "space";
  const shown = emoji === "" ? visibility : `${visibility} ${emoji}`;
  return {
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    title,
    level: encodeDefaultLevel(defaultLevel),
    key: isSpace ? sortKeyOf(createdAt, idOf(content)) : undefined,
    doc: text,
    omitted,
    look: isSpace ? shown : "",
  };
}

/** How many records of a kind an import or a change adds, changes and removes. */
export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
}

export function ofEachKind<Value>(of: (kind: RecordKind) => Value): Record<RecordKind, Value> {
  return {
    organization: of("organization"),
    user: of("user"),
    member: of("member"),
    team: of("team"),
    teamMember: of("teamMember"),
    collection: of("collection"),
    space: of("space"),
    site: of("site"),
    siteSpace: of("siteSpace"),
    permission: of("permission"),
  };
}
