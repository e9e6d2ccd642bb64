import { rank, type Role } from "../../../domain/role.ts";
import { clear, fold, type Folded, type Span, WHOLE_CHUNK } from "../../../sets/fold.ts";
import type { Head } from "../../../sets/head.ts";
import { positionAt } from "../../../sets/position.ts";
import { countSlots, noSlots, slotsFrom, type Words } from "../../../sets/words.ts";
import { AccessQuery, FEW_SETS, type Found, type Plan } from "../../../store/listings/query.ts";
import {
  type Because,
  blankFold,
  type LevelSteps,
  type Mask,
  type QueryLadder,
  type QueryStep,
} from "../../../store/listings/steps.ts";
import { LevelFolds } from "../../../store/listings/several.ts";
import type { Reading } from "../../../store/reading.ts";
import { MEMBERS } from "../../../store/schema/set-names.ts";
import type { ChunkedSets, ChunkSlots } from "../../../store/sets/set-store.ts";
import { readMembers } from "../../../store/sets/member-slots.ts";

/** Reading a member with all that they are in costs about as much as so many containers. */
const MEMBER_COST = 3;

/** A set by its name, which need not be stored, with its head. */
export type NamedSet = readonly [name: string, head: Head];

/** What an access query is narrowed to. */
export interface Narrowing {
  /** Which reasons count; every one where it is absent. */
  readonly because?: (because: Because) => boolean;
  /** Slots have to be in each of these sets, and in none of those. */
  readonly within: readonly NamedSet[];
  readonly without: readonly NamedSet[];
  readonly roles: readonly Role[];
}

/** The folds of several ladders work in the same places. */
const WHOLE: Folded[] = [];
const MASKED: Folded[] = [];

/** The part of an access query that a filter leaves: the same fold, of which less is kept. */
export class NarrowedQuery extends AccessQuery {
  readonly #within: readonly number[];
  readonly #without: readonly number[];
  readonly #ranks: ReadonlySet<number>;
  readonly #mask: Mask | undefined;
  /** The ladders, masked. */
  readonly #masked: readonly QueryLadder[];
  /** The sets that give a role that is kept: where these have nobody, nobody is found. */
  readonly #giving: ReadonlySet<number> | undefined;
  readonly #kept = blankFold();

  constructor(whole: AccessQuery, { because, within, without, roles }: Narrowing) {
    const more = [...within, ...without].filter(([name]) => whole.sets.placeOf(name) === undefined);
    const sets = whole.sets.with(
      more.map(([name]) => name),
      more.map(([, head]) => head),
    );
    super(whole.universe, () => ({ ladders: whole.ladders, sets }));
    this.#within = within.flatMap(([name]) => sets.placeOf(name) ?? []);
    this.#without = without.flatMap(([name]) => sets.placeOf(name) ?? []);
    this.#ranks = new Set(roles.map(rank));
    const isKept = ({ source, because: given }: QueryStep) => {
      const told = source ?? given;
      return told === undefined || because === undefined || because(told);
    };
    const mask: Mask = (step) => (isKept(step) ? step : { ...step, result: 0 });
    const masked = new Map<LevelSteps, LevelSteps>();
    this.#mask = because && mask;
    this.#masked = because === undefined ? [] : whole.ladders.map((ladder) => ladder.masked(mask, masked));
    const steps = because === undefined ? [] : whole.ladders.flatMap((ladder) => ladder.steps);
    this.#giving = because && new Set(steps.filter(isKept).map(({ set }) => set));
  }

