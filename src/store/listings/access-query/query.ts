/** Access queries: the effective roles of members, as steps of a fold over sets. */
import { type Decision, isOpen, type Ladder, type Source } from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { type Role, roleOf } from "../../../domain/role.ts";
import { clear, fold, keepHighest, type Span, WHOLE_CHUNK } from "../../../sets/fold.ts";
import { addSlots, asWords, isAmong, type Slots } from "../../../sets/slots.ts";
import type { Words } from "../../../sets/words.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS, memberSets, type Universe } from "../../schema/set-names.ts";
import { NamedSets } from "../../sets/named-sets.ts";
import type { ChunkedSets, ChunkSets, ChunkSlots } from "../../sets/set-store.ts";
import { KNOWN_SLOTS, KnownSlots } from "./known-slots.ts";
import { ladderGiving, stepsOf, treeOf } from "./ladder-tree.ts";
import { type Decided, RowDecisions } from "./row-decisions.ts";
import { blankFold, LadderSteps, QueryLadder, type QueryStep } from "./steps.ts";

/** A query with more sets than this decides members by their rows, or reads fewer chunks at once. */
export const FEW_SETS = 64;

/** With at most this many positions, a page is selected from all of them at once, instead of chunk by chunk. */
const FEW_POSITIONS = 1024;

/** The result of folding one chunk. The next fold of any query reuses its memory. */
export interface Found {
  readonly results: readonly (Words | undefined)[];
  /** Returns the first ladder on which a slot has a rank. */
  readonly ladderOf: (slot: number, rank: number) => QueryLadder | undefined;
  /** Returns the source of a slot's role, if the fold has found it. */
  readonly decidedAt?: (slot: number) => Decided | undefined;
  /** Whether the results have the slots of every rank, even if one rank was requested. */
  readonly isWhole?: boolean;
}

let queries = 0;

/** The input of a query's fold. */
export interface Folding {
  readonly ladders: readonly QueryLadder[];
  readonly sets: NamedSets;
  /** The index of a set. If present, only the slots of this set count. */
  readonly within?: number | undefined;
}

/** The steps of a fold that are necessary for one rank, or for all ranks. */
export interface Plan {
  readonly steps: readonly QueryStep[];
  /** The indexes of the sets in the steps. `givers` are the indexes of the sets that give the rank. */
  readonly sets: readonly number[];
  readonly givers: readonly number[];
}

/** Memory that all folds share, so that a fold allocates nothing. */
const SCRATCH = blankFold();

/**
 * Effective roles as a fold over sets: the roles of all members on one content, their highest roles on the spaces of a
 * site, or the roles of one member on all spaces.
 */
export class AccessQuery {
  readonly universe: Universe;
  #folding: Folding | undefined;
  readonly #fold: () => Folding;
  readonly #levels: readonly Ladder[];
  #rowDecisions: RowDecisions | undefined;
  /** Whether a ladder gives a role to members without a permission. */
  readonly isOpen: boolean;
  readonly #plans = new Map<number | undefined, Plan>();
  /** Identifies this query in cache keys. */
  readonly #key = `${++queries}`;

  /** `fold` is called on first use. With `levels`, members can also be decided by their rows. */
  constructor(universe: Universe, fold: () => Folding, levels: readonly Ladder[] = []) {
    this.universe = universe;
    this.#fold = fold;
    this.#levels = levels;
    this.isOpen = levels.some(isOpen);
  }

  get #made(): Folding {
    return (this.#folding ??= this.#fold());
  }

  get ladders(): readonly QueryLadder[] {
    return this.#made.ladders;
  }

  get sets(): NamedSets {
    return this.#made.sets;
  }

  /** The index of the only set whose slots count; `undefined` if all slots count. */
  get within(): number | undefined {
    return this.#made.within;
  }

  /** Whether any slot of a chunk may have `rank`, or any rank at all if `rank` is absent. */
  has(opened: ChunkedSets, chunk: number, rank?: number): boolean {
    if (this.within !== undefined && !opened.has(chunk, [this.within])) return false;
    return opened.has(chunk, this.planFor(rank).givers);
  }

