import { type Decision, decide, isOpen, type Source, sourcesOf, type Subject } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { rank, type Role, ROLES } from "../domain/role.ts";
import type { Facts } from "./candidates.ts";
import { posting } from "./codes.ts";
import type { Content } from "./content.ts";
import { total } from "./levels.ts";
import type { Counts } from "./reading.ts";

/** A sorted list of members in `posting`, and how long it is. */
export interface Posting {
  readonly key: string;
  readonly size: number;
}

/** Something that members have an effective role on: a content, or the spaces of a site. */
export interface Target<Found extends { readonly role: Role }> {
  /** Tells targets of one snapshot apart. */
  readonly name: string;
  readonly ladders: readonly (readonly Content[])[];
  readonly facts: Facts;
  decide(member: Subject): Found | undefined;
}

/** A content's ladder follows from the content, so its target is made once while the content is remembered. */
const targets = new WeakMap<Content, Target<Decision>>();

export function contentTarget(ladder: readonly Content[]): Target<Decision> {
  const [content] = ladder;
  const known = content === undefined ? undefined : targets.get(content);
  if (known !== undefined) return known;
  const target: Target<Decision> = {
    name: content?.content ?? "",
    ladders: [ladder],
    facts: factsOf([ladder]),
    decide: rememberingRoles([ladder], (member) => decide(ladder, member)),
  };
  if (content !== undefined) targets.set(content, target);
  return target;
}

/** Where a role on a site comes from (contract, section 4, endpoint 8). */
export interface SiteDecision {
  readonly role: Role;
  /** The space with the smallest id among those that give the role. */
  readonly space: ContentKey;
  readonly decision: Decision;
}

/** `ladders`: of the site's spaces, in the order of their ids. */
export function siteTarget(site: string, ladders: readonly (readonly Content[])[]): Target<SiteDecision> {
  const facts = factsOf(ladders);
  const granted = teamsOn(ladders);
  const known = new Map<string, SiteDecision | undefined>();
  return {
    name: `site/${site}`,
    ladders,
    facts,
    decide: rememberingRoles(ladders, (member) => {
      if (member.direct.size > 0) return highest(ladders, member);
      // Members without permissions of their own differ in role and teams only, and most are alike.
      const alike = `${member.role} ${member.teams.filter((team) => granted.has(team)).join(" ")}`;
      if (known.size > MOST_KNOWN) known.clear();
      if (!known.has(alike)) known.set(alike, highest(ladders, member));
      return known.get(alike);
    }),
  };
}

/** The decision for members who were given nothing depends on their role alone: it is worked out once for each. */
function rememberingRoles<Found>(
  ladders: readonly (readonly Content[])[],
  decideOn: (member: Subject) => Found | undefined,
): (member: Subject) => Found | undefined {
  const granted = teamsOn(ladders);
  const known = new Map<Role | null, Found | undefined>();
  return (member) => {
    if (member.direct.size > 0 || member.teams.some((team) => granted.has(team))) return decideOn(member);
    if (!known.has(member.role)) known.set(member.role, decideOn(member));
    return known.get(member.role);
  };
}

/** The teams that were given something on a ladder. */
function teamsOn(ladders: readonly (readonly Content[])[]): ReadonlySet<string> {
  return new Set(ladders.flatMap((ladder) => ladder.flatMap(({ teams }) => [...teams.keys()])));
}

/** How many kinds of members a site remembers its decision for. */
const MOST_KNOWN = 2_000;

function highest(ladders: readonly (readonly Content[])[], member: Subject): SiteDecision | undefined {
  let best: SiteDecision | undefined;
  for (const ladder of ladders) {
    const decision = decide(ladder, member);
    const space = ladder[0]?.content;
    if (decision === undefined || space === undefined) continue;
    if (best === undefined || rank(decision.role) > rank(best.role)) {
      best = { role: decision.role, space, decision };
    }
    if (best.role === "admin") break;
  }
  return best;
}

export function factsOf(ladders: readonly (readonly Content[])[]): Facts {
  const direct = new Set<ContentKey>();
  let teams = false;
  for (const ladder of ladders) {
    for (const level of ladder) {
      if (level.hasDirect) direct.add(level.content);
      if (level.teams.size > 0) teams = true;
    }
  }
  return { direct, teams };
}

/** Whether some ladder lets in members who were given nothing. */
export function letsMembersIn(target: Target<{ role: Role }>): boolean {
  return target.ladders.some(isOpen);
}

const postings = new WeakMap<object, Map<Role | undefined, Posting[]>>();

/**
 * The lists that together hold every member with an effective role; with `role`, every member whose effective
 * role it can be. Members in them still have to be decided upon: nearer sources may outrank these. Worked out once
 * for each target.
 */
export function postingsOf(target: Target<{ role: Role }>, counts: Counts, role?: Role): Posting[] {
  const known = postings.get(target) ?? new Map<Role | undefined, Posting[]>();
  postings.set(target, known);
  let found = known.get(role);
  if (found === undefined) known.set(role, (found = collect(target, counts, role)));
  return found;
}

function collect(target: Target<{ role: Role }>, counts: Counts, role?: Role): Posting[] {
  const found = new Map<string, Posting>();
  for (const ladder of target.ladders) {
    const levels = new Map(ladder.map((level) => [level.content, level]));
    for (const source of sourcesOf(ladder)) {
      for (const each of carrying(source, levels, counts, role)) found.set(each.key, each);
    }
  }
  return [...found.values()].filter(({ size }) => size > 0);
}

/** The lists of one source, only those that carry `role` when it is given. */
export function carrying(
  source: Source,
  levels: ReadonlyMap<ContentKey, Content>,
  counts: Counts,
  role?: Role,
): Posting[] {
  const membersWith = (wanted: Role) => ({ key: posting.memberRole(wanted), size: counts.roles[wanted] });
  switch (source.rule) {
    case "admin":
      return role === undefined || role === "admin" ? [membersWith("admin")] : [];
    case "direct": {
      const direct = levels.get(source.content)?.direct;
      if (direct === undefined) return [];
      if (role === undefined) return [{ key: posting.direct(source.content), size: total(direct) }];
      return [{ key: posting.given(role, source.content), size: direct[role] }];
    }
    case "team":
      if (role !== undefined && role !== source.role) return [];
      return [
        { key: posting.team(source.team), size: levels.get(source.content)?.teamSizes.get(source.team) ?? 0 },
      ];
    case "default":
      return role === undefined || role === source.role ? ROLES.map(membersWith) : [];
    case "organization":
      return role === undefined ? ROLES.map(membersWith) : [membersWith(role)];
  }
}
