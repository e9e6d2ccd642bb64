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

/** The maximum depth of nested collections (docs/snapshot.md). */
export const DEEPEST = 32;
