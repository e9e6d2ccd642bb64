import { type Decision, decide, isOpen, type Source, sourcesOf, type Subject } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { type Role, ROLES } from "../domain/role.ts";
import type { Facts } from "./candidates.ts";
import { posting } from "./codes.ts";
import type { Content } from "./content.ts";
import { total } from "./levels.ts";
import type { Counts } from "./reading.ts";
import { Sought } from "./sought.ts";

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
    decide: remembering(ladder),
  };
  if (content !== undefined) targets.set(content, target);
  return target;
}

/** The decision for members who were given nothing depends on their role alone: it is worked out once for each. */
function remembering(ladder: readonly Content[]): (member: Subject) => Decision | undefined {
  const known = new Map<Role | null, Decision | undefined>();
  return (member) => {
    if (member.direct.size > 0 || member.teams.length > 0) return decide(ladder, member);
    if (!known.has(member.role)) known.set(member.role, decide(ladder, member));
    return known.get(member.role);
  };
}

export function factsOf(ladders: readonly (readonly Content[])[]): Facts {
  const direct = new Set<ContentKey>();
  const teams = new Set<string>();
  for (const ladder of ladders) {
    for (const level of ladder) {
      if (level.hasDirect) direct.add(level.content);
      for (const team of level.teams.keys()) teams.add(team);
    }
  }
  return { direct: new Sought(direct), teams: new Sought(teams) };
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
        {
          key: posting.team(source.team),
          size: levels.get(source.content)?.teams.sizes.get(source.team) ?? 0,
        },
      ];
    case "default":
      return role === undefined || role === source.role ? ROLES.map(membersWith) : [];
    case "organization":
      return role === undefined ? ROLES.map(membersWith) : [membersWith(role)];
  }
}
