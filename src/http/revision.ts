/** Which revision a request reads (docs/past.md), and what its answer says about it (docs/api.md). */
import { hash } from "node:crypto";
import { parseWhen, type SpeltWhen, WHEN_ACCEPTS } from "../domain/date.ts";
import { ApiError } from "../domain/error.ts";
import { DeletedError } from "../store/models.ts";
import type { Revision } from "../store/reading.ts";
import type { Organization } from "../store/revisions/past.ts";
import type { Registry } from "../store/revisions/registry.ts";
import { revisionAt, unreadable } from "../store/revisions/past.ts";
import { revisionFor } from "../store/store.ts";
import { quote } from "../domain/text.ts";
import type { Service } from "./service.ts";

/** The prefix of these listings' paths, for templates. */
export const AT = "/at/{when}";

/** Parses WHEN, by default the decoded path segment. Throws 400, which begins with `where`, if it is malformed. */
export function whenOf(
  spelt: string | undefined,
  where = "The path names the revision",
): SpeltWhen | undefined {
  if (spelt === undefined) return undefined;
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw new ApiError("badRequest", `${where} ${quote(spelt)}; accepted: ${WHEN_ACCEPTS}.`);
}

/**
 * The revision to read. `begun` is the revision on which the walk began; absent on a first page. Throws 404 if a
 * requested past revision cannot be read.
 */
export async function revisionAsked(
  { past }: Registry,
  organization: Organization,
  when: SpeltWhen | undefined,
  begun: number | undefined,
): Promise<Revision> {
  if (when === undefined) return revisionFor(past, organization, begun);
  if (begun === undefined) return revisionAt(past, organization, when);
  if (begun === organization.current.revision) return organization.current;
  const found = await past.byNumber(organization, begun);
  if (found === undefined) throw await unreadable(past, organization, String(begun));
  return found;
}

/**
 * Whether a revision was kept during a read. If not, its rows may have been deleted, and the read may have missed some.
 */
export async function isKept(
  { store }: Service,
  { organization: id, revision, history }: Revision,
): Promise<boolean> {
  const organization = await store.registry.organization(id);
  if (organization?.current.history !== history) return false;
  return organization.earliest <= revision && revision <= organization.current.revision;
}

/**
 * `undefined` for what a read throws because its revision was deleted meanwhile; throws everything else. The next look-up
 * of the organization then asks the database: what this process knew of it is out of date.
 */
export function unlessDeleted({ store }: Service, organization: string): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof DeletedError)) throw error;
    store.engine.noteChange(organization);
  };
}

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

/** The headers of an answer from a revision (docs/api.md). */
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
