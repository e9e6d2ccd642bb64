/** Compares the contents of a plan chunk by chunk of members. */
import { type Differing, differing, type Results } from "../../../sets/difference.ts";
import { fold } from "../../../sets/fold.ts";
import { addAll, countSlots, hasSlot, noSlots, type Words } from "../../../sets/words.ts";
import { rank } from "../../../domain/role.ts";
import { LevelFolds } from "../../listings/several.ts";
import { blankFold, type QueryLadder } from "../../listings/steps.ts";
import { memberSets } from "../../schema/set-names.ts";
import { DIRECTIONS, inTurns } from "../../listings/difference-of.ts";
import type { AlignedChunk, Alignment } from "./alignment.ts";
import { type DifferenceFilter, keepsDirection } from "./filter.ts";
import type { ChangedRecord } from "./log.ts";
import { countCommon } from "./slots.ts";
import type { Branch, Candidate, Plan, RootFold } from "./plan.ts";

/** So many causes of one content are told at most. */
export const MOST_CAUSES = 100;

/** How one content differs, as far as it was compared. */
export interface BranchDifference {
  /** By place among {@link DIRECTIONS}. */
  readonly counts: number[];
  readonly causes: Set<ChangedRecord>;
}

/** Slots that differ in one chunk, by place among {@link DIRECTIONS}; `undefined` where there are none. */
interface Found {
  readonly words: readonly (Words | undefined)[];
  readonly counts: readonly number[];
}

/** A candidate and whom of a chunk it concerns, as far as that is one and the same for all below a root. */
type Suspect = { readonly record: ChangedRecord } & (
  | { readonly slot: number }
  | { readonly words: Words | undefined }
);

/** Hears of the slots that differ on a content. */
export type Listener = (branch: Branch, chunk: AlignedChunk, words: readonly (Words | undefined)[]) => void;

export interface WalkOptions {
  readonly plan: Plan;
  readonly alignment: Alignment;
  readonly filter: DifferenceFilter;
  /** Positions of those who are told apart, at the later side: they are left out. */
  readonly apart: ReadonlyMap<number, Words>;
  /** Only these branches, and what they hang on. */
  readonly only?: ReadonlySet<Branch>;
  readonly listener?: Listener;
  readonly progress?: (part: number) => void;
}

export class Walk {
  readonly #options: WalkOptions;
  readonly #found = new Map<Branch, BranchDifference>();
  readonly #roots: readonly Branch[];
  readonly #needed: ReadonlySet<Branch> | undefined;
  readonly #scratch = noSlots();

  constructor(options: WalkOptions) {
    const { plan, only } = options;
    this.#options = options;
    this.#needed = only === undefined ? undefined : neededFor(plan.roots, only);
    this.#roots = plan.roots.filter((root) => this.#isNeeded(root));
  }

  /** How every branch differs on which anything does. */
  async run(): Promise<ReadonlyMap<Branch, BranchDifference>> {
    const { alignment, progress } = this.#options;
    const chunks = alignment.chunks.filter(({ chunk }) =>
      this.#roots.some(({ fold }) => fold?.chunks?.has(chunk.number) ?? true),
    );
    let done = 0;
    for await (const chunk of inTurns(chunks)) {
      await this.#compare(chunk);
      progress?.(++done / chunks.length);
    }
    return this.#found;
  }

