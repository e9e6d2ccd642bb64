/** Folds the ladders of a site's spaces together. The highest role counts. */
import { clear, fold, type Folded, foldOn, keepHighest, type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import { hasSlot, type Words } from "../../sets/words.ts";
import type { ChunkSlots } from "../sets/set-store.ts";
import { blankFold, type LevelSteps, type QueryLadder } from "./steps.ts";

/**
 * The roles that levels, from each one upwards, give to the members of one chunk. Each level is folded once for all
 * ladders that inherit from it. Organization admins, who come before every level, are not included.
 */
export class LevelFolds {
  readonly #slots: ChunkSlots;
  readonly #span: Span;
  readonly #memory: Folded[];
  readonly #folds = new Map<LevelSteps, Folded>();
  readonly #ends = new Map<string, Folded>();
  readonly #isTouched = new Map<LevelSteps, boolean>();
  readonly #allTouched: ReadonlySet<LevelSteps> | undefined;

  /** `memory` contains folds that may be reused. `ladders` are the requested ones, if they are known. */
  constructor(
    slots: ChunkSlots,
    span: Span = WHOLE_CHUNK,
    memory: Folded[] = [],
    ladders?: readonly QueryLadder[],
  ) {
    this.#slots = slots;
    this.#span = span;
    this.#memory = memory;
    this.#allTouched = ladders && touchedIn(ladders, slots);
  }

  /** The fold of a ladder; the same object for ladders that do not differ in this chunk. */
  of({ first }: QueryLadder): Folded | undefined {
    const level = this.#touched(first);
    if (level === undefined || level.above !== undefined || this.#touches(level)) return this.#fold(level);
    // Ladders without permissions in this chunk differ only in how they end.
    const folded = this.#ends.get(level.end) ?? this.#fold(level);
    if (folded !== undefined) this.#ends.set(level.end, folded);
    return folded;
  }

  /** The first level, from one on, that has permissions in this chunk, or the last level. */
  #touched(from: LevelSteps | undefined): LevelSteps | undefined {
    let level = from;
    while (level?.above !== undefined && !this.#touches(level)) level = level.above;
    return level;
  }

  #touches(level: LevelSteps): boolean {
    if (this.#allTouched !== undefined) return this.#allTouched.has(level);
    let touches = this.#isTouched.get(level);
    if (touches === undefined) {
      touches = level.given.some(({ set }) => this.#slots[set] !== undefined);
      this.#isTouched.set(level, touches);
    }
    return touches;
  }

  #fold(level: LevelSteps | undefined): Folded | undefined {
    if (level === undefined) return undefined;
    const known = this.#folds.get(level);
    if (known !== undefined) return known;
    const folded = (this.#memory[this.#folds.size] ??= blankFold());
    this.#folds.set(level, folded);
    clear(folded, this.#span);
    fold(level.given, this.#slots, folded, this.#span);
    const above = this.#fold(this.#touched(level.above));
    if (above !== undefined) foldOn(folded, above, this.#span);
    else fold(level.others, this.#slots, folded, this.#span);
    return folded;
  }
}

/** By site: for each set, the levels on which it has a permission. */
const GIVEN_ON = new WeakMap<readonly QueryLadder[], ReadonlyMap<number, readonly LevelSteps[]>>();

/** The levels with permissions in this chunk; most of many ladders have none. */
function touchedIn(ladders: readonly QueryLadder[], slots: ChunkSlots): ReadonlySet<LevelSteps> {
  let givenOn = GIVEN_ON.get(ladders);
  if (givenOn === undefined) {
    const levels = new Set<LevelSteps>();
    for (const { first } of ladders)
      for (let level = first; level !== undefined && !levels.has(level); level = level.above)
        levels.add(level);
    const given = [...levels].flatMap((level) => level.given.map(({ set }) => ({ set, level })));
    const bySet = Map.groupBy(given, ({ set }) => set);
    givenOn = new Map([...bySet].map(([set, each]) => [set, each.map(({ level }) => level)]));
    GIVEN_ON.set(ladders, givenOn);
  }
  const touched = new Set<LevelSteps>();
  for (const [set, levels] of givenOn) {
    if (slots[set] !== undefined) for (const level of levels) touched.add(level);
  }
  return touched;
}

/** The folds of all sites share this memory. */
const MEMORY: Folded[] = [];

/** The roles that several ladders give together. The result is valid until the next one is made. */
export class SeveralFolds {
  readonly #span: Span;
  /** The distinct folds, each with the first ladder that has it, in order. */
  readonly #distinct = new Map<Folded, QueryLadder>();

  constructor(ladders: readonly QueryLadder[], slots: ChunkSlots, span: Span) {
    this.#span = span;
    const folds = new LevelFolds(slots, span, MEMORY, ladders);
    for (const ladder of ladders) {
      const folded = folds.of(ladder);
      if (folded !== undefined && !this.#distinct.has(folded)) this.#distinct.set(folded, ladder);
    }
  }

  /** Adds the roles of all ladders, and `admins`, to blank results. */
  addTo(results: readonly (Words | undefined)[], admins: readonly (Words | undefined)[]): void {
    for (const folded of this.#distinct.keys()) addResults(results, folded.results, this.#span);
    addResults(results, admins, this.#span);
    keepHighest(results, this.#span);
  }

  /** The first ladder that gives a rank to a slot. */
  ladderOf(slot: number, rank: number): QueryLadder | undefined {
    for (const [folded, ladder] of this.#distinct) {
      const words = folded.results[rank];
      if (words !== undefined && hasSlot(words, slot)) return ladder;
    }
    return undefined;
  }
}

function addResults(
  into: readonly (Words | undefined)[],
  more: readonly (Words | undefined)[],
  { from, to }: Span,
): void {
  for (const [place, words] of more.entries()) {
    const own = into[place];
    if (words === undefined || own === undefined) continue;
    for (let index = from; index < to; index++) own[index] = (own[index] ?? 0) | (words[index] ?? 0);
  }
}
