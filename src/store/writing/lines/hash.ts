import { hash } from "node:crypto";
import type { RecordNames } from "../../schema/record-change.ts";

/** The first 64 bits of a line's SHA-256, as two halves. */
export function hashOfLine(text: string): readonly [low: number, high: number] {
  // The digest is a text with one byte per character, because creating millions of buffers would take longer than
  // hashing.
  const digest = hash("sha256", text, "latin1");
  return [wordAt(digest, 0), wordAt(digest, 4)];
}

function wordAt(digest: string, at: number): number {
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  );
}

/** The FNV-1a hash of a record's key, 32 bits. Two keys may have the same hash. */
export function hashOfKey({ kind, member, team, content, site }: RecordNames): number {
  let found = 0x811c9dc5;
  for (const part of [kind, member, team, content, site]) {
    const text = part ?? "";
    for (let index = 0; index < text.length; index++) {
      found = Math.imul(found ^ text.charCodeAt(index), 0x01000193);
    }
    found = Math.imul(found ^ 1, 0x01000193);
  }
  return found >>> 0;
}
