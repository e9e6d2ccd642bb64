/**
 * Compares users one by one: those who joined or left, and those whose organization role, permissions or memberships
 * changed. Each revision is an array of the user's roles on all contents, so a user takes at most a few milliseconds,
 * whatever differs. All others are painted (walk.ts).
 */
import type { ContentKey } from "../../../domain/content.ts";
import { DIRECTIONS } from "../../../domain/difference.ts";
import { type RoleCounts, ROLES } from "../../../domain/role.ts";
import { type Member, wholeMembers } from "../../directory/members.ts";
import { inBlocks, inTurns } from "../../turns.ts";
import { causesOf, type Climbed, type DifferenceCounts, FirstCauses } from "./causes.ts";
import { type ContentTree, type ReportDifference, TwoTrees, type UserOfBoth } from "./content-tree.ts";
import type { DifferenceFilter } from "./filter.ts";
import { type AccessChanges, type ChangedRecord, inTime, type TwoReadings } from "./log.ts";

const USERS_PER_READ = 500;

interface ComparableUser extends UserOfBoth {
  /** Reports indexes in {@link TwoTrees}. */
  compare(report: ReportDifference): void;
}

/** On how many contents a user had and has each role, of those on which the user differs. */
export interface DifferingRoles {
  readonly contents: number;
  readonly had: RoleCounts;
  readonly has: RoleCounts;
}

export class UserDifferences {
  readonly #readings: TwoReadings;
  readonly #changes: AccessChanges;
  readonly #filter: DifferenceFilter;
  #trees: Promise<TwoTrees> | undefined;
  readonly #concerned: boolean[] = [];

  constructor(readings: TwoReadings, changes: AccessChanges, filter: DifferenceFilter) {
    this.#readings = readings;
    this.#changes = changes;
    this.#filter = filter;
  }

