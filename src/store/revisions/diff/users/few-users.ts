/** Compares the roles of a few users one by one, if only their own memberships and permissions changed. */
import type { ContentKey } from "../../../../domain/content.ts";
import { rank } from "../../../../domain/role.ts";
import type { Content } from "../../../directory/content.ts";
import { ladderOf } from "../../../directory/inheritance.ts";
import { DIRECTIONS, type Direction } from "../../../../domain/difference.ts";
import type { Member } from "../../../directory/members.ts";
import type { AccessChanges } from "../log/access-changes.ts";
import { causesOf, climb, type Climbed, FirstCauses } from "../log/causes.ts";
import { childrenOf } from "../contents/children.ts";
import { type DifferenceFilter, keptDirection } from "../filter.ts";
import { inTime, type Sides } from "../contents/forest.ts";
import { grantsOf, laddersOf, type TeamGrants } from "./few-ladders.ts";
import type { ChangedRecord } from "../log/log.ts";
import type { Named } from "../contents/names.ts";
import { subjectsOf } from "./subjects.ts";
import type { BranchDifference } from "../walk/walk.ts";

/**
 * The changed users, if every change belongs to a single user and there are at most `most` users; `undefined`
 * otherwise.
 */
export function fewUsers(
  { contents, permissions, memberships }: AccessChanges,
  most: number,
): readonly string[] | undefined {
  if (contents.size > 0 || permissions.some(({ member }) => member === undefined)) return undefined;
  const users = new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []));
  return users.size > most ? undefined : [...users];
}

/** The differences, and the contents that {@link compareFew} has read. */
export interface ComparedFew {
  readonly differences: ReadonlyMap<ContentKey, BranchDifference>;
  readonly known: ReadonlyMap<ContentKey, Named>;
}

/**
 * The difference of each content for the given users. Reads contents and team grants at the later revision only,
 * because they are the same at both revisions.
 */
export async function compareFew(
  sides: Sides,
  changes: AccessChanges,
  users: readonly string[],
  filter: DifferenceFilter,
): Promise<ComparedFew> {
  const { after } = sides;
  const [had, has] = [await subjectsOf(sides.before, users), await subjectsOf(after, users)];
  const members = [...had.values(), ...has.values()];
  const grants = await grantsOf(after, new Set(members.flatMap(({ teams }) => teams)));
  const roots = rootsOf(changes, grants);
  const loaded = await laddersOf(after, roots.keys(), grants);
  const known = new Map<ContentKey, Named>(loaded);
  const found = new Map<ContentKey, Group>();
  for (const content of roots.keys()) {
    const start = loaded.get(content);
    if (start === undefined) continue;
    const ladder = ladderOf(start, loaded);
    const concerned = concernedOn(ladder, roots);
    const differing = new Map<string, Differing>();
    for (const user of users) {
      if (!concerned.has(user)) continue;
      const [old, now] = [climb(ladder, had.get(user)), climb(ladder, has.get(user))];
      if (old === undefined || now === undefined) continue;
      const isGuest = now.member.role === null;
      const direction = keptDirection(filter, rankOf(old), rankOf(now), isGuest);
      if (direction === undefined) continue;
      const causes = causesOf(changes, { user, content }, ...inTime(sides, old, now));
      if (filter.causedBy !== undefined && !causes.some(filter.causedBy)) continue;
      differing.set(user, { direction, causes });
    }
    if (differing.size > 0) found.set(content, new Group(differing));
  }
  for (let level = [...found.keys()]; level.length > 0;) {
    const children = await childrenOf(after, level, roots);
    level = [];
    for (const child of children) {
      const { content, parent } = child;
      const teams = grants.get(content);
      const left = found.get(parent)?.without((user) => decides(content, teams, has.get(user)));
      if (left === undefined) continue;
      known.set(content, child);
      found.set(content, left);
      level.push(content);
    }
  }
  return {
    differences: new Map([...found].map(([content, { difference }]) => [content, difference])),
    known,
  };
}

/**
 * The contents with a changed permission of a user, or with a grant of a team whose members changed, each with the
 * affected users.
 */
function rootsOf(
  { permissions, memberships }: AccessChanges,
  grants: TeamGrants,
): ReadonlyMap<ContentKey, ReadonlySet<string>> {
  const roots = new Map<ContentKey, Set<string>>();
  const add = (content: ContentKey, users: readonly string[]) => {
    const known = roots.get(content);
    if (known === undefined) roots.set(content, new Set(users));
    else for (const user of users) known.add(user);
  };
  for (const { content, member } of permissions) {
    if (content !== undefined && member !== undefined) add(content, [member]);
  }
  const joined = new Map<string, string[]>();
  for (const { team = "", member = "" } of memberships)
    joined.set(team, [...(joined.get(team) ?? []), member]);
  for (const [content, teams] of grants) {
    for (const team of teams.keys()) {
      const users = joined.get(team);
      if (users !== undefined) add(content, users);
    }
  }
  return roots;
}

/** The users with a changed record on any level of a ladder. */
function concernedOn(
  ladder: readonly Content[],
  roots: ReadonlyMap<ContentKey, ReadonlySet<string>>,
): ReadonlySet<string> {
  const [first, ...others] = ladder.flatMap(({ content }) => roots.get(content) ?? []);
  if (others.length === 0) return first ?? new Set();
  return new Set([...(first ?? []), ...others.flatMap((users) => [...users])]);
}

interface Differing {
  readonly direction: Direction;
  readonly causes: readonly ChangedRecord[];
}

/** The users who differ on a content. Most contents share this object with the content from which they inherit. */
class Group {
  readonly difference: BranchDifference = { counts: DIRECTIONS.map(() => 0), causes: new FirstCauses() };
  readonly #users: ReadonlyMap<string, Differing>;

  constructor(users: ReadonlyMap<string, Differing>) {
    this.#users = users;
    const { counts, causes } = this.difference;
    for (const each of users.values()) {
      const index = DIRECTIONS.indexOf(each.direction);
      counts[index] = (counts[index] ?? 0) + 1;
      for (const cause of each.causes) causes.add(cause);
    }
  }

  /** The group without some users; `undefined` if no user is left. */
  without(isOut: (user: string) => boolean): Group | undefined {
    const users = this.#users;
    if (!users.keys().some(isOut)) return this;
    const left = [...users].filter(([user]) => !isOut(user));
    return left.length === 0 ? undefined : new Group(new Map(left));
  }
}

function rankOf({ decision }: Climbed): number {
  return decision === undefined ? 0 : rank(decision.role);
}

/** Whether a permission on the content itself decides for a member. */
function decides(
  content: ContentKey,
  teams: ReadonlyMap<string, unknown> | undefined,
  member: Member | undefined,
): boolean {
  if (member === undefined) return false;
  return member.direct.has(content) || (teams !== undefined && member.teams.some((team) => teams.has(team)));
}
