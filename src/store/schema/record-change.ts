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
import { type ContentKey, contentKey, type DefaultLevel } from "../../domain/content.ts";
import { decodeContent } from "./encoding.ts";

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

/** The fields of a space or collection that affect access, and the title. */
export interface AccessFields {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
}

interface StoredContent {
  readonly title: string;
  readonly parent?: string;
  readonly defaultLevel?: DefaultLevel;
}

/** Parses what a changed space or collection says. */
export function accessFieldsOf(document: string): AccessFields {
  const { title, parent, defaultLevel = "inherit" }: StoredContent = JSON.parse(document);
  return {
    title,
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    defaultLevel,
  };
}