  trees(): Promise<TwoTrees> {
    return (this.#trees ??= TwoTrees.of(this.#readings, this.#changes.contents.size === 0));
  }

  /** The users with the given ids, in this order. */
  async *of(ids: readonly string[]): AsyncGenerator<ComparableUser> {
    if (ids.length === 0) return;
    const { before, after } = this.#readings;
    const trees = await this.trees();
    for await (const block of inBlocks(ids, USERS_PER_READ)) {
      const [old, now] = [await wholeMembers(before, block), await wholeMembers(after, block)];
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

  /** The contents on which the given users differ, by user id. */
  async contentsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ContentKey[]>> {
    const found = new Map<string, ContentKey[]>(ids.map((id) => [id, []]));
    for await (const { id, compare } of this.of(ids)) {
      const { keys } = await this.trees();
      compare((index) => {
        const key = keys[index];
        if (key !== undefined) found.get(id)?.push(key);
      });
    }
    return found;
  }

  /** The roles of the given users on the contents on which they differ, by user id. */
  async rolesOf(ids: readonly string[]): Promise<ReadonlyMap<string, DifferingRoles>> {
    const found = new Map<string, DifferingRoles>();
    for await (const { id, compare } of this.of(ids)) {
      let contents = 0;
      const [had, has] = [noRoles(), noRoles()];
      compare((_, __, was, becomes) => {
        contents++;
        had[was] = (had[was] ?? 0) + 1;
        has[becomes] = (has[becomes] ?? 0) + 1;
      });
      found.set(id, { contents, had: roleCounts(had), has: roleCounts(has) });
    }
    return found;
  }

  /** Those of the given users who differ on each content; with `among`, only on those contents. */
  async usersOn(
    ids: Iterable<string>,
    among: ReadonlySet<ContentKey> | undefined,
  ): Promise<Map<ContentKey, string[]>> {
    const found = new Map<ContentKey, string[]>();
    for await (const { id, compare } of this.of([...ids])) {
      const { keys } = await this.trees();
      compare((index) => {
        const key = keys[index];
        if (key === undefined || among?.has(key) === false) return;
        const users = found.get(key);
        if (users === undefined) found.set(key, [id]);
        else users.push(id);
      });
    }
    return found;
  }

  /**
   * The differences of the given users together, by content. Of a newcomer, who is a member at the second revision only,
   * what the organization role and the default levels alone would give is left out.
   */
  async byContent(users: readonly string[]): Promise<Map<ContentKey, DifferenceCounts>> {
    const found = new Map<ContentKey, DifferenceCounts>();
    if (users.length === 0) return found;
    const trees = await this.trees();
    const { causedBy } = this.#filter;
    for await (const user of this.of(users)) {
      const causesAt = this.causesOf(user, trees);
      const { had, has } = user;
      const usual = had === undefined && has !== undefined ? trees.after.usualRanksOf(has.role) : undefined;
      user.compare((index, direction, _, becomes) => {
        if (usual?.[index] === becomes) return;
        const key = trees.keys[index];
        const causes = causesAt(index);
        if (key === undefined || (causedBy !== undefined && !causes.some(causedBy))) return;
        const known = found.get(key) ?? { counts: DIRECTIONS.map(() => 0), causes: new FirstCauses() };
        found.set(key, known);
        const at = DIRECTIONS.indexOf(direction);
        known.counts[at] = (known.counts[at] ?? 0) + 1;
        for (const record of causes) known.causes.add(record);
      });
    }
    return found;
  }

  /**
   * Returns a function that finds the causes of a user's difference on a content, by the content's index in `trees`,
   * which {@link of} has read.
   */
  causesOf({ id: user, had, has }: UserOfBoth, trees: TwoTrees): (index: number) => readonly ChangedRecord[] {
    const [before, after] = [climbing(trees.before, had), climbing(trees.after, has)];
    const records = this.#changes.own.get(user);
    const only = records?.length === 1 && !this.#changes.people.has(user) ? records : undefined;
    const known = new Map<number, readonly ChangedRecord[]>();
    const find = (index: number): readonly ChangedRecord[] => {
      const found = known.get(index);
      if (found !== undefined) return found;
      const [then, now] = trees.numbersOf(index);
      const isGiven = (before?.own[then] ?? 0) + (after?.own[now] ?? 0) > 0;
      // Where nothing is given to the user, the causes are those of the content from which this one inherits.
      const parent = isGiven ? undefined : trees.parentOf(index);
      const causes = parent === undefined ? decided(index, then, now) : find(parent);
      known.set(index, causes);
      return causes;
    };
    const decided = (index: number, then: number, now: number): readonly ChangedRecord[] => {
      const content = trees.keys[index];
      if (content === undefined) return [];
      if (only !== undefined && !this.#isConcerned(trees, index)) return only;
      const climbed = inTime(this.#readings, before?.climb(then), after?.climb(now));
      return causesOf(this.#changes, { user, content }, ...climbed);
    };
    return find;
  }

  /** Whether a change of contents or of teams' permissions concerns a content. */
  #isConcerned(trees: TwoTrees, index: number): boolean {
    return (this.#concerned[index] ??= trees
      .laddersOf(index)
      .some((ladder) => ladder.some(({ content }) => this.#changes.isOn(content))));
  }
}

/** Counts by rank, with that of no access. */
function noRoles(): number[] {
  return [0, ...ROLES.map(() => 0)];
}

function roleCounts([
  ,
  read = 0,
  comment = 0,
  edit = 0,
  review = 0,
  create = 0,
  admin = 0,
]: readonly number[]): RoleCounts {
  return { read, comment, edit, review, create, admin };
}

/** How a member is decided on the contents of a tree, by their numbers. */
function climbing(tree: ContentTree, member: Member | undefined) {
  if (member === undefined) return undefined;
  const own = tree.ownRanksOf(member);
  const climb = (content: number): Climbed | undefined =>
    content < 0
      ? undefined
      : { ladder: tree.ladderOf(content), member, decision: tree.decisionOf(member, own, content) };
  return { own, climb };
}
