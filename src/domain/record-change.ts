/**
 * A changed record: its kind, its names, and what it says besides, before and after. Everything that changes records or
 * compares them has them in this form: change files and imports, the guard and the preview, the log, and the differences
 * between revisions.
 *
 * What a record says besides its names is one text:
 *
 * - of an organization, the title;
 * - of a user, a team, a collection, a space or a site, the JSON document without default values;
 * - of a member or a permission, the rank of the role, `0` for a guest and for no access to a site;
 * - of a team member, the role in the team;
 * - of a space on a site, nothing.
 */
import { type ContentKey, contentKey, type DefaultLevel } from "./content.ts";

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

/** The key of a record in its organization. A permission is of a member or a team, on a content or a site. */
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

/** The content of a record that names one. */
export function contentIn({ kind, content }: RecordNames): ContentKey {
  if (content === undefined) throw new TypeError(`A changed ${kind} names no content.`);
  return content;
}

/** The user, team or site of a record that names one. */
export function memberIn({ member = "" }: RecordNames): string {
  return member;
}

export function teamIn({ team = "" }: RecordNames): string {
  return team;
}

export function siteIn({ site = "" }: RecordNames): string {
  return site;
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

/** What a site says. */
export function siteDocument({
  title,
  defaultLevel = "inherit",
}: Pick<ContentDocument, "title" | "defaultLevel">): string {
  return JSON.stringify({ title, ...(defaultLevel === "inherit" ? {} : { defaultLevel }) });
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

/** The title in the document of a team, a space, a collection or a site. */
export function titleIn(document: string): string {
  const { title }: { title: string } = JSON.parse(document);
  return title;
}
