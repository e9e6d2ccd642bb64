import { atLeast, effectiveOf, recordOf } from "./effective.ts";
import type { Content, Facts } from "./facts.ts";
import type { Listing } from "./listing.ts";

/** The holder of a token. */
export type Caller = { kind: "organization" } | { kind: "member"; user: string };

export type Verdict = 200 | 403 | 404;

/** The status for a caller who requests a listing of their own organization (docs/api.md). */
export function mayList(facts: Facts, caller: Caller, listing: Listing): Verdict {
  const admin = caller.kind === "organization" || roleOf(facts, caller.user) === "admin";
  switch (listing.endpoint) {
    case 1:
    case 2:
    case 3:
      return onContent(facts, caller, { kind: "space", id: listing.space });
    case 4:
    case 5:
    case 6:
      return onContent(facts, caller, { kind: "collection", id: listing.collection });
    case 7:
    case 9: {
      const oneself = caller.kind === "member" && caller.user === listing.user;
      if (!admin && !oneself) return 403;
      return facts.members.has(listing.user) ? 200 : 404;
    }
    case 8:
      if (!admin) return 403;
      return facts.sites.has(listing.site) ? 200 : 404;
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
      return admin ? 200 : 403;
    case 15:
      return admin ? (facts.teams.has(listing.team) ? 200 : 404) : 403;
    case 16:
    case 18:
    case 19:
      return admin ? (facts.sites.has(listing.site) ? 200 : 404) : 403;
    case 17:
      return admin ? (facts.collections.has(listing.collection) ? 200 : 404) : 403;
  }
}

/** The status for a caller who requests a listing at the path of another organization. */
export function mayElsewhere(facts: Facts, caller: Caller, { endpoint }: Listing): Verdict {
  const admin = caller.kind === "organization" || roleOf(facts, caller.user) === "admin";
  return endpoint <= 13 || admin ? 404 : 403;
}

function onContent(facts: Facts, caller: Caller, content: Content): Verdict {
  if (recordOf(facts, content) === undefined) return 404;
  if (caller.kind === "organization") return 200;
  const effective = effectiveOf(facts, caller.user, content);
  if (effective === null) return 404;
  return atLeast(effective.role, "create") ? 200 : 403;
}

function roleOf(facts: Facts, user: string) {
  const role = facts.members.get(user);
  if (role === undefined) throw new Error(`${user} is no member: such a token is gone`);
  return role;
}