  #isNeeded(branch: Branch): boolean {
    return this.#needed?.has(branch) ?? true;
  }

  async #compare(chunk: AlignedChunk): Promise<void> {
    const { plan, alignment, apart } = this.#options;
    const { after, before } = plan;
    const had = await alignment.read(before, chunk);
    const has = await after.read(alignment.after, chunk.chunk.number);
    const others = apart.get(chunk.chunk.number);
    const guests = this.#options.filter.guests === true ? this.#guests(has) : undefined;
    // Admins of the organization are that on both sides: who became one is told apart.
    const admins = has[after.placeOf(memberSets.withRole("admin")) ?? -1];
    const everyone = noSlots();
    const ordinary = noSlots();
    for (const index of everyone.keys()) {
      const kept = ~(others?.[index] ?? 0) & (guests === undefined ? -1 : (guests[index] ?? 0));
      everyone[index] = kept;
      ordinary[index] = kept & ~(admins?.[index] ?? 0);
    }
    const folds = { had: new LevelFolds(had), has: new LevelFolds(has) };
    const sides = { chunk, had, has, folds, everyone, ordinary };
    for (const root of this.#roots) {
      const { fold } = root;
      if (fold === undefined || fold.chunks?.has(chunk.chunk.number) === false) continue;
      const found = this.#fold(fold, sides);
      if (found === undefined) continue;
      const suspects = fold.candidates.flatMap((each) => this.#suspectOf(each, root, found, sides) ?? []);
      this.#descend(root, found, suspects, sides);
    }
  }

  #guests(has: readonly (Words | undefined)[]): Words {
    const place = this.#options.plan.after.placeOf(memberSets.withRole(null));
    return has[place ?? -1] ?? noSlots();
  }

  /** What differs on a root. */
  #fold({ before, after }: RootFold, sides: Sides): Found | undefined {
    const { filter } = this.#options;
    const { had, has, folds } = sides;
    const isWhole = before === undefined || after === undefined;
    const left = isWhole ? sides.everyone : sides.ordinary;
    const old = resultsOf(before, had, folds.had, isWhole);
    const now = resultsOf(after, has, folds.has, isWhole);
    const wanted = filter.role === undefined ? undefined : rank(filter.role);
    const found: Differing = differing(old, now);
    return keep(
      DIRECTIONS.map((direction) => (keepsDirection(filter, direction) ? found[direction] : undefined)),
      (index) =>
        (left[index] ?? 0) &
        (wanted === undefined ? -1 : (old[wanted]?.[index] ?? 0) | (now[wanted]?.[index] ?? 0)),
    );
  }

  #suspectOf(
    { record, at, team, user }: Candidate,
    root: Branch,
    found: Found,
    { chunk, had, has }: Sides,
  ): Suspect | undefined {
    if (user !== undefined && user.chunk !== chunk.chunk.number) return undefined;
    const isOwn = at === root.content;
    // What comes from above, or from the level itself, concerns whom nothing on the very content decides any more.
    const own = this.#union(root.own, has);
    if (user !== undefined) {
      return !isOwn && own !== undefined && hasSlot(own, user.slot) ? undefined : { record, slot: user.slot };
    }
    const passing = noSlots();
    const isWhole = root.fold?.before === undefined || root.fold.after === undefined;
    for (const words of found.words) {
      for (const index of passing.keys()) {
        passing[index] = (passing[index] ?? 0) | ((words?.[index] ?? 0) & ~((!isWhole && own?.[index]) || 0));
      }
    }
    if (team === undefined) return { record, words: passing };
    const [before, after] = [had[team.before ?? -1], has[team.after ?? -1]];
    const words = noSlots();
    for (const index of words.keys()) {
      const members = (before?.[index] ?? 0) | (after?.[index] ?? 0);
      words[index] = isOwn ? members : members & (passing[index] ?? 0);
    }
    return { record, words };
  }

  #descend(branch: Branch, found: Found, suspects: readonly Suspect[], sides: Sides): void {
    if (!this.#isNeeded(branch)) return;
    const { listener } = this.#options;
    this.#note(branch, found, suspects);
    listener?.(branch, sides.chunk, found.words);
    for (const below of branch.below) {
      const own = this.#union(below.own, sides.has);
      if (own !== undefined && this.#isCounted(below, suspects)) {
        this.#count(below, found, own);
        continue;
      }
      const inherited = own === undefined ? found : keep(found.words, (index) => ~(own[index] ?? 0));
      if (inherited !== undefined) this.#descend(below, inherited, suspects, sides);
    }
  }

  /** Whether a branch needs nothing but numbers: nothing hangs below it, and its causes are known. */
  #isCounted(branch: Branch, suspects: readonly Suspect[]): boolean {
    if (branch.below.length > 0 || this.#options.listener !== undefined) return false;
    const known = this.#found.get(branch);
    if (known === undefined || !this.#isNeeded(branch)) return false;
    return suspects.every(({ record }) => known.causes.has(record));
  }

  #count(branch: Branch, { words, counts }: Found, own: Words): void {
    const known = this.#found.get(branch)?.counts ?? [];
    for (const [place, each] of words.entries()) {
      if (each !== undefined) {
        known[place] = (known[place] ?? 0) + (counts[place] ?? 0) - countCommon(each, own);
      }
    }
  }

  #note(branch: Branch, { words, counts }: Found, suspects: readonly Suspect[]): void {
    let known = this.#found.get(branch);
    if (known === undefined) {
      known = { counts: DIRECTIONS.map(() => 0), causes: new Set() };
      this.#found.set(branch, known);
    }
    for (const [place, count] of counts.entries()) known.counts[place] = (known.counts[place] ?? 0) + count;
    for (const suspect of suspects) {
      if (known.causes.size >= MOST_CAUSES) return;
      if (!known.causes.has(suspect.record) && concerns(suspect, words)) known.causes.add(suspect.record);
    }
  }

  /** The slots that some of the sets have; holds until it is asked again. */
  #union(places: readonly number[], sets: readonly (Words | undefined)[]): Words | undefined {
    let union: Words | undefined;
    for (const place of places) {
      const words = sets[place];
      if (words === undefined) continue;
      if (union === undefined) {
        union = this.#scratch;
        union.set(words);
      } else addAll(union, words);
    }
    return union;
  }
}

