import type { Folded, Span } from "../../../sets/fold.ts";
import { addSlots, asWords, isAmong } from "../../../sets/slots.ts";
import { addSlot, countSlots, keepOnly, noSlots, slotsFrom, type Words } from "../../../sets/words.ts";
import type { Found } from "../../../store/listings/access-query/query.ts";
import { LevelFolds } from "../../../store/listings/access-query/several.ts";
import type { LevelSteps, Mask, QueryLadder, QueryStep } from "../../../store/listings/access-query/steps.ts";
import type { ChunkSets, ChunkSlots } from "../../../store/sets/set-store.ts";

/** Up to this many slots, deciding each slot is faster than folding another ladder. */
const FEW = 16;

/** Working memory that all folds share, so that they allocate nothing. */
const WHOLE: Folded[] = [];
const MASKED: Folded[] = [];

/**
 * On several ladders, a slot has the highest role that any of them gives. The filter accepts or rejects the reason on
 * the first ladder that gives this role.
 */
export class KeptOfSeveral {
  readonly #ladders: readonly QueryLadder[];
  readonly #masked: readonly QueryLadder[];
  readonly #mask: Mask;

  constructor(ladders: readonly QueryLadder[], mask: Mask) {
    this.#ladders = ladders;
    this.#mask = mask;
    const made = new Map<LevelSteps, LevelSteps>();
    this.#masked = ladders.map((ladder) => ladder.masked(mask, made));
  }

  /**
   * Adds to `kept` the slots that pass the filter. The call empties `found`, the fold of the whole ladders. `giving`
   * maps each rank to the sets of steps with an accepted reason: a slot in none of these sets cannot pass.
   */
  addTo(
    kept: ChunkSlots,
    { results: left, ladderOf }: Found,
    sets: ChunkSets,
    span: Span,
    giving: ReadonlyMap<number, ReadonlySet<number>>,
  ): void {
    for (const [place, words] of left.entries()) {
      if (words === undefined) continue;
      const able = new Uint32Array(words.length);
      for (const set of giving.get(place) ?? []) addSlots(able, sets[set]);
      keepOnly(words, able).fill(0, 0, span.from).fill(0, span.to);
    }
    this.#moveAdmins(kept, left, sets, span);
    this.#moveMany(kept, left, sets, span);
    for (const [place, words] of left.entries()) {
      for (const slot of words === undefined ? [] : slotsFrom(words)) {
        const step = ladderOf(slot, place)?.steps.find(({ set }) => isAmong(sets[set], slot));
        if (step !== undefined && this.#keeps(step)) addSlot(kept[place] ?? noSlots(), slot);
      }
    }
  }

  #keeps(step: QueryStep): boolean {
    return this.#mask(step).result === step.result;
  }

  /** Decides organization admins first, because their step precedes every level. */
  #moveAdmins(kept: ChunkSlots, left: ChunkSlots, sets: ChunkSets, span: Span): void {
    const step = this.#ladders[0]?.steps.find(({ source }) => source?.rule === "admin");
    const admins = step && sets[step.set];
    if (step === undefined || admins === undefined) return;
    const words = asWords(admins);
    move(left[step.result], words, this.#keeps(step) ? words : undefined, kept[step.result], span);
  }

  /** Folds one ladder after the other, until at most `FEW` slots are undecided. */
  #moveMany(kept: ChunkSlots, left: ChunkSlots, sets: ChunkSets, span: Span): void {
    const folds = new LevelFolds(sets, span, WHOLE);
    const masked = new LevelFolds(sets, span, MASKED);
    const done = new Set<Folded>();
    for (const [index, ladder] of this.#ladders.entries()) {
      if (isFew(left)) return;
      const less = this.#masked[index];
      const whole = folds.of(ladder);
      // Ladders with equal sources share one fold, which needs to be applied only once.
      if (whole === undefined || done.has(whole)) continue;
      done.add(whole);
      const keeps = less && masked.of(less)?.results;
      for (const [place, words] of whole.results.entries()) {
        if (words !== undefined) move(left[place], words, keeps?.[place], kept[place], span);
      }
    }
  }
}

function isFew(results: ChunkSlots): boolean {
  let count = 0;
  for (const words of results) if (words !== undefined) count += countSlots(words);
  return count <= FEW;
}

/** Removes from `left` the slots that are in `from`, and adds those of them that are in `kept` to `into`. */
function move(
  left: Words | undefined,
  from: Words,
  kept: Words | undefined,
  into: Words | undefined,
  span: Span,
): void {
  if (left === undefined || into === undefined) return;
  for (let index = span.from; index < span.to; index++) {
    const here = (left[index] ?? 0) & (from[index] ?? 0);
    left[index] = (left[index] ?? 0) & ~here;
    into[index] = (into[index] ?? 0) | (here & (kept?.[index] ?? 0));
  }
}
