import { utc } from "./date.ts";
import { broadest, type Effective, effectiveOf, highest, saidBySites } from "./effective.ts";
import { type Content, type Facts, factsOf } from "./facts.ts";
import { fold } from "./fold.ts";
import { type FurtherItem, furtherList, narrowed, type SiteFilter } from "./further.ts";
import { type Listing, absentFrom, listingsOf, path } from "./listing.ts";
import { type Caller, type Verdict, mayElsewhere, mayList } from "./may.ts";
import { byBytes } from "./order.ts";
import { mayAsk, type Thing, thingPath, thingSent, thingsOf } from "./things.ts";
import type { Role, SnapshotRecord } from "./records.ts";
import {
  type WireCollection,
  type WireMember,
  type WireSpace,
  type WireTeam,
  type WireUser,
  wireCollection,
  wireMember,
  wireSpace,
  wireTeam,
  wireUser,
} from "./wire.ts";

export type { Caller, Content, Listing, Thing, Verdict };

/** Where the role of an entry of endpoint 8 comes from. */
export type Origin =
  | { type: "organization"; space: string; organization: string }
  | { type: "space"; space: string }
  | { type: "site"; space: string; site: string; reason: "member" | "team" | "default"; team?: string };

/** An entry of a listing, exactly as it must be sent. */
export type Item =
  | { permission: Role; user: WireUser }
  | { permission: Role; team: WireTeam }
  | { permission: Role; space: WireSpace }
  | {
      permission: Role;
      user: WireUser;
      origin: Origin;
    }
  | { team: WireTeam; member: { role: "owner" | "member" } }
  | WireMember
  | WireTeam
  | WireSpace
  | WireCollection
  | FurtherItem;

/**
 * A second implementation of the documented rules, for one import. Every method throws if the import does not have the
 * organization.
 */
export interface Oracle {
  /** The effective role (docs/permissions.md); `null` for no access, and if the user or content does not exist. */
  effective(organization: string, user: string, content: Content): Role | null;
  /** The whole list in order, as sent. Throws if the subject does not exist. */
  list(organization: string, listing: Listing): Item[];
  /** The URL path of a listing, with its query. */
  path(organization: string, listing: Listing): string;
  /** Every listing that exists in the organization, with filters. */
  listings(organization: string): Listing[];
  /** Some listings of subjects that the organization does not have, for use with `may` only. */
  absent(organization: string): Listing[];
  /**
   * The status for a caller of this organization (docs/api.md). Throws if the caller is not a member, because
   * such a caller's token is revoked (401).
   */
  may(organization: string, caller: Caller, listing: Listing): Verdict;
  /** The status for a caller of this organization at the path of another one. Throws as `may` does. */
  mayElsewhere(organization: string, caller: Caller, listing: Listing): Verdict;
  /** Every single thing of the organization, and its path. */
  things(organization: string): Thing[];
  thingPath(organization: string, thing: Thing): string;
  /** A thing as sent to a caller of this organization who may ask. */
  thing(organization: string, thing: Thing, caller: Caller): unknown;
  /** The status for a caller of this organization who asks at the path of `named`. */
  mayAsk(organization: string, caller: Caller, thing: Thing, named: string): Verdict;
}

/**
 * Answers everything that Rolebook lists, naively, from the records of one import.
 * `publicUrl` is the address that clients use, without `/v1` and without a trailing slash.
 */
