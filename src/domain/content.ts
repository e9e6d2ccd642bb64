import type { Role } from "./role.ts";

/** Content is a space or a collection (contract, section 1). */
export type ContentKind = "space" | "collection";

/**
 * Identifies a content within its organization. A space and a collection may have the same id, so the key
 * begins with the kind.
 */
export type ContentKey = `${ContentKind}/${string}`;

/**
 * The role that a content gives to members without a permission on it, `null` for none, or `inherit` for what
 * its parent gives.
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
