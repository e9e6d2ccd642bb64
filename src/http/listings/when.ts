/** Listings of past revisions, under `/at/WHEN` (contract, section 10). */
import { ApiError } from "../../domain/error.ts";
import { parseWhen, type SpeltWhen, WHEN_ACCEPTS } from "../../domain/date.ts";
import type { Revision } from "../../store/reading.ts";
import { type Organization, revisionAt, unreadable } from "../../store/revisions/past.ts";
import type { Registry } from "../../store/revisions/registry.ts";
import { revisionFor } from "../../store/store.ts";
import { quote } from "../request/query.ts";

/** The prefix of these listings' paths, for templates. */
export const AT = "/at/{when}";

/** Parses WHEN, the decoded path segment. Throws 400 if it is malformed. */
export function whenOf(spelt: string | undefined): SpeltWhen | undefined {
  if (spelt === undefined) return undefined;
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw new ApiError("badRequest", `The path names the revision ${quote(spelt)}; accepted: ${WHEN_ACCEPTS}.`);
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
