/** Folds the ladders of a site's spaces together. */
import { fold, type Span } from "../../../sets/fold.ts";
import { isAmong } from "../../../sets/slots.ts";
import { noSlots, type Words } from "../../../sets/words.ts";
import type { ChunkSets } from "../../sets/set-store.ts";
import type { LevelSteps, QueryLadder, QueryStep } from "./steps.ts";

/** A level of one or several ladders, or the rules that apply above the last levels of ladders. */
interface Node {
  readonly steps: readonly QueryStep[];
  /** The index of the next higher node; `undefined` at the end. */
  readonly above: number | undefined;
  readonly begins: boolean;
}

/**
 * The levels of several ladders as a tree. A slot climbs each ladder from its first level until a level decides. A
 * level that several ladders share is folded once, for the slots that some ladder has left undecided below. So the cost
 * depends on the number of levels with permissions in the chunk, and not on the number of ladders.
 */
class LadderTree {
  /** Lower levels come before higher ones. */
  readonly #nodes: readonly Node[];
  /** The nodes that use a set, by the index of the set. */
  readonly #nodesOf = new Map<number, number[]>();
  readonly #open: Uint8Array;
  readonly #touched: Uint8Array;

  constructor(ladders: readonly QueryLadder[]) {
    this.#nodes = nodesOf(ladders);
    for (const [index, { steps }] of this.#nodes.entries()) {
      for (const set of new Set(steps.map((step) => step.set))) {
        const indexes = this.#nodesOf.get(set);
        if (indexes === undefined) this.#nodesOf.set(set, [index]);
        else indexes.push(index);
      }
    }
    this.#open = new Uint8Array(this.#nodes.length);
    this.#touched = new Uint8Array(this.#nodes.length);
  }

  /** Adds every role that a ladder gives to `results`. A slot may then be in several results. */
  addTo(results: readonly (Words | undefined)[], sets: ChunkSets, span: Span): void {
    this.#look(sets);
    const { from, to } = span;
    const left: (Words | undefined)[] = [];
    let used = 0;
    const blank = () => (MEMORY[used] ??= noSlots());
    for (const [index, { steps, above }] of this.#nodes.entries()) {
      const isTouched = this.#touched[index] === 1;
      // A node without permissions has nothing to fold if some ladder reaches the node with all slots undecided.
      if (!isTouched && this.#open[index] === 1) continue;
      let decided = left[index];
      if (decided === undefined) {
        decided = blank();
        decided.fill(0, from, to);
      }
      if (isTouched) fold(steps, sets, { results, decided }, span);
      if (above === undefined || this.#open[above] === 1) continue;
      const others = left[above];
      if (others === undefined) {
        left[above] = decided;
        // `left[above]` now uses this memory.
        used++;
      } else
        for (let index = from; index < to; index++)
          others[index] = (others[index] ?? 0) & (decided[index] ?? 0);
    }
  }

  /**
   * Finds the nodes with permissions in the chunk, and the nodes that some ladder reaches without any permission below.
   */
  #look(sets: ChunkSets): void {
    this.#touched.fill(0);
    for (const [set, indexes] of this.#nodesOf) {
      if (sets[set] !== undefined) for (const index of indexes) this.#touched[index] = 1;
    }
    this.#open.fill(0);
    for (const [index, { above, begins }] of this.#nodes.entries()) {
      if (begins) this.#open[index] = 1;
      const goesOn = this.#open[index] === 1 && this.#touched[index] === 0;
      if (goesOn && above !== undefined) this.#open[above] = 1;
    }
  }
}

/** Reusable memory, shared by all trees. */
const MEMORY: Words[] = [];

const TREES = new WeakMap<readonly QueryLadder[], LadderTree>();

/** The tree of the given ladders, cached for this array object. */
export function treeOf(ladders: readonly QueryLadder[]): LadderTree {
  const known = TREES.get(ladders) ?? new LadderTree(ladders);
  TREES.set(ladders, known);
  return known;
}

function nodesOf(ladders: readonly QueryLadder[]): Node[] {
  const depths = new Map<LevelSteps, number>();
  const ends = new Map<string, readonly QueryStep[]>();
  const depthOf = (level: LevelSteps): number => {
    const known = depths.get(level);
    if (known !== undefined) return known;
    if (level.above === undefined) ends.set(level.end, level.others);
    const depth = level.above === undefined ? 0 : 1 + depthOf(level.above);
    depths.set(level, depth);
    return depth;
  };
  const begin = new Set<LevelSteps>();
  for (const { first } of ladders) {
    if (first === undefined) continue;
    begin.add(first);
    depthOf(first);
  }
  const levels = [...depths].sort(([, a], [, b]) => b - a).map(([level]) => level);
  const indexes = new Map(levels.map((level, index) => [level, index]));
  const endIndexes = new Map([...ends.keys()].map((end, index) => [end, levels.length + index]));
  return [
    ...levels.map((level) => ({
      steps: level.given,
      above: level.above === undefined ? endIndexes.get(level.end) : indexes.get(level.above),
      begins: begin.has(level),
    })),
    ...Array.from(ends.values(), (steps) => ({ steps, above: undefined, begins: false })),
  ];
}

/** The steps of the given ladders. The steps of a shared level occur once. */
export function stepsOf(ladders: readonly QueryLadder[]): QueryStep[] {
  const [first] = ladders;
  if (ladders.length <= 1) return [...(first?.steps ?? [])];
  return [...(first?.admins ?? []), ...nodesOf(ladders).flatMap(({ steps }) => steps)];
}

/** The first ladder on which a slot has the given rank. */
export function ladderGiving(
  ladders: readonly QueryLadder[],
  sets: ChunkSets,
  slot: number,
  rank: number,
): QueryLadder | undefined {
  const known = new Map<LevelSteps, number>();
  const climb = (level: LevelSteps | undefined): number => {
    if (level === undefined) return 0;
    const before = known.get(level);
    if (before !== undefined) return before;
    const { given, others, above } = level;
    const step =
      given.find(({ set }) => isAmong(sets[set], slot)) ?? others.find(({ set }) => isAmong(sets[set], slot));
    const found = step === undefined ? climb(above) : step.result;
    known.set(level, found);
    return found;
  };
  return ladders.find(({ first }) => climb(first) === rank);
}
