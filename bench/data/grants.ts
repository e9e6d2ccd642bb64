import { identity } from "./identity.ts";
import { type Layout, width } from "./layout.ts";
import { everyoneTeamMember } from "./people.ts";
import { hash, mulberry32, permutation, share } from "./random.ts";
import { sitePermissions } from "./sites.ts";
import type { Role } from "./structure.ts";

const WEIGHT = 71;
const USERS = 72;
const TEAMS = 73;
const ROLE = 74;
const DIRECT = 75;
const HEAVY = 76;
const GUEST = 77;

/** A permission; content and grantee are named by their index. */
export interface Grant {
  readonly on: "collection" | "space";
  readonly content: number;
  readonly to: "team" | "user";
  readonly grantee: number;
  readonly role: Role;
}

/**
 * Every permission on a content: with those on sites, exactly as many as the organization's size states, and with no pair
 * of content and grantee twice.
 */
export function* grants(plan: Layout): Generator<Grant> {
  let special = sitePermissions(plan);
  for (const grant of specialGrants(plan)) {
    special += 1;
    yield grant;
  }
  yield* ordinaryGrants(plan, plan.counts.permissions - special);
}

export function* grantLines(plan: Layout): Generator<string> {
  const ids = identity(plan.seed);
  for (const { on, content, to, grantee, role } of grants(plan)) {
    const where = on === "space" ? ids.space(content) : ids.collection(content);
    const whom = to === "user" ? ids.user(grantee) : ids.team(grantee);
    yield `{"object":"permission","${on}":"${where}","${to}":"${whom}","permission":"${role}"}`;
  }
}

/** The permissions of the special cases. No ordinary permission has the same content and grantee. */
function* specialGrants(plan: Layout): Generator<Grant> {
  const on = "space";
  for (const content of [plan.manyTeamsSpace, plan.manyTeamsOpenSpace]) {
    for (let i = 0; i < plan.counts.teams; i += 1) {
      yield { on, content, to: "team", grantee: i, role: role(plan, content, i) };
    }
  }
  const direct = permutation(width(plan.regulars), hash(plan.seed, DIRECT, 0));
  for (let i = 0; i < plan.direct; i += 1) {
    const grantee = plan.regulars.from + direct(i);
    yield { on, content: plan.directSpace, to: "user", grantee, role: role(plan, plan.directSpace, i) };
  }
  const everyone = everyoneTeamMember(plan);
  yield { on, content: plan.sparseSpace, to: "team", grantee: 0, role: "edit" };
  for (let i = plan.sparseKeepers; i < plan.everyoneTeam; i += 1) {
    yield { on, content: plan.sparseSpace, to: "user", grantee: everyone(i), role: "comment" };
  }
  const heavy = permutation(width(plan.ordinarySpaces), hash(plan.seed, HEAVY, 0));
  for (let i = 0; i < plan.heavySpaces; i += 1) {
    const content = plan.ordinarySpaces.from + heavy(i);
    yield { on, content, to: "user", grantee: plan.heavyMember, role: role(plan, content, -1) };
  }
  yield { on: "collection", content: 0, to: "user", grantee: plan.halfGuest, role: "comment" };
  for (let i = plan.guests.from; i < plan.guests.to; i += 1) yield* guestGrants(plan, i);
}

/** The permissions of a guest on three spaces. For every second guest, the first space is one of the guest site. */
function* guestGrants(plan: Layout, guest: number): Generator<Grant> {
  const scatter = permutation(width(plan.ordinarySpaces), hash(plan.seed, GUEST, guest));
  for (let i = 0; i < 3; i += 1) {
    const onSite = i === 0 && guest % 2 === 0;
    const content = onSite
      ? plan.guestSpaces.from + ((guest / 2) % width(plan.guestSpaces))
      : plan.ordinarySpaces.from + scatter(i);
    yield { on: "space", content, to: "user", grantee: guest, role: role(plan, content, guest) };
  }
}

/**
 * `total` permissions on ordinary contents. Their number per content is distributed exponentially; a quarter are of
 * teams.
 */
function* ordinaryGrants(plan: Layout, total: number): Generator<Grant> {
  const { collections, spaces, teams } = plan.counts;
  const weights = Float64Array.from({ length: collections + spaces }, (_, content) => {
    const space = content - collections;
    if (space >= 0 && space < plan.openSiteSpaces.from) return 0;
    return -Math.log(1 - mulberry32(hash(plan.seed, WEIGHT, content))());
  });
  const members = plan.insiders.to - plan.admins.from;
  const counts = share(total, weights, Math.floor(members / 2));
  for (let content = 0; content < counts.length; content += 1) {
    const count = counts[content] ?? 0;
    if (count === 0) continue;
    const at =
      content < collections
        ? { on: "collection" as const, content }
        : { on: "space" as const, content: content - collections };
    const toTeams = Math.min(Math.round(count / 4), Math.floor(teams / 2));
    const team = permutation(teams, hash(plan.seed, TEAMS, content));
    for (let i = 0; i < toTeams; i += 1) {
      yield { ...at, to: "team", grantee: team(i), role: role(plan, content, i) };
    }
    const member = permutation(members, hash(plan.seed, USERS, content));
    for (let i = toTeams; i < count; i += 1) {
      const grantee = plan.admins.from + member(i);
      yield { ...at, to: "user", grantee, role: role(plan, content, i) };
    }
  }
}

function role(plan: Layout, content: number, index: number): Role {
  const draw = hash(hash(plan.seed, ROLE, content), ROLE, index) / 2 ** 32;
  if (draw < 0.35) return "read";
  if (draw < 0.5) return "comment";
  if (draw < 0.8) return "edit";
  if (draw < 0.88) return "review";
  return draw < 0.96 ? "create" : "admin";
}
