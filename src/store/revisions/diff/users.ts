/** Compares single users on all contents, such as those who joined or left. */
import { limit } from "../../../sets/limit.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { DIRECTIONS, type Direction } from "../../../domain/difference.ts";
import { type Role, rank, roleOf } from "../../../domain/role.ts";
import { type Content, ladderOf } from "../../directory/contents.ts";
import { type Member, subjectsOf } from "../../directory/members.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent, decodeDefaultLevel } from "../../schema/encoding.ts";
import { inBlocks, inTurns } from "../../turns.ts";
import { childrenOf } from "./contents.ts";
import type { Named } from "./names.ts";
import { type DifferenceFilter, keptDirection } from "./filter.ts";
import { type Climbed, FirstCauses, causesOf, climb } from "./causes.ts";
import { type AccessChanges, type ChangedRecord, type TwoReadings, inTime } from "./log.ts";
import type { BranchDifference } from "./walk.ts";
import { GIVEN, TwoTrees, type UserOfBoth } from "./content-tree.ts";

const BLOCK = 500;

/** Receives the index in {@link TwoTrees} of a content on which a user differs. */
type Report = (index: number, direction: Direction) => void;

interface ComparableUser extends UserOfBoth {
  compare(report: Report): void;
}

export class UsersApart {
  readonly sides: TwoReadings;
  readonly #filter: DifferenceFilter;
  #trees: Promise<TwoTrees> | undefined;

  constructor(sides: TwoReadings, filter: DifferenceFilter) {
    this.sides = sides;
    this.#filter = filter;
  }

