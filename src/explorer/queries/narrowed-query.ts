import { rank, type Role } from "../../domain/role.ts";
import { clear, fold, type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import type { Head } from "../../sets/head.ts";
import { positionAt } from "../../sets/position.ts";
import { countSlots, noSlots, slotsFrom, type Words } from "../../sets/words.ts";
import { AccessQuery, FEW_SETS, type Found } from "../../store/listings/query.ts";
import {
  type Because,
  blankFold,
  FOLD_BYTES,
  type LevelSteps,
  type Mask,
  type QueryStep,
} from "../../store/listings/steps.ts";
import type { Reading } from "../../store/reading.ts";
import { MEMBERS } from "../../store/set-names.ts";
import { readMembers } from "../../store/stretch.ts";

/** Up to so many members are read, each with all that they are in, in place of all sets of a chunk. */
const FEW_MEMBERS = 256;

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

/** The part of an access query that a filter leaves: the same fold, of which less is kept. */
export class NarrowedQuery extends AccessQuery {
  readonly #within: readonly number[];
  readonly #without: readonly number[];
  readonly #ranks: ReadonlySet<number>;
  readonly #mask: Mask | undefined;
  /** The steps of the one ladder, or the levels of each of several, masked. */
  readonly #steps: readonly QueryStep[];
  readonly #levels: readonly LevelSteps[];
  /** The sets that give a role that is kept: where these have nobody, nobody is found. */
  readonly #giving: ReadonlySet<number> | undefined;
  readonly #kept = blankFold();

  constructor(whole: AccessQuery, { because, within, without, roles }: Narrowing) {
    const more = [...within, ...without].filter(([name]) => whole.sets.placeOf(name) === undefined);
    const sets = whole.sets.with(
      more.map(([name]) => name),
      more.map(([, head]) => head),
    );
    super(whole.universe, whole.ladders, sets);
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
    this.#steps = whole.ladders[0]?.steps.map(mask) ?? [];
    this.#levels = because === undefined ? [] : whole.ladders.map(({ first }) => first.masked(mask, masked));
    const steps = whole.ladders.flatMap((ladder) => ladder.steps);
    this.#giving = because && new Set(steps.filter(isKept).map(({ set }) => set));
  }

  override has(chunk: number): boolean {
    if (this.#within.some((place) => !this.sets.hasAny(new Set([place]), chunk))) return false;
    return this.#giving === undefined ? super.has(chunk) : this.sets.hasAny(this.#giving, chunk);
  }

  /** Rows do not tell of every set. */
  override get beginsWithRows(): boolean {
    return false;
  }

  /** Where few of a chunk can be found and there are very many sets, what these few are in is read, and not the sets. */
  override async read(reading: Reading, chunk: number): Promise<readonly (Words | undefined)[]> {
    const { sets } = this;
    if (this.universe !== MEMBERS || sets.size <= FEW_SETS || this.#within.length === 0) {
      return super.read(reading, chunk);
    }
    const filters = new Set([...this.#within, ...this.#without]);
    const read = await sets.read(reading, chunk, filters);
    const [first = noSlots(), ...others] = this.#within.map((place) => read[place] ?? noSlots());
    const few = first.slice();
    for (const words of others) keep(few, words, WHOLE_CHUNK);
    if (countSlots(few) > FEW_MEMBERS) return super.read(reading, chunk);
    const positions = [...slotsFrom(few)].map((slot) => positionAt(chunk, slot));
    const stretch = await readMembers(reading, sets, positions);
    if (stretch === undefined) return super.read(reading, chunk);
    return stretch.sets.map((words, place) => (filters.has(place) ? read[place] : words));
  }

  override get bytes(): number {
    return super.bytes + FOLD_BYTES + 60 * this.#steps.length;
  }

  override fold(sets: readonly (Words | undefined)[], span: Span = WHOLE_CHUNK): Found {
    const results = this.#foldKept(sets, span);
    for (const [place, words] of results.entries()) {
      if (words === undefined) continue;
      if (!this.#ranks.has(place)) words.fill(0, span.from, span.to);
      for (const set of this.#within) keep(words, sets[set], span);
      for (const set of this.#without) drop(words, sets[set], span);
    }
    return results;
  }

  #foldKept(sets: readonly (Words | undefined)[], span: Span): Found {
    if (this.#mask === undefined) return super.fold(sets, span);
    clear(this.#kept, span);
    if (this.ladders.length === 1) fold(this.#steps, sets, this.#kept, span);
    else this.#foldSeveral(sets, span);
    return this.#kept.results;
  }

  /** Of several ladders the first that gives the highest role tells why: what is kept is what that one keeps. */
  #foldSeveral(sets: readonly (Words | undefined)[], span: Span): void {
    const left = super.fold(sets, span);
    const turn = this.last ?? { sets, span };
    const { results } = this.#kept;
    const admins = this.adminsIn(sets);
    const [step] = this.ladders[0]?.steps.filter(({ source }) => source?.rule === "admin") ?? [];
    const keepsAdmins = step !== undefined && this.#mask?.(step).result === step.result;
    for (const [place, words] of admins.entries()) {
      if (words !== undefined)
        move(left[place], words, keepsAdmins ? words : undefined, results[place], span);
    }
    for (const [index, { first }] of this.ladders.entries()) {
      const whole = first.fold(sets, span, turn).results;
      const kept = this.#levels[index]?.fold(sets, span, turn).results;
      for (const [place, words] of whole.entries()) {
        if (words !== undefined) move(left[place], words, kept?.[place], results[place], span);
      }
    }
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
