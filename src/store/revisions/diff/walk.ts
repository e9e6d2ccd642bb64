/**
 * Compares very many users at once, chunk by chunk of the members. {@link prepare} finds the contents that may differ and
 * plans their comparison (contents.ts, plan.ts, alignment.ts). In each chunk, every root is folded at both revisions; what
 * differs on the root differs on the branches below it, too, except for members with a permission of their own there
 * (own-permissions.ts). Each branch adds up how many users differ, and the first causes.
 */
import type { ContentKey } from "../../../domain/content.ts";
import { DIRECTIONS } from "../../../domain/difference.ts";
import { rank } from "../../../domain/role.ts";
import { type Differing, type Results, differing, fold } from "../../../sets/fold.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { type Words, addAll, addSlot, countSlots, keepOnly, noSlots } from "../../../sets/words.ts";
import { LevelFolds, type QueryLadder, blankFold } from "../../folds.ts";
import { memberSets } from "../../schema/set-names.ts";
import type { ChunkSlots } from "../../memory/sets.ts";
import { inTurns } from "../../turns.ts";
import { forestOf } from "./contents.ts";
import { type DifferenceFilter, keepsDirection } from "./filter.ts";
import { type Cause, causesIn, affectedBy, concerns, type DifferenceCounts, FirstCauses } from "./causes.ts";
import { type AccessChanges, type TwoReadings, inTime } from "./log.ts";
import { type AlignedChunk, Alignment } from "./alignment.ts";
import { OwnPermissions } from "./own-permissions.ts";
import { type Branch, type Plan, type RootFold, planOf, positionsOf } from "./plan.ts";

/** Receives the slots that differ on the contents of a branch. The slots are valid only during the call. */
type Listener = (branch: Branch, chunk: AlignedChunk, slots: Words) => void;

interface WalkOptions {
  readonly plan: Plan;
  readonly alignment: Alignment;
  readonly filter: DifferenceFilter;
  /**
   * The slots of excluded users at the later revision, by chunk: of users in `people`, and of users who are compared
   * one by one.
   */
  readonly apart: ReadonlyMap<number, Words>;
  /** If present, only these branches and those above them are compared. */
  readonly only?: ReadonlySet<Branch>;
  readonly listener?: Listener;
  readonly progress?: (part: number) => void;
}

export class Walk {
  readonly #options: WalkOptions;
  readonly #roots: readonly Branch[];
  readonly #needed: ReadonlySet<Branch> | undefined;
  readonly #own: OwnPermissions;
  /** The number of users, by branch number and direction. */
  readonly #counts: Float64Array;
  readonly #causes: (FirstCauses | undefined)[] = [];
  /** The number of records that may be causes, by branch number. */
  readonly #causesToFind: Uint32Array;
  /** 1 for a root that is folded in the current chunk, by branch number. */
  readonly #folded: Uint8Array;
  /**
   * By branch number: the branches directly below that have no branches below themselves. Only their counts and causes
   * are computed.
   */
  readonly #leaves: readonly (readonly number[])[];
  /** By branch number: the branches directly below that have branches below themselves. */
  readonly #stems: readonly (readonly Branch[])[];
  /** The differing slots of the branches on the current path, by depth. */
  readonly #levels: Found[] = [];

  constructor(options: WalkOptions) {
    const { plan, only } = options;
    this.#options = options;
    this.#needed = only === undefined ? undefined : neededFor(plan.roots, only);
    this.#roots = plan.roots.filter((root) => this.#isNeeded(root));
    this.#own = new OwnPermissions(plan.after.size, plan.branches);
    this.#counts = new Float64Array(plan.branches.length * DIRECTIONS.length);
    this.#causesToFind = causesToFindIn(plan);
    this.#folded = new Uint8Array(plan.branches.length);
    this.#stems = plan.branches.map(({ below }) => below.filter((each) => !this.#isLeaf(each)));
    this.#leaves = plan.branches.map(({ below }) =>
      below.filter((each) => this.#isLeaf(each) && this.#isNeeded(each)).map(({ number }) => number),
    );
  }