export function oracle(records: readonly SnapshotRecord[], options: { publicUrl: string }): Oracle {
  const known = new Map<string, Facts>();
  const factsFor = (organization: string): Facts => {
    const facts = known.get(organization) ?? factsOf(records, organization);
    known.set(organization, facts);
    return facts;
  };
  return {
    effective: (organization, user, content) =>
      effectiveOf(factsFor(organization), user, content)?.role ?? null,
    list: (organization, listing) => list(factsFor(organization), listing, options.publicUrl),
    path: (organization, listing) => path(factsFor(organization).organization, listing),
    listings: (organization) => listingsOf(factsFor(organization)),
    absent: (organization) => absentFrom(factsFor(organization), records),
    may: (organization, caller, listing) => mayList(factsFor(organization), caller, listing),
    things: (organization) => thingsOf(factsFor(organization)),
    thingPath,
    thing: (organization, thing, caller) =>
      thingSent(factsFor(organization), thing, caller, options.publicUrl),
    mayAsk: (organization, caller, thing, named) => mayAsk(factsFor(organization), caller, thing, named),
    mayElsewhere: (organization, caller, listing) => mayElsewhere(factsFor(organization), caller, listing),
  };
}

function list(facts: Facts, listing: Listing, publicUrl: string): Item[] {
  switch (listing.endpoint) {
    case 1:
      return usersGiven(facts, { kind: "space", id: listing.space }, publicUrl);
    case 2:
      return teamsGiven(facts, { kind: "space", id: listing.space });
    case 3:
      return aggregate(facts, { kind: "space", id: listing.space }, listing.role, publicUrl);
    case 4:
      return teamsGiven(facts, { kind: "collection", id: listing.collection });
    case 5:
      return usersGiven(facts, { kind: "collection", id: listing.collection }, publicUrl);
    case 6:
      return aggregate(facts, { kind: "collection", id: listing.collection }, listing.role, publicUrl);
    case 7:
      return spacesOf(facts, listing.user, listing.order ?? "desc", publicUrl);
    case 8:
      return siteAggregate(facts, listing.site, listing, publicUrl);
    case 9:
      return teamsOf(facts, listing.user, listing.title ?? "");
    case 10:
      return narrowed(
        facts,
        [...facts.members.keys()].sort(byBytes).map((id) => wireMember(facts, id, publicUrl)),
        listing,
        ({ role }) => role,
      );
    case 11:
      return [...facts.teams.keys()]
        .sort(byBytes)
        .filter((id) => owns(facts, listing.owner, id))
        .map((id) => sentTeam(facts, id))
        .filter(({ title }) => fold(title).includes(fold(listing.title ?? "")));
    case 12:
      // Whoever may list the spaces may do everything there.
      return byCreation(facts)
        .toReversed()
        .map((space) => wireSpace(space, "admin", publicUrl));
    case 13:
      return [...facts.collections.values()]
        .sort((left, right) => byBytes(left.id, right.id))
        .map((collection) => wireCollection(collection, publicUrl));
    case 14:
    case 15:
    case 16:
    case 17:
    case 18:
    case 19:
      return furtherList(facts, listing, publicUrl);
  }
}

/** Endpoints 1 and 5. */
function usersGiven(facts: Facts, content: Content, publicUrl: string): Item[] {
  mustExist(facts, content);
  return facts
    .permissionsOn(content)
    .flatMap(({ user, permission }) => (user === undefined ? [] : [{ user, permission }]))
    .sort((left, right) => byBytes(left.user, right.user))
    .map(({ user, permission }) => ({ permission, user: sentUser(facts, user, publicUrl) }));
}

/** Endpoints 2 and 4. */
function teamsGiven(facts: Facts, content: Content): Item[] {
  mustExist(facts, content);
  return facts
    .permissionsOn(content)
    .flatMap(({ team, permission }) => (team === undefined ? [] : [{ team, permission }]))
    .sort((left, right) => byBytes(left.team, right.team))
    .map(({ team, permission }) => ({ permission, team: sentTeam(facts, team) }));
}

/** Endpoints 3 and 6. */
function aggregate(facts: Facts, content: Content, role: Role | undefined, publicUrl: string): Item[] {
  mustExist(facts, content);
  return [...facts.members.keys()].sort(byBytes).flatMap((user) => {
    const effective = effectiveOf(facts, user, content);
    if (effective === null || (role !== undefined && effective.role !== role)) return [];
    return [{ permission: effective.role, user: sentUser(facts, user, publicUrl) }];
  });
}