/** The sets of one chunk on both sides, and whom of it is looked at. */
interface Sides {
  readonly chunk: AlignedChunk;
  readonly had: readonly (Words | undefined)[];
  readonly has: readonly (Words | undefined)[];
  readonly folds: { readonly had: LevelFolds; readonly has: LevelFolds };
  readonly everyone: Words;
  /** But for admins of the organization. */
  readonly ordinary: Words;
}

/** What a side gives; of a content that comes or goes as a whole, admins of the organization too. */
function resultsOf(
  ladder: QueryLadder | undefined,
  sets: readonly (Words | undefined)[],
  folds: LevelFolds,
  isWhole: boolean,
): Results {
  if (ladder === undefined) return [];
  if (!isWhole) return folds.of(ladder)?.results ?? [];
  const all = blankFold();
  fold(ladder.steps, sets, all);
  return all.results;
}

/** Those of some slots that a mask keeps; `undefined` where it keeps none. */
function keep(all: readonly (Words | undefined)[], mask: (index: number) => number): Found | undefined {
  let isAny = false;
  const counts: number[] = [];
  const words = all.map((each) => {
    const kept = each === undefined ? undefined : noSlots();
    let any = 0;
    if (kept !== undefined && each !== undefined) {
      for (let index = 0; index < kept.length; index++) {
        const word = each[index] ?? 0;
        if (word !== 0) any |= kept[index] = word & mask(index);
      }
    }
    isAny ||= any !== 0;
    counts.push(any === 0 || kept === undefined ? 0 : countSlots(kept));
    return any === 0 ? undefined : kept;
  });
  return isAny ? { words, counts } : undefined;
}

function concerns(suspect: Suspect, found: readonly (Words | undefined)[]): boolean {
  if ("slot" in suspect) {
    return found.some((words) => words !== undefined && hasSlot(words, suspect.slot));
  }
  const { words: whom } = suspect;
  return (
    whom !== undefined &&
    found.some(
      (words) => words !== undefined && words.some((word, index) => (word & (whom[index] ?? 0)) !== 0),
    )
  );
}

/** The branches on the way from the roots to some of them. */
function neededFor(roots: readonly Branch[], only: ReadonlySet<Branch>): ReadonlySet<Branch> {
  const needed = new Set<Branch>();
  const look = (branch: Branch): boolean => {
    let isNeeded = only.has(branch);
    for (const below of branch.below) if (look(below)) isNeeded = true;
    if (isNeeded) needed.add(branch);
    return isNeeded;
  };
  for (const root of roots) look(root);
  return needed;
}
