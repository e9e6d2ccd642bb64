/** Access queries: whose effective role is asked for, as steps of a fold over sets. */
import { type Decision, isOpen, type Ladder, type Level, type Source } from "../../domain/access.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { clear, fold, keepHighest, type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import { EMPTY, type Head } from "../../sets/head.ts";
import { hasSlot, type Words } from "../../sets/words.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets, type Universe } from "../set-names.ts";
import { ChunkedSets, headsOf } from "../set-store.ts";
import { blankFold, FOLD_BYTES, LadderSteps, LevelSteps, type QueryLadder, type QueryStep } from "./steps.ts";

/** Up to so many sets containers are read at once. */
export const FEW_SETS = 64;

/** What a fold found in one chunk: the slots of each rank. */
export type Found = readonly (Words | undefined)[];

/**
 * Something that effective roles are asked on: one content, or the spaces of a site, of which the highest role counts.
 * Or, with spaces for members, everything that one member reaches.
 */
export class AccessQuery {
  readonly universe: Universe;
  readonly ladders: readonly QueryLadder[];
  readonly sets: ChunkedSets;
  /** Only slots of this set count, where it is given. */
  readonly #within: number | undefined;
  /** How many slots of each rank a chunk has, as far as it was folded whole. */
  readonly counts = new Map<number, Uint16Array>();
  /** Whether some ladder lets in members who were given nothing. */
  readonly isOpen: boolean;
  readonly #total = blankFold();
  /** What was folded last: levels that were folded for it need not be again. */
  protected last: { readonly sets: readonly (Words | undefined)[]; readonly span: Span } | undefined;

  constructor(universe: Universe, ladders: readonly QueryLadder[], sets: ChunkedSets, within?: number) {
    this.universe = universe;
    this.ladders = ladders;
    this.sets = sets;
    this.#within = within;
    this.isOpen = within === undefined && ladders.some(({ levels }) => levels.length > 0 && isOpen(levels));
  }

  /** Whether anybody in a chunk may count. */
  has(chunk: number): boolean {
    return this.sets.has(chunk);
  }

  /**
   * Whether a page begins with the next members in a row and what each is in, not with containers: where whoever was
   * given nothing comes in, and where there are very many sets.
   */
  get beginsWithRows(): boolean {
    return this.isOpen || this.sets.size > FEW_SETS;
  }

  /** The slots that each of the sets has in a chunk; `undefined` where it has none. */
  read(reading: Reading, chunk: number): Promise<readonly (Words | undefined)[]> {
    return this.sets.read(reading, chunk);
  }

  /** About how many bytes this takes in memory. */
  get bytes(): number {
    const steps = this.ladders.reduce((sum, ladder) => sum + 60 * ladder.steps.length + 2 * FOLD_BYTES, 0);
    return 500 + FOLD_BYTES + steps + this.sets.bytes;
  }

