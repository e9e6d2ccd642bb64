/** Resolves WHEN to a revision (contract, section 10). */
import { ApiError } from "../../../domain/error.ts";
import type { SpeltWhen, When } from "../../../domain/date.ts";
import type { Revision } from "../../reading.ts";
import type { Organization } from "../organizations/organization.ts";
import type { Past } from "./past.ts";

/** How far a time may be ahead of this machine's clock, in milliseconds. */
const AHEAD = 60_000;

/**
 * The revision of an organization that WHEN names. Throws an ApiError (404) if it cannot be read; the message has the
 * earliest and the latest readable revision.
 */
export async function revisionAt(
  past: Past,
  organization: Organization,
  { when, spelt }: SpeltWhen,
): Promise<Revision> {
  const found = await lookUp(past, organization, when);
  if (found === undefined) throw await unreadable(past, organization, spelt);
  return found;
}

/** The ApiError (404) for a revision that cannot be read. */
export async function unreadable(past: Past, organization: Organization, spelt: string): Promise<ApiError> {
  const { current, earliest } = organization;
  const first = earliest === current.revision ? current : await past.byNumber(organization, earliest);
  const bounds = [first, current].map(
    (each) => `${each?.revision ?? earliest}${each === undefined ? "" : ` (${each.importedAt})`}`,
  );
  return new ApiError(
    "notFound",
    `There is no revision ${JSON.stringify(spelt)} that can be read; the earliest is ${bounds[0]}, the latest ${bounds[1]}.`,
  );
}

async function lookUp(past: Past, organization: Organization, when: When): Promise<Revision | undefined> {
  const { current } = organization;
  const now = new Date().toISOString();
  const latest = new Date(Date.now() + AHEAD).toISOString();
  switch (when.kind) {
    case "revision":
      return when.revision === current.revision ? current : past.byNumber(organization, when.revision);
    case "day":
      if (when.from > latest) return undefined;
      // If the day has not ended, its revision is the current one.
      return when.to >= now ? current : past.inForce(organization, when.to);
    case "time":
      if (when.time > latest) return undefined;
      // The current revision may be later than now, if a clock was wrong or set back.
      return when.time >= now ? current : past.inForce(organization, when.time);
  }
}
