/** Who asks the explorer's questions, and of which revision. */
import { ApiError } from "../../domain/error.ts";
import type { Asking } from "../../explorer/operations/operation.ts";
import { absent } from "../../operations/authorize.ts";
import { memberOf } from "../../store/directory/members.ts";
import type { Revision } from "../../store/reading.ts";
import type { Organization, Token } from "../../store/revisions/registry.ts";
import { revisionFor } from "../../store/store.ts";
import type { Viewer } from "../../store/tree/viewer.ts";
import { quote } from "../query.ts";
import type { Service } from "../service.ts";

/** The parameter `revision`. Throws 400 for what is no revision's number. */
export function revisionOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9][0-9]{0,14}$/.test(value)) return Number(value);
  throw new ApiError(
    "badRequest",
    `The parameter revision is ${quote(value)}; accepted: the revision of an earlier answer.`,
  );
}

/** The organization of a token, as readers see it now. */
export async function organizationOf({ store }: Service, { organization: id }: Token): Promise<Organization> {
  const organization = await store.registry.organization(id);
  if (organization === undefined) throw absent("organization", id);
  return organization;
}

/** Whose eyes a token has, at the current revision. */
export async function viewerOf(
  { store }: Service,
  { current }: Organization,
  { member: id }: Token,
): Promise<Viewer> {
  if (id === undefined) return { all: true };
  const member = await memberOf(store.reading(current), id);
  if (member === undefined) throw absent("member", id);
  return { all: member.role === "admin", member };
}

/**
 * The revision that an answer is read from: the one asked for while it is kept. What one may see is decided at the
 * current one, so those who do not see everything are shown that one alone.
 */
export async function readFrom(
  { store }: Service,
  organization: Organization,
  viewer: Viewer,
  begun: number | undefined,
): Promise<Revision> {
  return viewer.all ? revisionFor(store.registry.past, organization, begun) : organization.current;
}

/** What a question is given. */
export function askingOf(
  { store, publicUrl, version }: Service,
  { current }: Organization,
  caller: Token,
  viewer: Viewer,
  at: Revision,
): Asking {
  const reading = store.reading(at);
  return {
    caller,
    tokenId: caller.id,
    viewer,
    current: at.revision === current.revision ? reading : store.reading(current),
    reading,
    publicUrl,
    version,
  };
}
