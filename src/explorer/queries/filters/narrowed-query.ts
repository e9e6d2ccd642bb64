import { rank, type Role } from "../../../domain/role.ts";
import { clear, fold, type Span, WHOLE_CHUNK } from "../../../sets/fold.ts";
import type { Head } from "../../../sets/head.ts";
import { addSlots, asWords, type Slots } from "../../../sets/slots.ts";
import { addAll, addSlot, countSlots, noSlots, slotsFrom, type Words } from "../../../sets/words.ts";
import { AccessQuery, FEW_SETS, type Found, type Plan } from "../../../store/listings/access-query/query.ts";
import {
  type Because,
  blankFold,
  type Mask,
  type QueryLadder,
  type QueryStep,
} from "../../../store/listings/access-query/steps.ts";
import { stepsOf } from "../../../store/listings/access-query/ladder-tree.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Decided } from "../../../store/listings/access-query/row-decisions.ts";
import type { ChunkedSets, ChunkSets } from "../../../store/sets/set-store.ts";
import { KeptOfSeveral } from "./kept-of-several.ts";

/** How many containers can be read in the time that it takes to read one member's teams and permissions. */
const MEMBER_COST = 3;

/** A set that need not be stored. */
export type NamedSet = readonly [name: string, head: Head];

export interface Narrowing {
  /** Whether a reason is accepted. Without it, every reason is. */
  readonly because?: (because: Because) => boolean;
  /** Slots must be in every set of `within`, and in none of `without`. */
  readonly within: readonly NamedSet[];
  readonly without: readonly NamedSet[];
  readonly roles: readonly Role[];
}

interface Known {
  /** The decision for each slot that can match, if there are few; read from the members' rows. */
  readonly few?: ReadonlyMap<number, Decided | undefined>;
  /** Whether the slots of every rank were read, not only those of the requested rank. */
  readonly isWhole: boolean;
}

/** An access query whose fold gives no role to slots that a filter excludes. */
export class NarrowedQuery extends AccessQuery {
  readonly #within: readonly number[];
  readonly #without: readonly number[];
  readonly #ranks: ReadonlySet<number>;
  readonly #because: Narrowing["because"];
  readonly #mask: Mask | undefined;
  /**
   * For a filter by reason on a query with one ladder: that ladder; the steps whose reason is not accepted give no
   * role.
   */
  readonly #masked: QueryLadder | undefined;
  /** For a filter by reason on a query with several ladders. */
  readonly #several: KeptOfSeveral | undefined;
  /**
   * For each rank, the sets that can give it to a slot that passes the filter. A chunk is skipped if all of these sets
   * are empty in it.
   */
  readonly #giving: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #anyGiving: readonly number[];
  readonly #filters: readonly number[];
  readonly #plans = new Map<number | undefined, Plan>();
  readonly #kept = blankFold();
  readonly #known = new WeakMap<ChunkSets, Known>();
  readonly #whole: AccessQuery;

