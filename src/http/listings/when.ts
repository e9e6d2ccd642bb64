/** The past under `/at/WHEN` (contract, section 10). */
import { ApiError } from "../../domain/error.ts";
import { parseWhen, type SpeltWhen, WHEN_ACCEPTS } from "../../domain/text/when.ts";
import type { Revision } from "../../store/reading.ts";
import type { Organization, Registry } from "../../store/revisions/registry.ts";
import { revisionAt, unreadable } from "../../store/revisions/when.ts";
import { revisionFor } from "../../store/store.ts";
import { quote } from "../query.ts";

/** What stands before `/v1` where the past is asked, as an OpenAPI path template. */
export const AT = "/at/{when}";

/** WHEN of a request, decoded; `undefined` where it asks for now. Throws 400 for a malformed one. */
export function whenOf(spelt: string | undefined): SpeltWhen | undefined {
  if (spelt === undefined) return undefined;
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw new ApiError(
    "badRequest",
    `The path asks for what held at ${quote(spelt)}; accepted: ${WHEN_ACCEPTS}.`,
  );
}

/**
 * The revision that a page is read from. `begun` is the one that the walk began on, absent for a first page. Throws 404
 * where the past is asked and that revision cannot be read.
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
