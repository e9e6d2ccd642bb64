import type { Role } from "./role.ts";

export type ContentKind = "space" | "collection";

/**
 * Identifies a content within its organization. The key begins with the kind, because a space and a collection may have
 * the same id.
 */
export type ContentKey = `${ContentKind}/${string}`;

/**
 * The role that a content gives to members without a permission on it. `null` gives none; `inherit` gives what the
 * parent gives.
 */
export type DefaultLevel = Role | "inherit" | null;

export function contentKey(kind: ContentKind, id: string): ContentKey {
  return `${kind}/${id}`;
}

export function kindOf(key: ContentKey): ContentKind {
  return key.startsWith("space/") ? "space" : "collection";
}

export function idOf(key: ContentKey): string {
  return key.slice(key.indexOf("/") + 1);
}

/** Milliseconds from year 0 to 1970. Added to a time of creation, so that the sum is not negative. */
const YEAR_ZERO = 62_167_219_200_000;

/**
 * The sort key of a space: time of creation, in milliseconds since 1970, then id, as one text. So tables and page
 * identifiers can use it like an id. The years are 0 to 9999.
 */
export function sortKeyOf(created: number, space: string): string {
  return `${String(created + YEAR_ZERO).padStart(15, "0")}/${space}`;
}

/** When the space with this sort key was created, in milliseconds since 1970. */
export function createdIn(sortKey: string): number {
  return Number(sortKey.slice(0, sortKey.indexOf("/"))) - YEAR_ZERO;
}

/** The id of the space with this sort key. */
export function spaceOfKey(sortKey: string): string {
  return sortKey.slice(sortKey.indexOf("/") + 1);
}

/** The maximum depth of nested collections (docs/snapshot.md). */
export const DEEPEST = 32;
