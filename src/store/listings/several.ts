/** The fold of several ladders at once, of which the highest role counts: those of a site. */
import { clear, fold, type Folded, foldOn, keepHighest, type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import { hasSlot, type Words } from "../../sets/words.ts";
import type { ChunkSlots } from "../sets/set-store.ts";
import { blankFold, type LevelSteps, type QueryLadder } from "./steps.ts";

/**
 * What levels give, from each one on upwards, to the members of one chunk: each level is folded once for
 * all that inherit from it. Organization admins, who come before every level, are not among them.
 */
export class LevelFolds {
  readonly #slots: ChunkSlots;
  readonly #span: Span;
  readonly #memory: Folded[];
  readonly #folds = new Map<LevelSteps, Folded>();
  readonly #ends = new Map<string, Folded>();
  readonly #isTouched = new Map<LevelSteps, boolean>();

  /** In `memory` are folds that nobody uses any more. */
  constructor(slots: ChunkSlots, span: Span = WHOLE_CHUNK, memory: Folded[] = []) {
    this.#slots = slots;
    this.#span = span;
    this.#memory = memory;
  }

  /** What a ladder gives; the very same for ladders on which nothing differs here. */
  of({ first }: QueryLadder): Folded | undefined {
    const level = this.#touched(first);
    if (level === undefined || level.above !== undefined || this.#touches(level)) return this.#fold(level);
    // Ladders on which nobody here was given anything are told apart by their ends alone.
    const folded = this.#ends.get(level.end) ?? this.#fold(level);
    if (folded !== undefined) this.#ends.set(level.end, folded);
    return folded;
  }

  /** The first level from one on that gives something to anybody here, or the last one. */
  #touched(from: LevelSteps | undefined): LevelSteps | undefined {
    let level = from;
    while (level?.above !== undefined && !this.#touches(level)) level = level.above;
    return level;
  }

  #touches(level: LevelSteps): boolean {
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

/** Every fold of a site works in the same place. */
const MEMORY: Folded[] = [];

/** What several ladders give together. It holds until the next one is made. */
export class SeveralFolds {
  readonly #span: Span;
  /** Folds that differ, each with the first ladder that comes to it, in the order of these. */
  readonly #distinct = new Map<Folded, QueryLadder>();

  constructor(ladders: readonly QueryLadder[], slots: ChunkSlots, span: Span) {
    this.#span = span;
    const folds = new LevelFolds(slots, span, MEMORY);
    for (const ladder of ladders) {
      const folded = folds.of(ladder);
      if (folded !== undefined && !this.#distinct.has(folded)) this.#distinct.set(folded, ladder);
    }
  }

  /** Puts together what all ladders give, with `admins`, in blank results. */
  addTo(results: readonly (Words | undefined)[], admins: readonly (Words | undefined)[]): void {
    for (const folded of this.#distinct.keys()) addResults(results, folded.results, this.#span);
    addResults(results, admins, this.#span);
    keepHighest(results, this.#span);
  }

  /** The first of the ladders that gives a rank to a slot. */
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
