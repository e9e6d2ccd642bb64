/** Finds the caller and the revision of an explorer request. */
import { ApiError } from "../../domain/error.ts";
import type { Asking } from "../../explorer/server/operation.ts";
import { type Caller, absent } from "../../operations/authorize.ts";
import { memberOf } from "../../store/directory/members.ts";
import type { Revision } from "../../store/reading.ts";
import { type Organization, revisionsUpTo } from "../../store/revisions/past.ts";
import type { Token } from "../../store/revisions/registry.ts";
import { ruleResults } from "../../store/rule-results.ts";
import { revisionFor } from "../../store/store.ts";
import type { Viewer } from "../../explorer/server/viewer.ts";
import { type SpeltWhen, WHEN_ACCEPTS, parseWhen } from "../../domain/date.ts";
import { revisionAsked } from "../listings/when.ts";
import { quote } from "../request/query.ts";
import type { Service } from "../service.ts";

export const READ_FROM = ["revision", "at"] as const;

/** What the query says about the revision: `begun` is that of an earlier answer, `when` a past one. */
export interface Wanted {
  readonly begun: number | undefined;
  readonly when: SpeltWhen | undefined;
  readonly rest: ReadonlyMap<string, string>;
}

/** Throws 400 if `revision` or `at` is invalid, or if both are given. */
export function wantedBy(query: ReadonlyMap<string, string>): Wanted {
  const begun = revisionOf(query.get("revision"));
  const when = whenIn(query.get("at"));
  if (begun !== undefined && when !== undefined) {
    throw new ApiError("badRequest", "Both revision and at are given; accepted: one of them.");
  }
  const rest = new Map(query);
  rest.delete("at");
  return { begun, when, rest };
}

function whenIn(spelt: string | undefined): SpeltWhen | undefined {
  if (spelt === undefined) return undefined;
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw new ApiError("badRequest", `The parameter at is ${quote(spelt)}; accepted: ${WHEN_ACCEPTS}.`);
}

function revisionOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9][0-9]{0,14}$/.test(value)) return Number(value);
  throw new ApiError(
    "badRequest",
    `The parameter revision is ${quote(value)}; accepted: the revision of an earlier answer.`,
  );
}

/** Throws 404 if the organization does not exist any more. */
export async function organizationOf({ store }: Service, { organization: id }: Token): Promise<Organization> {
  const organization = await store.registry.organization(id);
  if (organization === undefined) throw absent("organization", id);
  return organization;
}

/** Throws 404 if the token's member has left. */
async function viewerOf(
  { store }: Service,
  { current }: Organization,
  { member: id }: Token,
): Promise<Viewer> {
  if (id === undefined) return { all: true };
  const member = await memberOf(store.reading(current), id);
  if (member === undefined) throw absent("member", id);
  return { all: member.role === "admin", member };
}

export interface Look {
  readonly past: boolean;
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  readonly at: Revision;
  readonly viewer: Viewer;
  readonly caller: Caller;
  /** The revision whose permissions authorize the request. */
  readonly decides: Revision;
}

/**
 * Selects the revision of an answer, and finds who sees it.
 *
 * Without `when`, the answer is from `begun` if that revision is kept, otherwise from the current one. A caller who
 * does not see everything always gets the current revision, which decides what they may see.
 *
 * With `when`, the answer is from a past revision, as under `/at/WHEN` (contract, section 10). That revision authorizes
 * organization tokens and organization admins; the current one authorizes everybody else. Throws 404 if the revision
 * cannot be read.
 */
export async function lookOf(
  service: Service,
  organization: Organization,
  token: Token,
  { when, begun }: Pick<Wanted, "when" | "begun">,
): Promise<Look> {
  const { registry } = service.store;
  const { current } = organization;
  const { revision, importedAt } =
    (await registry.past.byNumber(organization, organization.earliest)) ?? current;
  const earliest = { revision, importedAt };
  if (when === undefined) {
    const viewer = await viewerOf(service, organization, token);
    const at = viewer.all ? await revisionFor(registry.past, organization, begun) : current;
    return { past: false, at, earliest, viewer, caller: token, decides: current };
  }
  const at = await revisionAsked(registry, organization, when, begun);
  const viewer = await viewerOf(service, organization, token);
  const past = true;
  if (viewer.all) return { past, at, earliest, viewer, caller: { ...token, member: undefined }, decides: at };
  return {
    past,
    at,
    earliest,
    viewer: { ...viewer, now: service.store.reading(current) },
    caller: token,
    decides: current,
  };
}

export function askingOf(
  { store, publicUrl, version }: Service,
  { past, at, earliest, viewer, caller, decides }: Look,
  { id: tokenId }: Token,
): Asking {
  const reading = store.reading(at);
  return {
    caller,
    tokenId,
    past,
    earliest,
    viewer,
    current: at.revision === decides.revision ? reading : store.reading(decides),
    reading,
    revisionsUpTo: (which) => revisionsUpTo(store.engine, at.organization, which),
    ruleResults: () => ruleResults(store.engine, at.organization),
    publicUrl,
    version,
  };
}
