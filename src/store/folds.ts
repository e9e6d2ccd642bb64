/**
 * Folds: the effective roles on many contents at once, chunk by chunk, for rules and tidying. Painting one content after
 * the other takes twice as long for whole organizations (decision 23).
 */
import type { ContentKey } from "../domain/content.ts";
import { type Ladder, type Level, type Source, sourcesOf } from "../domain/ladder.ts";
import { ROLES, type Role, rank } from "../domain/role.ts";
import { type FoldStep, type Folded, fold, foldOn } from "../sets/fold.ts";
import { EMPTY, type Head, isEmpty } from "../sets/head.ts";
import { type Slots, addSlots, asWords } from "../sets/slots.ts";
import { type Words, addAll, blankSets, removeAll } from "../sets/words.ts";
import type { Reading } from "./reading.ts";
import { memberSets } from "./schema/set-names.ts";
import { type ChunkSets, ChunkedSets } from "./memory/sets.ts";

/** The steps of one level. Ladders with this level share the object. */
interface LevelSteps {
  /** Steps for the permissions on the level. */
  readonly given: readonly FoldStep[];
  readonly above: LevelSteps | undefined;
  /** Steps for all other members if the ladder ends at this level. Levels with the same `end` have the same steps. */
  readonly others: readonly FoldStep[];
  readonly end: string;
}

/** One result per rank. Index 0 is unused, because rank 0 means no role. */
const RESULTS = ROLES.length + 1;

function blankFold(): Folded {
  const blank = blankSets(RESULTS + 1);
  return {
    results: Array.from({ length: RESULTS }, (_, index) => (index === 0 ? undefined : blank())),
    decided: blank(),
  };
}

/** Assigns indexes to the names of sets, without duplicates. */
class SetNames {
  readonly names: string[] = [];
  readonly #indexes = new Map<string, number>();

  of(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = this.names.push(name) - 1;
      this.#indexes.set(name, index);
    }
    return index;
  }
}

/** The names of the sets with a source's members, each with the role that its members get. */
function setsOf(source: Source): (readonly [name: string, role: Role])[] {
  switch (source.rule) {
    case "admin":
      return [[memberSets.withRole("admin"), "admin"]];
    case "direct":
      return ROLES.map((role) => [memberSets.given(source.content, role), role]);
    case "team":
      return [[memberSets.ofTeam(source.team), source.role]];
    case "default":
      return ROLES.map((role) => [memberSets.withRole(role), source.role]);
    case "organization":
      return ROLES.map((role) => [memberSets.withRole(role), role]);
  }
}

/** Converts ladders to steps. A level object that several ladders share is converted once. */
class LadderSteps {
  readonly names = new SetNames();
  readonly #known = new Map<object, LevelSteps>();

  /** The steps of a ladder, except for organization admins, who come first. */
  of(levels: Ladder): LevelSteps {
    return this.#from(levels, 0) ?? this.#organization();
  }

  #from(levels: Ladder, at: number): LevelSteps | undefined {
    const level = levels[at];
    if (level === undefined) return undefined;
    const known = this.#known.get(level);
    if (known !== undefined) return known;
    const above = this.#from(levels, at + 1);
    const { given, others } = this.#own(level, above === undefined);
    const { defaultLevel } = level;
    const made = { given, above, others, end: defaultLevel ?? "closed" };
    this.#known.set(level, made);
    return made;
  }

  /** The steps that apply above a topmost content that inherits: members get their organization role. */
  #organization(): LevelSteps {
    return { given: [], above: undefined, others: this.#stepsOf([{ rule: "organization" }]), end: "inherit" };
  }

  #own(level: Level, isLast: boolean): { given: FoldStep[]; others: FoldStep[] } {
    const sources = sourcesOf([level]);
    const isGiven = ({ rule }: Source) => rule === "direct" || rule === "team";
    const isOther = (source: Source) => source.rule !== "admin" && !isGiven(source);
    return {
      given: this.#stepsOf(sources.filter(isGiven)),
      others: isLast ? this.#stepsOf(sources.filter(isOther)) : [],
    };
  }

  #stepsOf(sources: readonly Source[]): FoldStep[] {
    return sources.flatMap((source) =>
      setsOf(source).map(([name, role]) => ({ set: this.names.of(name), result: rank(role) })),
    );
  }
}

/**
 * The roles that a level of a ladder, together with all levels above it, gives to the members of one chunk. A level that
 * several ladders share is folded once. Roles of organization admins are not included, because admins come before every
 * level.
 */
class LevelFolds {
  readonly #slots: ChunkSets;
  readonly #folds = new Map<LevelSteps, Folded>();
  readonly #ends = new Map<string, Folded>();
  readonly #isTouched = new Map<LevelSteps, boolean>();

  constructor(slots: ChunkSets) {
    this.#slots = slots;
  }

  /** The fold of a ladder. Ladders that do not differ in this chunk share one object. */
  of(first: LevelSteps): Folded | undefined {
    const level = this.#touched(first);
    if (level === undefined || level.above !== undefined || this.#touches(level)) return this.#fold(level);
    // Ladders without permissions in this chunk differ at most in the rules at their end.
    const folded = this.#ends.get(level.end) ?? this.#fold(level);
    if (folded !== undefined) this.#ends.set(level.end, folded);
    return folded;
  }

  /** The first level from `from` upwards with permissions in this chunk; the last level if none has. */
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
    const folded = blankFold();
    this.#folds.set(level, folded);
    fold(level.given, this.#slots, folded);
    const above = this.#fold(this.#touched(level.above));
    if (above !== undefined) foldOn(folded, above);
    else fold(level.others, this.#slots, folded);
    return folded;
  }
}

/**
 * Folds several ladders chunk by chunk. A set in several ladders is read once per chunk, and a level from which several
 * contents inherit is folded once. `heads` has the heads of all sets in the ladders.
 */
export class ContentFolds {
  readonly #ladders: readonly LevelSteps[];
  readonly #sets: ChunkedSets;
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
    this.#sets = new ChunkedSets(names, (name) => heads.get(name));
  }

  /** Whether any member in a chunk may have a role on one of the contents. */
  has(chunk: number): boolean {
    return this.#sets.has(chunk);
  }

  /** With `ladders`, reads only what the ladders with these indexes need. */
  async read(reading: Reading, chunk: number, ladders?: readonly number[]): Promise<ChunkRoles> {
    const sets = await this.#sets.slotsIn(reading, chunk, ladders && this.#setsOf(ladders));
    return new ChunkRoles(this.#ladders, sets, this.#admins, this.#indexes);
  }

  #setsOf(ladders: readonly number[]): ReadonlySet<number> {
    const sets = new Set(this.#roles);
    for (const index of ladders) {
      for (let level = this.#ladders[index]; level !== undefined; level = level.above)
        for (const { set } of [...level.given, ...level.others]) sets.add(set);
    }
    return sets;
  }
}

export class ChunkRoles {
  readonly #ladders: readonly LevelSteps[];
  readonly #sets: ChunkSets;
  readonly #folds: LevelFolds;
  readonly #admins: Words | undefined;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #known = new Map<string, Words>();

  constructor(
    ladders: readonly LevelSteps[],
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