  constructor(whole: AccessQuery, { because, within, without, roles }: Narrowing) {
    const more = [...within, ...without].filter(([name]) => whole.sets.indexOf(name) === undefined);
    const sets = whole.sets.with(
      more.map(([name]) => name),
      more.map(([, head]) => head),
    );
    super(whole.universe, () => ({ ladders: whole.ladders, sets }));
    this.#whole = whole;
    this.#within = [whole.within ?? [], ...within.map(([name]) => sets.indexOf(name) ?? [])].flat();
    this.#without = without.flatMap(([name]) => sets.indexOf(name) ?? []);
    this.#ranks = new Set(roles.map(rank));
    const isKept = ({ source, because: given }: QueryStep) => {
      const reason = source ?? given;
      return reason === undefined || because === undefined || because(reason);
    };
    this.#because = because;
    const mask: Mask = (step) => (isKept(step) ? step : { ...step, result: 0 });
    this.#mask = because && mask;
    const [only, ...others] = whole.ladders;
    const isSeveral = others.length > 0;
    this.#masked = because && (isSeveral ? undefined : only?.masked(mask, new Map()));
    this.#several = because && (isSeveral ? new KeptOfSeveral(whole.ladders, mask) : undefined);
    const giving = stepsOf(whole.ladders).filter((step) => this.#ranks.has(step.result) && isKept(step));
    this.#giving = new Map(
      [...this.#ranks].map((each) => [
        each,
        new Set(giving.filter(({ result }) => result === each).map(({ set }) => set)),
      ]),
    );
    this.#anyGiving = [...new Set(giving.map(({ set }) => set))];
    this.#filters = [...this.#within, ...this.#without];
  }

  override has(opened: ChunkedSets, chunk: number, wanted?: number): boolean {
    if (this.#within.some((place) => !opened.has(chunk, [place]))) return false;
    if (!opened.has(chunk, this.#givers(wanted))) return false;
    return super.has(opened, chunk, wanted);
  }

  #givers(wanted: number | undefined): Iterable<number> {
    return wanted === undefined ? this.#anyGiving : (this.#giving.get(wanted) ?? []);
  }

  override planFor(wanted: number | undefined): Plan {
    const known = this.#plans.get(wanted);
    if (known !== undefined) return known;
    const plan = super.planFor(wanted);
    const made = { ...plan, sets: [...plan.sets, ...this.#within, ...this.#without] };
    this.#plans.set(wanted, made);
    return made;
  }

  /** `undefined`, because heads do not show which positions pass the filter. */
  override ranksByHeads(): undefined {
    return undefined;
  }

  /**
   * If few slots of a chunk can match and the query has more than {@link FEW_SETS} sets, reads the rows of these few
   * members in place of the sets.
   */
  override async read(
    reading: Reading,
    opened: ChunkedSets,
    chunks: readonly number[],
    wanted?: number,
    isExplained?: boolean,
  ): Promise<readonly ChunkSets[]> {
    const isWhole = wanted === undefined || isExplained === true || this.ladders.length > 1;
    const decisions = this.sets.size > FEW_SETS ? this.#whole.rowDecisions : undefined;
    const found: ChunkSets[] = [];
    for (const chunk of decisions === undefined ? [] : chunks) {
      const possible = await this.#few(reading, opened, chunk, wanted);
      const few = possible && (await decisions?.ofSlots(reading, chunk, possible.slots));
      if (few === undefined) break;
      const none: ChunkSets = [];
      this.#known.set(none, { few, isWhole: possible?.isWhole === true });
      found.push(none);
    }
    if (found.length === chunks.length) return found;
    const read = await super.read(reading, opened, chunks.slice(found.length), wanted, isExplained);
    for (const slots of read) this.#known.set(slots, { isWhole });
    return [...found, ...read];
  }

  /**
   * The slots of a chunk that can match, if they are few (`isWhole`). Otherwise, with a filter by reason, the slots that
   * can have the wanted rank, if these are few. Otherwise `undefined`.
   */
  async #few(reading: Reading, opened: ChunkedSets, chunk: number, wanted: number | undefined) {
    const filters = await opened.read(reading, chunk, this.#filters);
    const isFew = (words: Words) => MEMBER_COST * countSlots(words) <= opened.size;
    const filtered = (words: Words) => {
      for (const place of this.#within) keep(words, filters[place], WHOLE_CHUNK);
      for (const place of this.#without) drop(words, filters[place], WHOLE_CHUNK);
      return words;
    };
    const [first] = this.#within;
    const within = first === undefined ? undefined : filtered(addAll(noSlots(), filters[first]));
    if (within !== undefined && isFew(within)) return { slots: [...slotsFrom(within)], isWhole: true };
    if (this.#mask === undefined) return undefined;
    const [giving = []] = await opened.readAll(reading, [chunk], this.#anyGiving);
    const given = (sets: Iterable<number>) => {
      const words = noSlots();
      for (const set of sets) addSlots(words, giving[set]);
      return filtered(words);
    };
    const all = given(this.#anyGiving);
    if (isFew(all)) return { slots: [...slotsFrom(all)], isWhole: true };
    const some = given(this.#givers(wanted));
    return wanted !== undefined && isFew(some) ? { slots: [...slotsFrom(some)], isWhole: false } : undefined;
  }

  override get bytes(): number {
    return super.bytes + 1000 * (this.#mask === undefined ? 0 : this.ladders.length);
  }

  override fold(sets: ChunkSets, span: Span = WHOLE_CHUNK): Found {
    const { few, isWhole = false } = this.#known.get(sets) ?? {};
    if (few !== undefined) return { ...this.#keepFew(few), isWhole };
    const found = this.#foldKept(sets, span);
    const { results } = found;
    const wordsOf = (slots: Slots | undefined) => slots && asWords(slots);
    const within = this.#within.map((set) => wordsOf(sets[set]));
    const without = this.#without.map((set) => wordsOf(sets[set]));
    for (const [place, words] of results.entries()) {
      if (words === undefined) continue;
      if (!this.#ranks.has(place)) words.fill(0, span.from, span.to);
      for (const each of within) keep(words, each, span);
      for (const each of without) drop(words, each, span);
    }
    return { ...found, isWhole };
  }

  #keepFew(few: ReadonlyMap<number, Decided | undefined>): Found {
    clear(this.#kept);
    const { results } = this.#kept;
    for (const [slot, decided] of few) {
      if (decided === undefined || this.#because?.(decided.decision) === false) continue;
      const held = rank(decided.decision.role);
      if (this.#ranks.has(held)) addSlot(results[held] ?? noSlots(), slot);
    }
    return { results, ladderOf: () => undefined, decidedAt: (slot) => few.get(slot) };
  }

  #foldKept(sets: ChunkSets, span: Span): Found {
    if (this.#mask === undefined) return super.fold(sets, span);
    clear(this.#kept, span);
    const { results } = this.#kept;
    if (this.#several !== undefined) {
      const whole = super.fold(sets, span);
      this.#several.addTo(results, whole, sets, span, this.#giving);
      return { results, ladderOf: whole.ladderOf };
    }
    fold(this.#masked?.steps ?? [], sets, this.#kept, span);
    return { results, ladderOf: () => this.ladders[0] };
  }
}

function keep(words: Words, within: Words | undefined, { from, to }: Span): void {
  for (let index = from; index < to; index++) words[index] = (words[index] ?? 0) & (within?.[index] ?? 0);
}

function drop(words: Words, without: Words | undefined, { from, to }: Span): void {
  if (without === undefined) return;
  for (let index = from; index < to; index++) words[index] = (words[index] ?? 0) & ~(without[index] ?? 0);
}
