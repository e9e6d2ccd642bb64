/** Single things (docs/api.md): their paths, answers, and who may ask. */
import { effectiveOf } from "./effective.ts";
import type { Facts } from "./facts.ts";
import { wireSite } from "./further.ts";
import type { Caller, Verdict } from "./may.ts";
import { wireCollection, wireMember, wireSpace, wireTeam } from "./wire.ts";

type Kind = "member" | "user" | "team" | "site" | "space" | "collection";

export type Thing = { one: "organization" } | { one: "caller" } | { one: Kind; id: string };

export function thingPath(organization: string, thing: Thing): string {
  const below = (rest: string) => `/v1/orgs/${encodeURIComponent(organization)}${rest}`;
  const id = "id" in thing ? encodeURIComponent(thing.id) : "";
  switch (thing.one) {
    case "organization":
      return below("");
    case "member":
    case "team":
    case "site":
      return below(`/${thing.one}s/${id}`);
    case "space":
    case "collection":
    case "user":
      return `/v1/${thing.one}s/${id}`;
    case "caller":
      return "/v1/user";
  }
}

export function thingsOf(facts: Facts): Thing[] {
  const each = (one: Kind, ids: ReadonlyMap<string, unknown>) =>
    [...ids.keys()].map((id): Thing => ({ one, id }));
  return [
    { one: "organization" },
    { one: "caller" },
    ...each("member", facts.members),
    ...each("user", facts.members),
    ...each("team", facts.teams),
    ...each("site", facts.sites),
    ...each("space", facts.spaces),
    ...each("collection", facts.collections),
  ];
}

/** The thing as sent to a caller who may ask. */
export function thingSent(facts: Facts, thing: Thing, caller: Caller, publicUrl: string): unknown {
  const user = (id: string) => wireMember(facts, id, publicUrl).user;
  if (thing.one === "caller") return caller.kind === "member" ? user(caller.user) : undefined;
  if (thing.one === "organization") {
    const { organization: id, title } = facts;
    return { object: "organization", id, title, urls: { location: `${publicUrl}/v1/orgs/${id}` } };
  }
  const { one, id } = thing;
  switch (one) {
    case "member":
      return wireMember(facts, id, publicUrl);
    case "user":
      return user(id);
    case "team":
      return wireTeam(there(facts.teams.get(id)), facts);
    case "site":
      return wireSite(facts, id, publicUrl);
    case "collection":
      return wireCollection(there(facts.collections.get(id)), publicUrl);
    case "space": {
      const role =
        caller.kind === "organization"
          ? "admin"
          : effectiveOf(facts, caller.user, { kind: "space", id })?.role;
      return wireSpace(there(facts.spaces.get(id)), there(role), publicUrl);
    }
  }
}

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("This does not exist.");
  return value;
}

/** The status for a caller who asks at the path of an organization: their own, or another one. */
export function mayAsk(facts: Facts, caller: Caller, thing: Thing, organization: string): Verdict {
  const isOwn = organization === facts.organization;
  const member = caller.kind === "member" ? caller.user : undefined;
  if (thing.one === "caller") return member === undefined ? 404 : 200;
  if (thing.one === "space" || thing.one === "collection") {
    const { one: kind, id } = thing;
    if (member === undefined)
      return (kind === "space" ? facts.spaces : facts.collections).has(id) ? 200 : 404;
    return effectiveOf(facts, member, { kind, id }) === null ? 404 : 200;
  }
  const seesAll = member === undefined || facts.members.get(member) === "admin";
  const isNamed = thing.one !== "user";
  if (!seesAll) {
    if (isNamed && !isOwn) return 403;
    if (thing.one === "organization") return 200;
    return (thing.one === "member" || thing.one === "user") && thing.id === member ? 200 : 403;
  }
  if (isNamed && !isOwn) return 404;
  if (thing.one === "organization") return 200;
  const all = { member: facts.members, user: facts.members, team: facts.teams, site: facts.sites }[thing.one];
  return all.has(thing.id) ? 200 : 404;
}