  /**
   * Decides members by their rows, for pages that read member rows before containers: pages of a query that lists
   * members without a permission, or that has more than {@link FEW_SETS} sets. `undefined` for other queries.
   */
  get rowDecisions(): RowDecisions | undefined {
    const isBegun = this.isOpen || (this.#levels.length > 0 && this.sets.size > FEW_SETS);
    return isBegun ? (this.#rowDecisions ??= new RowDecisions(this.#levels)) : undefined;
  }

  /**
   * Reads the slots of sets in each of the given chunks: the sets that are necessary for `rank`, or all sets with
   * `isExplained`.
   */
  read(
    reading: Reading,
    opened: ChunkedSets,
    chunks: readonly number[],
    rank?: number,
    isExplained?: boolean,
  ): Promise<readonly ChunkSets[]> {
    return opened.readAll(reading, chunks, this.planFor(isExplained === true ? undefined : rank).sets);
  }

  /** The approximate size in bytes, including what is computed on first use. */
  get bytes(): number {
    if (this.#levels.length === 0)
      return 1000 + 2000 * this.ladders.length + 150 * this.sets.size + this.sets.bytes;
    const levels = new Set(this.#levels.flat());
    let sets = 6 * levels.size;
    for (const { teams } of levels) sets += teams.size;
    return 3000 + 2000 * this.#levels.length + 500 * levels.size + 300 * sets;
  }

  /** The plan for one rank, or for all ranks if `rank` is `undefined`. */
  planFor(rank: number | undefined): Plan {
    const known = this.#plans.get(rank);
    if (known !== undefined) return known;
    const all = stepsOf(this.ladders);
    const gives = ({ result }: QueryStep) => (rank === undefined ? result > 0 : result === rank);
    const isSingle = this.ladders.length === 1;
    // On a single ladder, steps after the last one that gives this rank do not change which members have it.
    const first = isSingle ? all.slice(0, all.findLastIndex(gives) + 1) : all;
    const steps =
      isSingle && rank !== undefined ? first.filter((step) => gives(step) || !isByMemberRole(step)) : first;
    const sets = new Set(steps.map(({ set }) => set));
    if (this.within !== undefined) sets.add(this.within);
    const givers = new Set(steps.filter(gives).map(({ set }) => set));
    const plan = { steps, sets: [...sets], givers: [...givers] };
    this.#plans.set(rank, plan);
    return plan;
  }

  /**
   * The rank of each position, computed from the heads of sets only; 0 means no role. `undefined` unless the sets are
   * few and small.
   */
  ranksByHeads(opened: ChunkedSets, rank: number | undefined): ReadonlyMap<number, number> | undefined {
    if (this.ladders.length !== 1 || this.within !== undefined || this.sets.size > FEW_SETS) return undefined;
    const ranks = new Map<number, number>();
    for (const { set, result } of this.planFor(rank).steps) {
      const positions = opened.positionsOf(set);
      if (positions === undefined) return undefined;
      for (const position of positions) if (!ranks.has(position)) ranks.set(position, result);
      if (ranks.size > FEW_POSITIONS) return undefined;
    }
    return ranks;
  }

  /** Folds the sets of one chunk. With `rank`, only the result of that rank is complete. */
  fold(slots: ChunkSets, span: Span = WHOLE_CHUNK, rank?: number): Found {
    const [only, ...others] = this.ladders;
    clear(SCRATCH, span);
    let { results } = SCRATCH;
    let ladderOf: Found["ladderOf"] = () => only;
    if (only !== undefined && others.length === 0) {
      if (rank !== undefined) results = results.map((words, index) => (index === rank ? words : undefined));
      fold(this.planFor(rank).steps, slots, { results, decided: SCRATCH.decided }, span);
    } else {
      treeOf(this.ladders).addTo(results, slots, span);
      const { admins } = this;
      // Organization admins come before every level, so they are added after the fold.
      const among = results[admins?.result ?? 0];
      if (among !== undefined) addSlots(among, admins && slots[admins.set]);
      keepHighest(results, span);
      ladderOf = (slot, held) => {
        const isAdmin = held === admins?.result && isAmong(slots[admins.set], slot);
        return isAdmin ? only : ladderGiving(this.ladders, slots, slot, held);
      };
    }
    if (this.within !== undefined) keepWithin(results, slots[this.within]);
    return { results, ladderOf };
  }

  protected get admins(): QueryStep | undefined {
    return this.ladders[0]?.steps.find(({ source }) => source?.rule === "admin");
  }

  /** The cached slots of each rank, as earlier folds have found them. */
  knownSlots({ cache, at }: Reading): KnownSlots {
    const known = cache.get(KNOWN_SLOTS, at, this.#key) ?? new KnownSlots();
    // Stores the same object again, so that the cache measures its size: earlier pages have added slots.
    cache.keep(KNOWN_SLOTS, at, this.#key, known);
    return known;
  }

  /** The source on a ladder that gives a slot its role. */
  decidedAt(slots: ChunkSets, slot: number, { levels, steps }: QueryLadder): Decided | undefined {
    const step = steps.find(({ set }) => isAmong(slots[set], slot));
    if (step?.source === undefined) return undefined;
    const decision = decisionOf(levels, step.source, roleOf(step.result));
    const { level } = decision;
    const teams = level === undefined ? [] : teamsAt(slots, slot, steps, level.content);
    return { ladder: levels, decision, teams };
  }
}

/**
 * Whether a step is for one organization role, at the end of its ladder. Each member has one organization role, so
 * these steps have no members in common.
 */
function isByMemberRole({ source }: QueryStep): boolean {
  return source?.rule === "default" || source?.rule === "organization";
}

function keepWithin(results: ChunkSlots, slots: Slots | undefined): void {
  const within = slots && asWords(slots);
  for (const words of results) {
    if (words === undefined) continue;
    for (const [index, word] of words.entries()) words[index] = word & (within?.[index] ?? 0);
  }
}

/**
 * The teams that have a permission on a level, among the teams of the member at a slot. The deciding team comes first.
 */
function teamsAt(slots: ChunkSets, slot: number, steps: readonly QueryStep[], at: ContentKey): string[] {
  return steps.flatMap(({ set, source }) => {
    if (source?.rule !== "team" || source.content !== at) return [];
    return isAmong(slots[set], slot) ? [source.team] : [];
  });
}

function decisionOf(levels: Ladder, source: Source, role: Role): Decision {
  if (source.rule === "admin" || source.rule === "organization") return { role, rule: source.rule };
  const level = levels.find(({ content }) => content === source.content);
  const found = { role, rule: source.rule, ...(level === undefined ? {} : { level }) };
  return source.rule === "team" ? { ...found, team: source.team } : found;
}

/** A query for the members with a role on the given ladders. With `only`, for those with this organization role. */
export function openQuery(ladders: readonly Ladder[], only?: Role | null): AccessQuery {
  if (only === undefined) return new AccessQuery(MEMBERS, () => foldingOf(ladders), ladders);
  return new AccessQuery(MEMBERS, () => foldingOf(ladders, memberSets.withRole(only)));
}

/** Converts ladders to steps of a fold. With `within`, only the slots of the set with this name count. */
export function foldingOf(ladders: readonly Ladder[], within?: string): Folding {
  const steps = new LadderSteps();
  const folded = ladders.map((levels) => steps.of(levels));
  const index = within === undefined ? undefined : steps.names.of(within);
  return { ladders: folded, sets: new NamedSets(MEMBERS, steps.names.names), within: index };
}

/** A query with explicit steps, without ladders. */
export function plainQuery(universe: Universe, steps: readonly QueryStep[], sets: NamedSets): AccessQuery {
  return new AccessQuery(universe, () => ({ ladders: [new QueryLadder([], undefined, steps)], sets }));
}