  override has(opened: ChunkedSets, chunk: number, wanted?: number): boolean {
    if (this.#within.some((place) => !opened.has(chunk, [place]))) return false;
    if (this.#giving !== undefined && !opened.has(chunk, this.#giving)) return false;
    return super.has(opened, chunk, wanted);
  }

  override planFor(wanted: number | undefined): Plan {
    const plan = super.planFor(wanted);
    return { ...plan, sets: [...plan.sets, ...this.#within, ...this.#without] };
  }

  /** Where few of a chunk can be found and there are very many sets, what these few are in is read, and not the sets. */
  override async read(
    reading: Reading,
    opened: ChunkedSets,
    chunks: readonly number[],
    wanted?: number,
  ): Promise<readonly ChunkSlots[]> {
    if (this.universe !== MEMBERS || this.sets.size <= FEW_SETS || this.#within.length === 0) {
      return super.read(reading, opened, chunks, wanted);
    }
    const filters = new Set([...this.#within, ...this.#without]);
    const found: ChunkSlots[] = [];
    for (const chunk of chunks) {
      const few = await this.#readFew(reading, opened, chunk, filters);
      found.push(...(few === undefined ? await super.read(reading, opened, [chunk], wanted) : [few]));
    }
    return found;
  }

  async #readFew(
    reading: Reading,
    opened: ChunkedSets,
    chunk: number,
    filters: ReadonlySet<number>,
  ): Promise<ChunkSlots | undefined> {
    const read = await opened.read(reading, chunk, filters);
    const [first = noSlots(), ...others] = this.#within.map((place) => read[place] ?? noSlots());
    const few = first.slice();
    for (const words of others) keep(few, words, WHOLE_CHUNK);
    if (MEMBER_COST * countSlots(few) > opened.size) return undefined;
    const positions = [...slotsFrom(few)].map((slot) => positionAt(chunk, slot));
    const slots = await readMembers(reading, this.sets, positions);
    return slots?.map((words, place) => (filters.has(place) ? read[place] : words));
  }

  override get bytes(): number {
    return super.bytes + 1000 * this.#masked.length;
  }

  override fold(sets: ChunkSlots, span: Span = WHOLE_CHUNK): Found {
    const found = this.#foldKept(sets, span);
    const { results } = found;
    for (const [place, words] of results.entries()) {
      if (words === undefined) continue;
      if (!this.#ranks.has(place)) words.fill(0, span.from, span.to);
      for (const set of this.#within) keep(words, sets[set], span);
      for (const set of this.#without) drop(words, sets[set], span);
    }
    return found;
  }

  #foldKept(sets: ChunkSlots, span: Span): Found {
    if (this.#mask === undefined) return super.fold(sets, span);
    clear(this.#kept, span);
    const { results } = this.#kept;
    const [only, ...others] = this.#masked;
    if (only === undefined || others.length > 0) return { results, ladderOf: this.#foldSeveral(sets, span) };
    fold(only.steps, sets, this.#kept, span);
    return { results, ladderOf: () => this.ladders[0] };
  }

  /** Of several ladders the first that gives the highest role tells why: what is kept is what that one keeps. */
  #foldSeveral(sets: ChunkSlots, span: Span): Found["ladderOf"] {
    const { results: left, ladderOf } = super.fold(sets, span);
    const folds = new LevelFolds(sets, span, WHOLE);
    const masked = new LevelFolds(sets, span, MASKED);
    const { results } = this.#kept;
    const admins = this.adminsIn(sets);
    const [step] = this.ladders[0]?.steps.filter(({ source }) => source?.rule === "admin") ?? [];
    const keepsAdmins = step !== undefined && this.#mask?.(step).result === step.result;
    for (const [place, words] of admins.entries()) {
      if (words !== undefined)
        move(left[place], words, keepsAdmins ? words : undefined, results[place], span);
    }
    for (const [index, ladder] of this.ladders.entries()) {
      const less = this.#masked[index];
      const whole = folds.of(ladder)?.results ?? [];
      const kept = less && masked.of(less)?.results;
      for (const [place, words] of whole.entries()) {
        if (words !== undefined) move(left[place], words, kept?.[place], results[place], span);
      }
    }
    return ladderOf;
  }
}

/** Takes `from` out of what is left; those of them that are also in `kept` come in. */
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

function keep(words: Words, within: Words | undefined, { from, to }: Span): void {
  for (let index = from; index < to; index++) words[index] = (words[index] ?? 0) & (within?.[index] ?? 0);
}

function drop(words: Words, without: Words | undefined, { from, to }: Span): void {
  if (without === undefined) return;
  for (let index = from; index < to; index++) words[index] = (words[index] ?? 0) & ~(without[index] ?? 0);
}