/** Endpoint 7. */
function spacesOf(facts: Facts, user: string, order: "asc" | "desc", publicUrl: string): Item[] {
  mustBeMember(facts, user);
  const ascending = byCreation(facts);
  const ordered = order === "asc" ? ascending : ascending.toReversed();
  return ordered.flatMap((space) => {
    const effective = effectiveOf(facts, user, { kind: "space", id: space.id });
    if (effective === null) return [];
    return [{ permission: effective.role, space: wireSpace(space, effective.role, publicUrl) }];
  });
}

function byCreation(facts: Facts) {
  return [...facts.spaces.values()].sort(
    (left, right) => byBytes(utc(left.createdAt), utc(right.createdAt)) || byBytes(left.id, right.id),
  );
}

function owns(facts: Facts, owner: string | undefined, team: string): boolean {
  if (owner === undefined) return true;
  return facts.teamMembers.some((each) => each.team === team && each.user === owner && each.role === "owner");
}

/** Endpoint 8. */
function siteAggregate(facts: Facts, site: string, filter: SiteFilter, publicUrl: string): Item[] {
  const spaces = facts.sites.get(site);
  if (spaces === undefined) throw new Error(`no site ${site}`);
  const all = [...facts.members.keys()].sort(byBytes).flatMap((user) => {
    const found = spaces.flatMap((space) => {
      const effective = effectiveOf(facts, user, { kind: "space", id: space });
      return effective === null ? [] : [{ space, ...effective }];
    });
    const permission = highest(found.map(({ role }) => role));
    if (permission === undefined) return [];
    const [origin] = found
      .filter(({ role }) => role === permission)
      .sort((left, right) => byBytes(left.space, right.space));
    if (origin === undefined) throw new Error("the highest role has no space");
    return [
      { permission, user: sentUser(facts, user, publicUrl), origin: originOf(facts, user, site, origin) },
    ];
  });
  return narrowed(facts, all, filter, ({ permission }) => permission);
}

function originOf(
  facts: Facts,
  user: string,
  asked: string,
  { space, from }: Pick<Effective, "from"> & { space: string },
): Origin {
  if (from === "organization") return { type: from, space, organization: facts.organization };
  if (from === "content") return { type: "space", space };
  const said = broadest(saidBySites(facts, user, { kind: "space", id: space }), asked);
  if (said === undefined) throw new Error(`no site of ${space} says anything to ${user}`);
  const origin = { type: from, space, site: said.site };
  const [team] = said.teams;
  if (said.rule === "direct") return { ...origin, reason: "member" };
  if (said.rule === "level" || team === undefined) return { ...origin, reason: "default" };
  return { ...origin, reason: "team", team: team.id };
}

/** Endpoint 9. */
function teamsOf(facts: Facts, user: string, title: string): Item[] {
  mustBeMember(facts, user);
  return facts.teamMembers
    .filter((membership) => membership.user === user)
    .sort((left, right) => byBytes(left.team, right.team))
    .map(({ team, role }) => ({ team: sentTeam(facts, team), member: { role } }))
    .filter(({ team }) => fold(team.title).includes(fold(title)));
}

function sentUser(facts: Facts, id: string, publicUrl: string): WireUser {
  const user = facts.users.get(id);
  if (user === undefined) throw new Error(`no user ${id}`);
  return wireUser(user, publicUrl);
}

function sentTeam(facts: Facts, id: string): WireTeam {
  const team = facts.teams.get(id);
  if (team === undefined) throw new Error(`no team ${id}`);
  return wireTeam(team, facts);
}

function mustExist(facts: Facts, content: Content): void {
  const there = content.kind === "space" ? facts.spaces : facts.collections;
  if (!there.has(content.id)) throw new Error(`no ${content.kind} ${content.id}`);
}

function mustBeMember(facts: Facts, user: string): void {
  if (!facts.members.has(user)) throw new Error(`no member ${user}`);
}
