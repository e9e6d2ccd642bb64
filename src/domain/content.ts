import type { Role } from "./role.ts";

/** Content is a space or a collection (contract, section 1). */
export type ContentKind = "space" | "collection";

/** Names one content within its organization: spaces and collections may share an id, so the kind leads. */
export type ContentKey = `${ContentKind}/${string}`;

/**
 * What a content grants to members without a permission on it: a role, nothing (`null`), or what its parent grants
 * (`inherit`).
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
