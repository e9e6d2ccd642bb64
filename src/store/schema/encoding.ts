/** How roles and contents are stored. */
import type { ContentKey } from "../../domain/content.ts";
import { type Role, rank, roleOf } from "../../domain/role.ts";

/** The code of a guest. */
const GUEST = 0;

/** The code of an organization role, its rank; `null` is a guest's. */
export function encodeMemberRole(role: Role | null): number {
  return role === null ? GUEST : rank(role);
}

export function decodeMemberRole(code: number): Role | null {
  return code === GUEST ? null : roleOf(code);
}

/** Narrows a stored content key to its type. Throws a TypeError for any other text. */
export function decodeContent(text: string): ContentKey {
  if (isContentKey(text)) return text;
  throw new TypeError(`The database holds ${JSON.stringify(text)} where a content key belongs.`);
}

function isContentKey(text: string): text is ContentKey {
  return text.startsWith("space/") || text.startsWith("collection/");
}