  /** Folds the sets of one chunk. What is found holds until the next fold. */
  fold(sets: readonly (Words | undefined)[], span: Span = WHOLE_CHUNK): Found {
    const { results } = this.#total;
    clear(this.#total, span);
    const [only, ...others] = this.ladders;
    if (only !== undefined && others.length === 0) fold(only.steps, sets, this.#total, span);
    else this.#foldSeveral(sets, span);
    if (this.#within !== undefined) keepWithin(results, sets[this.#within]);
    return results;
  }

  #foldSeveral(sets: readonly (Words | undefined)[], span: Span): void {
    const { results } = this.#total;
    this.last = { sets, span };
    for (const { first } of this.ladders)
      addResults(results, first.fold(sets, span, this.last).results, span);
    addResults(results, this.adminsIn(sets), span);
    keepHighest(results, span);
  }

  /** Organization admins, as the results of a fold. */
  protected adminsIn(sets: readonly (Words | undefined)[]): Found {
    const step = this.ladders[0]?.steps.find(({ source }) => source?.rule === "admin");
    const found: (Words | undefined)[] = [];
    if (step !== undefined) found[step.result] = sets[step.set];
    return found;
  }

  /**
   * On which of the ladders each of some slots got its rank, of several the first one. `slots` are of one chunk, which
   * `sets` are read of.
   */
  laddersOf(
    sets: readonly (Words | undefined)[],
    slots: readonly { readonly slot: number; readonly rank: number }[],
  ): (QueryLadder | undefined)[] {
    const [only, ...others] = this.ladders;
    if (others.length === 0) return slots.map(() => only);
    const numbers = slots.map(({ slot }) => slot);
    const from = Math.min(...numbers) >>> 5;
    const to = (Math.max(...numbers) >>> 5) + 1;
    const last = this.last;
    // Mostly what the page was found with: then nothing has to be folded again.
    const turn =
      last?.sets === sets && last.span.from <= from && to <= last.span.to
        ? last
        : { sets, span: { from, to } };
    const found = new Map<number, QueryLadder>();
    const admins = this.adminsIn(sets);
    let left = [...slots];
    for (const ladder of this.ladders) {
      const { results } = ladder.first.fold(sets, turn.span, turn);
      left = left.filter(({ slot, rank }) => {
        const isHere = [results[rank], admins[rank]].some(
          (words) => words !== undefined && hasSlot(words, slot),
        );
        if (isHere) found.set(slot, ladder);
        return !isHere;
      });
      if (left.length === 0) break;
    }
    return numbers.map((slot) => found.get(slot));
  }

  /** Which source of a ladder gave a slot its rank. */
  decisionAt(
    sets: readonly (Words | undefined)[],
    slot: number,
    { levels, steps }: QueryLadder,
  ): Decision | undefined {
    const step = steps.find(({ set }) => {
      const words = sets[set];
      return words !== undefined && hasSlot(words, slot);
    });
    return step?.source === undefined ? undefined : decisionOf(levels, step.source, roleOf(step.result));
  }

  /** The teams that have the slot and hold a permission on a level, the one that counts first. */
  teamsAt(
    sets: readonly (Words | undefined)[],
    slot: number,
    { steps }: QueryLadder,
    at: ContentKey,
  ): string[] {
    return steps.flatMap(({ set, source }) => {
      const words = sets[set];
      const holds =
        source?.rule === "team" && source.content === at && words !== undefined && hasSlot(words, slot);
      return holds ? [source.team] : [];
    });
  }
}

function addResults(into: Found, more: Found, { from, to }: Span): void {
  for (const [place, words] of more.entries()) {
    const own = into[place];
    if (words === undefined || own === undefined) continue;
    for (let index = from; index < to; index++) own[index] = (own[index] ?? 0) | (words[index] ?? 0);
  }
}

function keepWithin(results: Found, within: Words | undefined): void {
  for (const words of results) {
    if (words === undefined) continue;
    for (const [index, word] of words.entries()) words[index] = word & (within?.[index] ?? 0);
  }
}

function decisionOf(levels: Ladder, source: Source, role: Role): Decision {
  if (source.rule === "admin" || source.rule === "organization") return { role, rule: source.rule };
  const level = levels.find(({ content }) => content === source.content);
  const found = { role, rule: source.rule, ...(level === undefined ? {} : { level }) };
  return source.rule === "team" ? { ...found, team: source.team } : found;
}

/** A query of members on some ladders; `only` keeps those with that organization role. */
export async function openQuery(
  reading: Reading,
  ladders: readonly (readonly Level[])[],
  only?: Role | null,
  known?: ReadonlyMap<string, Head>,
): Promise<AccessQuery> {
  const steps = new LadderSteps();
  const folded = ladders.map((levels) => steps.of(levels));
  const within = only === undefined ? undefined : steps.names.of(memberSets.withRole(only));
  const { names } = steps.names;
  // What is known of the sets of these ladders is all that there is.
  const heads = known === undefined ? known : new Map(names.map((name) => [name, known.get(name) ?? EMPTY]));
  return new AccessQuery(MEMBERS, folded, await openSets(reading, MEMBERS, names, heads), within);
}

/** A query without a ladder: steps that are not of the rules. */
export function plainQuery(universe: Universe, steps: readonly QueryStep[], sets: ChunkedSets): AccessQuery {
  return new AccessQuery(universe, [{ levels: [], steps, first: new LevelSteps(steps, undefined) }], sets);
}

/** Opens the sets of a query; of those in `known` the heads need not be read. */
export async function openSets(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
  known: ReadonlyMap<string, Head> = new Map(),
): Promise<ChunkedSets> {
  const unknown = names.filter((name) => !known.has(name));
  const read = await headsOf(reading, universe, unknown);
  const heads = new Map([...known, ...unknown.map((name, place) => [name, read[place] ?? EMPTY] as const)]);
  return new ChunkedSets(
    universe,
    names,
    names.map((name) => heads.get(name) ?? EMPTY),
  );
}
