/** Computes effective roles on many contents at once, chunk by chunk. */
import type { Ladder } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { rank, type Role, ROLES } from "../../domain/role.ts";
import { EMPTY, type Head, isEmpty } from "../../sets/head.ts";
import { addSlots, asWords, type Slots } from "../../sets/slots.ts";
import { addAll, removeAll, type Words } from "../../sets/words.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { ChunkedSets, type ChunkSets } from "../sets/set-store.ts";
import { LevelFolds } from "./level-folds.ts";
import { LadderSteps, type QueryLadder } from "./steps.ts";

/**
 * Folds several ladders chunk by chunk. A set in several ladders is read once per chunk, and a level from which several
 * contents inherit is folded once. `heads` has the heads of all sets in the ladders.
 */
export class ContentFolds {
  readonly #ladders: readonly QueryLadder[];
  readonly #sets: ChunkedSets;
  readonly #all: readonly number[];
  readonly #roles: readonly number[];
  readonly #admins: number;
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(ladders: readonly Ladder[], heads: ReadonlyMap<string, Head>) {
    const steps = new LadderSteps();
    this.#roles = ROLES.map((role) => steps.names.of(memberSets.withRole(role)));
    this.#admins = steps.names.of(memberSets.withRole("admin"));
    this.#ladders = ladders.map((levels) => steps.of(levels));
    const { names } = steps.names;
    this.#indexes = new Map(names.map((name, index) => [name, index]));
    this.#all = [...names.keys()];
    this.#sets = new ChunkedSets(
      MEMBERS,
      names,
      names.map((name) => heads.get(name) ?? EMPTY),
    );
  }

  /** Whether any member in a chunk may have a role on one of the contents. */
  has(chunk: number): boolean {
    return this.#sets.has(chunk);
  }

  /** With `ladders`, reads only what the ladders with these indexes need. */
  async read(reading: Reading, chunk: number, ladders?: readonly number[]): Promise<ChunkRoles> {
    const wanted = ladders === undefined ? this.#all : this.#setsOf(ladders);
    const [sets = []] = await this.#sets.readAll(reading, [chunk], wanted);
    return new ChunkRoles(this.#ladders, sets, this.#admins, this.#indexes);
  }

  #setsOf(ladders: readonly number[]): readonly number[] {
    const sets = new Set(this.#roles);
    for (const index of ladders) for (const { set } of this.#ladders[index]?.steps ?? []) sets.add(set);
    return [...sets];
  }
}

export class ChunkRoles {
  readonly #ladders: readonly QueryLadder[];
  readonly #sets: ChunkSets;
  readonly #folds: LevelFolds;
  readonly #admins: Words | undefined;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #known = new Map<string, Words>();

  constructor(
    ladders: readonly QueryLadder[],
    sets: ChunkSets,
    admins: number,
    indexes: ReadonlyMap<string, number>,
  ) {
    this.#ladders = ladders;
    this.#sets = sets;
    this.#folds = new LevelFolds(sets);
    this.#admins = wordsOf(sets[admins]);
    this.#indexes = indexes;
  }

  /**
   * Adds the members whose effective role on a content has a rank of `from` to `to`. `ladder` is the content's index.
   */
  addEffective(ladder: number, from: number, to: number, into: Words): void {
    const own = this.#ladders[ladder];
    const { results } = (own && this.#folds.of(own)) ?? { results: [] };
    for (const words of results.slice(from, to + 1)) addAll(into, words);
    // Organization admins come before every level, so they are not in the fold.
    if (to === rank("admin")) addAll(into, this.#admins);
    else removeAll(into, this.#admins);
  }

  /** Adds the members whose direct permission on a content has a rank of `from` to `to`. */
  addDirect(content: ContentKey, from: number, to: number, into: Words): void {
    for (const role of ROLES.slice(from - 1, to)) addSlots(into, this.#set(memberSets.given(content, role)));
  }

  /** Whether any user in the chunk may have a direct permission with this role on a content. */
  isGiven(content: ContentKey, role: Role): boolean {
    return this.#set(memberSets.given(content, role)) !== undefined;
  }

  /** The members of a team that has a permission on one of the ladders. Do not modify the result. */
  ofTeam(team: string): Words | undefined {
    return this.#wordsOf(memberSets.ofTeam(team));
  }

  /** The members with an organization role; `null` for guests. Do not modify the result. */
  withRole(role: Role | null): Words | undefined {
    return this.#wordsOf(memberSets.withRole(role));
  }

  /** The slots of a set. Cached, because several contents use the same sets. */
  #wordsOf(name: string): Words | undefined {
    const known = this.#known.get(name) ?? wordsOf(this.#set(name));
    if (known !== undefined) this.#known.set(name, known);
    return known;
  }

  #set(name: string): Slots | undefined {
    return this.#sets[this.#indexes.get(name) ?? -1];
  }
}

function wordsOf(slots: Slots | undefined): Words | undefined {
  return slots && asWords(slots);
}

export function isGivenDirectly(content: ContentKey, heads: ReadonlyMap<string, Head>): boolean {
  return ROLES.some((role) => !isEmpty(heads.get(memberSets.given(content, role)) ?? EMPTY));
}