  /** Compares all chunks that may have differences. */
  async run(): Promise<void> {
    const { progress } = this.#options;
    const chunks = this.#chunks();
    let done = 0;
    for await (const chunk of inTurns(chunks)) {
      await this.#compare(chunk);
      progress?.(++done / chunks.length);
    }
  }

  /**
   * The number of users in each chunk who differ on any content, by direction as in {@link DIRECTIONS}. Compares only
   * roots, because a user who differs on an heir differs in the same direction on its root.
   */
  async *users(): AsyncGenerator<readonly number[]> {
    for (const chunk of this.#chunks()) {
      const union = DIRECTIONS.map(() => noSlots());
      const sides = await this.#read(chunk);
      for await (const { fold } of inTurns(this.#rootsIn(chunk))) {
        if (fold === undefined) continue;
        const { words } = this.#fold(fold, sides);
        for (const [index, all] of union.entries()) addAll(all, words[index]);
      }
      yield union.map(countSlots);
    }
  }

  #chunks(): AlignedChunk[] {
    return this.#options.alignment.chunks.filter(({ number }) =>
      this.#roots.some(({ fold }) => fold?.chunks?.has(number) ?? true),
    );
  }

  #rootsIn({ number }: AlignedChunk): Branch[] {
    return this.#roots.filter(({ fold }) => fold?.chunks?.has(number) ?? true);
  }

  /** The contents with a difference. Call it after {@link run}. */
  *differences(): Generator<[ContentKey, DifferenceCounts]> {
    for (const [content, branch] of this.#options.plan.branchOf) {
      const difference = this.#differenceOf(branch);
      if (difference !== undefined) yield [content, difference];
    }
  }

  #differenceOf({ number }: Branch): DifferenceCounts | undefined {
    const counts = [...this.#counts.subarray(number * DIRECTIONS.length, (number + 1) * DIRECTIONS.length)];
    const causes = this.#causes[number];
    return causes === undefined || counts.every((count) => count === 0) ? undefined : { counts, causes };
  }

  #isNeeded(branch: Branch): boolean {
    return this.#needed?.has(branch) ?? true;
  }

  #isLeaf({ below }: Branch): boolean {
    return below.length === 0 && this.#options.listener === undefined;
  }

  async #compare(chunk: AlignedChunk): Promise<void> {
    const sides = await this.#read(chunk);
    const { had, has } = sides;
    const { alignment, filter } = this.#options;
    this.#own.enter(chunk.number, has);
    const roots = this.#rootsIn(chunk);
    this.#folded.fill(0);
    for (const { number } of roots) this.#folded[number] = 1;
    for await (const root of inTurns(roots)) {
      const { fold } = root;
      if (fold === undefined) continue;
      const found = this.#fold(fold, sides);
      if (found.isEmpty) continue;
      this.#own.begin(found.all);
      const { before, after } = fold;
      const then = inTime(alignment.sides, { ladder: before, sets: had }, { ladder: after, sets: has });
      const causes = causesIn(fold, chunk.number, then, found.all);
      const { causedBy } = filter;
      const kept =
        causedBy === undefined
          ? found
          : found.within(affectedBy(causes.filter(({ record }) => causedBy(record))));
      if (!kept.isEmpty) this.#descend(root, kept, causes, chunk);
    }
  }

  async #read(chunk: AlignedChunk): Promise<ReadChunk> {
    const { plan, alignment, apart, filter } = this.#options;
    const had = await alignment.read(plan.before, chunk);
    const has = await plan.after.read(alignment.sides.after, chunk.number);
    const withRole = (role: "admin" | null) => has[plan.after.indexOf(memberSets.withRole(role)) ?? -1];
    const others = apart.get(chunk.number);
    const guests = withRole(null);
    // Organization admins have the same role at both revisions. Users who became admin are in `people`.
    const admins = withRole("admin");
    const everyone = noSlots();
    const ordinary = noSlots();
    for (const index of everyone.keys()) {
      const kept = ~(others?.[index] ?? 0) & (filter.guests === true ? (guests?.[index] ?? 0) : -1);
      everyone[index] = kept;
      ordinary[index] = kept & ~(admins?.[index] ?? 0);
    }
    const folds = { had: new LevelFolds(had), has: new LevelFolds(has) };
    return { had, has, folds, found: new Map<unknown, Map<unknown, Found>>(), everyone, ordinary };
  }

  /** The differing slots of a root. Roots with the same folds in this chunk share the result. */
  #fold({ before, after }: RootFold, sides: ReadChunk): Found {
    const { folds } = sides;
    const old = before && folds.had.of(before);
    const now = after && folds.has.of(after);
    const alike = sides.found.get(old) ?? new Map<unknown, Found>();
    sides.found.set(old, alike);
    const known = alike.get(now) ?? this.#differing(before, after, sides);
    alike.set(now, known);
    return known;
  }

  #differing(
    before: QueryLadder | undefined,
    after: QueryLadder | undefined,
    { had, has, folds, everyone, ordinary }: ReadChunk,
  ): Found {
    const { filter } = this.#options;
    const isWhole = before === undefined || after === undefined;
    const left = isWhole ? everyone : ordinary;
    const old = resultsOf(before, had, folds.had, isWhole);
    const now = resultsOf(after, has, folds.has, isWhole);
    const wanted = filter.role === undefined ? undefined : rank(filter.role);
    const found = differing(old, now);
    for (const direction of DIRECTIONS) if (!keepsDirection(filter, direction)) found[direction].fill(0);
    return Found.of(
      found,
      (index) =>
        (left[index] ?? 0) &
        (wanted === undefined ? -1 : (old[wanted]?.[index] ?? 0) | (now[wanted]?.[index] ?? 0)),
    );
  }

  #descend(branch: Branch, found: Found, causes: readonly Cause[], chunk: AlignedChunk, depth = 0): void {
    if (!this.#isNeeded(branch)) return;
    const { listener } = this.#options;
    this.#note(branch.number, found, causes);
    listener?.(branch, chunk, found.all);
    for (const leaf of this.#leaves[branch.number] ?? []) {
      if (this.#folded[leaf] === 1) continue;
      this.#own.take(leaf);
      this.#note(leaf, found, causes, this.#own);
    }
    for (const below of this.#stems[branch.number] ?? []) {
      if (this.#folded[below.number] === 1) continue;
      this.#own.take(below.number);
      const inherited = (this.#levels[depth] ??= new Found());
      inherited.become(found, this.#own);
      if (!inherited.isEmpty) this.#descend(below, inherited, causes, chunk, depth + 1);
    }
  }

  /** Adds the differing slots of a chunk, except those in `own`, to the difference of a branch. */
  #note(branch: number, found: Found, causes: readonly Cause[], own?: OwnPermissions): void {
    const { words, counts, all } = found;
    for (let index = 0; index < words.length; index++) {
      const [count = 0, slots] = [counts[index], words[index]];
      if (count === 0 || slots === undefined) continue;
      const at = branch * DIRECTIONS.length + index;
      this.#counts[at] = (this.#counts[at] ?? 0) + count - (own?.countIn(slots) ?? 0);
    }
    const known = (this.#causes[branch] ??= new FirstCauses());
    if (known.size === this.#causesToFind[branch]) return;
    for (const cause of causes) {
      if (known.isAfterAll(cause.record)) return;
      if (!known.has(cause.record) && concerns(cause, all, own?.words)) known.add(cause.record);
    }
  }
}

/** The sets of one chunk at both revisions, and the members to compare. */
interface ReadChunk {
  readonly had: ChunkSlots;
  readonly has: ChunkSlots;
  readonly folds: { readonly had: LevelFolds; readonly has: LevelFolds };
  /** The differences of roots, by the fold before and the fold after. */
  readonly found: Map<unknown, Map<unknown, Found>>;
  readonly everyone: Words;
  /** The members in `everyone` except organization admins. */
  readonly ordinary: Words;
}

/** The slots of one chunk that differ on a content, by direction as in {@link DIRECTIONS}. */
class Found {
  readonly words: readonly Words[];
  readonly counts: number[] = DIRECTIONS.map(() => 0);
  /** The slots that differ in any direction. */
  readonly all = noSlots();

  constructor(words: readonly Words[] = DIRECTIONS.map(() => noSlots())) {
    this.words = words;
  }

  /** A difference restricted by `mask`, which returns the allowed slots of each word. */
  static of(differing: Differing, mask: (index: number) => number): Found {
    const found = new Found(DIRECTIONS.map((direction) => differing[direction]));
    const { words, counts, all } = found;
    for (let index = 0; index < all.length; index++) {
      const kept = mask(index);
      for (const each of words) {
        const word = (each[index] ?? 0) & kept;
        each[index] = word;
        all[index] = (all[index] ?? 0) | word;
      }
    }
    for (const [index, each] of words.entries()) counts[index] = countSlots(each);
    return found;
  }

  /** The part of the difference in the given slots. */
  within(some: Words): Found {
    const found = new Found(this.words.map((words) => keepOnly(words.slice(), some)));
    for (const [index, words] of found.words.entries()) {
      addAll(found.all, words);
      found.counts[index] = countSlots(words);
    }
    return found;
  }

  get isEmpty(): boolean {
    return this.counts.every((count) => count === 0);
  }

  /** Becomes a copy of another difference without the slots in `own`. */
  become(other: Found, own: OwnPermissions): void {
    this.all.set(other.all);
    own.removeFrom(this.all);
    for (const [index, words] of this.words.entries()) {
      const [count = 0, others] = [other.counts[index], other.words[index]];
      this.counts[index] = 0;
      if (count === 0 || others === undefined) continue;
      words.set(others);
      own.removeFrom(words);
      this.counts[index] = count - own.countIn(others);
    }
  }
}

/**
 * The roles at one revision, as slots by rank. They include organization admins if the content was added or removed.
 */
function resultsOf(
  ladder: QueryLadder | undefined,
  sets: ChunkSlots,
  folds: LevelFolds,
  isWhole: boolean,
): Results {
  if (ladder === undefined) return [];
  if (!isWhole) return folds.of(ladder)?.results ?? [];
  const all = blankFold();
  fold(ladder.steps, sets, all);
  return all.results;
}

/** The given branches, and all branches on the way from the roots to them. */
function neededFor(roots: readonly Branch[], only: ReadonlySet<Branch>): ReadonlySet<Branch> {
  const known = new Map<Branch, boolean>();
  const look = (branch: Branch): boolean => {
    let isNeeded = known.get(branch);
    if (isNeeded !== undefined) return isNeeded;
    isNeeded = only.has(branch);
    for (const below of branch.below) if (look(below)) isNeeded = true;
    known.set(branch, isNeeded);
    return isNeeded;
  };
  for (const root of roots) look(root);
  return new Set([...known].flatMap(([branch, isNeeded]) => (isNeeded ? [branch] : [])));
}

/**
 * By branch number, the number of records that may be causes of the branch's difference. A branch has the number of its
 * nearest root.
 */
function causesToFindIn({ roots, branches }: Plan): Uint32Array {
  const found = new Uint32Array(branches.length);
  const note = ({ number, below }: Branch, records: number) => {
    found[number] = records;
    for (const each of below) if (each.fold === undefined) note(each, records);
  };
  for (const root of roots) note(root, root.fold?.records ?? 0);
  return found;
}

/** What a walk compares, prepared once for all of its chunks. */
export interface Compared {
  readonly alignment: Alignment;
  readonly plan: Plan;
  readonly apart: ReadonlyMap<number, Words>;
}

/** Plans the comparison of all users except those in `changes.people` and in `apart`. */
export async function prepare(
  sides: TwoReadings,
  changes: AccessChanges,
  apart: readonly string[],
): Promise<Compared> {
  const forest = await forestOf(sides, changes);
  const alignment = await Alignment.of(sides);
  const plan = await planOf(sides, changes, forest, alignment);
  const people = [...changes.people.keys(), ...apart];
  const { before, after } = sides;
  const positions = [...(await positionsOf(after, people)).values()];
  // In the same generation, users who left keep their position, and its slot is never reused.
  if (before.generation === after.generation) {
    positions.push(...(await positionsOf(before, people)).values());
  }
  const slots = new Map<number, Words>();
  for (const position of positions) {
    const words = slots.get(chunkOf(position)) ?? noSlots();
    slots.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return { alignment, plan, apart: slots };
}