  trees(): Promise<TwoTrees> {
    return (this.#trees ??= TwoTrees.of(this.sides));
  }

  /** The contents on which the given users differ, by user id. With `among`, only those contents. */
  async contentsOf(
    ids: readonly string[],
    among?: ReadonlySet<ContentKey>,
  ): Promise<ReadonlyMap<string, readonly ContentKey[]>> {
    const found = new Map<string, ContentKey[]>(ids.map((id) => [id, []]));
    for await (const { id, compare } of this.of(ids)) {
      const { keys } = await this.trees();
      const own = found.get(id);
      compare((index) => {
        const key = keys[index];
        if (key !== undefined && (among?.has(key) ?? true)) own?.push(key);
      });
    }
    return found;
  }

  /** The users with the given ids, in this order. */
  async *of(ids: readonly string[]): AsyncGenerator<ComparableUser> {
    if (ids.length === 0) return;
    const { before, after } = this.sides;
    const trees = await this.trees();
    for await (const block of inBlocks(ids, BLOCK)) {
      const [old, now] = [await subjectsOf(before, block), await subjectsOf(after, block)];
      for await (const id of inTurns(block)) {
        const user = { id, had: old.get(id), has: now.get(id) };
        // Reads the grants user by user. The teams of a whole block may have hundreds of thousands of grants, and
        // reading them at once would delay other requests.
        await trees.before.learn(user.had === undefined ? [] : [user.had]);
        await trees.after.learn(user.has === undefined ? [] : [user.has]);
        yield { ...user, compare: (report) => trees.compare(user, this.#filter, report) };
      }
    }
  }
}

/**
 * Returns a function that finds the causes of a user's difference on a content, by the content's index. Call
 * `ContentTree.learn` on both trees first.
 */
export function userCauses(
  sides: TwoReadings,
  trees: TwoTrees,
  changes: AccessChanges,
  { id: user, had, has }: UserOfBoth,
): (index: number) => readonly ChangedRecord[] {
  const [before, after] = [had && trees.before.laddersFor(had), has && trees.after.laddersFor(has)];
  const [ownBefore, ownAfter] = [had && trees.before.ownRanksOf(had), has && trees.after.ownRanksOf(has)];
  const known = new Map<number, readonly ChangedRecord[]>();
  const find = (index: number): readonly ChangedRecord[] => {
    const found = known.get(index);
    if (found !== undefined) return found;
    const [then, now] = trees.numbersOf(index);
    const isGiven = (ownBefore?.[then] ?? 0) + (ownAfter?.[now] ?? 0) > 0;
    // Where nothing is given to the user, the causes are those of the content from which this one inherits.
    const parent = isGiven ? undefined : trees.parentOf(index);
    const causes = parent === undefined ? decide(index, then, now) : find(parent);
    known.set(index, causes);
    return causes;
  };
  const decide = (index: number, then: number, now: number): readonly ChangedRecord[] => {
    const content = trees.keys[index];
    if (content === undefined) return [];
    const climbed = inTime(sides, climb(before?.(then), had), climb(after?.(now), has));
    return causesOf(changes, { user, content }, ...climbed);
  };
  return find;
}

/** Compares users with changed records of their own, one by one on all contents. */

/** The maximum number of users who are compared one by one. All other users are compared by sets. */
export interface SingleUserLimits {
  /**
   * The limit if only permissions and memberships of users changed. These users are compared on the affected contents.
   */
  readonly few: number;
  /** The limit in all other cases. These users are compared on all contents. */
  readonly many: number;
}

const FEW_USERS = limit("diff.few-users", 64);
const MANY_USERS = limit("diff.many-users", 5_000);
export const SINGLE_USER_LIMITS: SingleUserLimits = { few: FEW_USERS, many: MANY_USERS };

/**
 * The users with changed permissions or memberships, without those who joined or left or have another organization
 * role.
 */
export function singleUsers({ permissions, memberships }: AccessChanges): string[] {
  return [...new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []))];
}

export async function compareSingly(
  apart: UsersApart,
  changes: AccessChanges,
  users: readonly string[],
): Promise<Map<ContentKey, BranchDifference>> {
  const found = new Map<ContentKey, BranchDifference>();
  if (users.length === 0) return found;
  const trees = await apart.trees();
  const counts = new Uint32Array(trees.keys.length * DIRECTIONS.length);
  const causes: (FirstCauses | undefined)[] = [];
  for await (const user of apart.of(users)) {
    const causesAt = userCauses(apart.sides, trees, changes, user);
    user.compare((index, direction) => {
      const at = index * DIRECTIONS.length + DIRECTIONS.indexOf(direction);
      counts[at] = (counts[at] ?? 0) + 1;
      const known = (causes[index] ??= new FirstCauses());
      for (const record of causesAt(index)) known.add(record);
    });
  }
  for (const [index, known] of causes.entries()) {
    const key = trees.keys[index];
    if (key === undefined || known === undefined) continue;
    const from = index * DIRECTIONS.length;
    found.set(key, { counts: [...counts.subarray(from, from + DIRECTIONS.length)], causes: known });
  }
  return found;
}

export function addDifferences(
  to: Map<ContentKey, BranchDifference>,
  others: Iterable<readonly [ContentKey, BranchDifference]>,
): void {
  for (const [key, { counts, causes }] of others) {
    const known = to.get(key);
    if (known === undefined) {
      to.set(key, { counts, causes });
      continue;
    }
    for (const [index, count] of counts.entries()) known.counts[index] = (known.counts[index] ?? 0) + count;
    for (const cause of causes.all) known.causes.add(cause);
  }
}

/** Compares the roles of a few users one by one, if only their own memberships and permissions changed. */

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
interface ComparedFew {
  readonly differences: ReadonlyMap<ContentKey, BranchDifference>;
  readonly known: ReadonlyMap<ContentKey, Named>;
}

/**
 * The difference of each content for the given users. Reads contents and team grants at the later revision only,
 * because they are the same at both revisions.
 */
export async function compareFew(
  sides: TwoReadings,
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

/** Loads ladders of contents with the grants of the given teams only. */

/** The roles of team grants, by content, then by team. */
type TeamGrants = ReadonlyMap<ContentKey, ReadonlyMap<string, Role>>;

const LEVELS = statement<[id: string, parent: string | null, title: string, level: number]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title, c.level FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value`,
    )}`,
);

async function grantsOf(reading: Reading, teams: ReadonlySet<string>): Promise<TeamGrants> {
  const found = new Map<ContentKey, Map<string, Role>>();
  for (const [id, team, role] of await reading.read(GIVEN, ...reading.asOf, [...teams])) {
    const content = decodeContent(id);
    const known = found.get(content);
    if (known === undefined) found.set(content, new Map([[team, roleOf(role)]]));
    else known.set(team, roleOf(role));
  }
  return found;
}

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** Loads contents, and the ancestors from which they inherit. Contents that do not exist are absent from the result. */
async function laddersOf(
  reading: Reading,
  keys: Iterable<ContentKey>,
  grants: TeamGrants,
): Promise<ReadonlyMap<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (let wanted = new Set(keys); wanted.size > 0;) {
    const rows = await reading.read(LEVELS, ...reading.asOf, [...wanted]);
    const above: ContentKey[] = [];
    for (const [id, parentId, title, level] of rows) {
      const content = decodeContent(id);
      const parent = parentId === null ? undefined : decodeContent(parentId);
      const defaultLevel = decodeDefaultLevel(level);
      found.set(content, { content, title, parent, defaultLevel, teams: grants.get(content) ?? NO_TEAMS });
      if (defaultLevel === "inherit" && parent !== undefined) above.push(parent);
    }
    wanted = new Set(above.filter((key) => !found.has(key)));
  }
  return found;
}
