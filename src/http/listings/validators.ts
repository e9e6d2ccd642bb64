import { hash } from "node:crypto";
import type { Revision } from "../../store/reading.ts";

/**
 * The ETag of a listing covers all that its answer depends on besides the request: the revision, the program's version
 * and the public URL. The time of the import is part of it, because after a restored backup a revision number may be
 * assigned again.
 */
export function etagOf(
  { revision, importedAt, erasures }: Revision,
  version: string,
  publicUrl: string,
): string {
  return `"${hash("sha256", JSON.stringify([revision, importedAt, erasures, version, publicUrl]), "base64url").slice(0, 22)}"`;
}

/** The headers of an answer from a revision (contract, section 5). */
export function headersOf({ revision, importedAt }: Revision, etag: string): Record<string, string> {
  return {
    etag,
    "x-rolebook-revision": String(revision),
    "last-modified": new Date(importedAt).toUTCString(),
    "cache-control": "private, no-cache",
    vary: "Authorization",
  };
}

interface Validators {
  readonly version: string;
  readonly publicUrl: string;
  readonly etag: string;
  /** Header names and values in turn. */
  readonly headers: readonly string[];
}

const computed = new WeakMap<Revision, Validators>();

/** {@link etagOf} and {@link headersOf}, computed once for each revision. */
export function validatorsOf(at: Revision, version: string, publicUrl: string): Validators {
  const known = computed.get(at);
  if (known?.version === version && known.publicUrl === publicUrl) return known;
  const etag = etagOf(at, version, publicUrl);
  const made = { version, publicUrl, etag, headers: Object.entries(headersOf(at, etag)).flat() };
  computed.set(at, made);
  return made;
}

/** Whether an `If-None-Match` header matches an ETag, by weak comparison. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((each) => each.trim().replace(/^W\//, "") === etag);
}
