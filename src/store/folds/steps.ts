/** Converts ladders to the steps of a fold: one step per source and set. */
import { type Ladder, type Level, type Source, sourcesOf } from "../../domain/ladder.ts";
import { rank, type Role, ROLES } from "../../domain/role.ts";
import type { Folded, FoldStep } from "../../sets/fold.ts";
import { blankSets } from "../../sets/words.ts";
import { memberSets } from "../schema/set-names.ts";

/** A step of a fold, with its source. The step's result is the rank of a role. */
export interface QueryStep extends FoldStep {
  readonly source: Source;
}

/** The steps of one level. Ladders with this level share the object. */
export interface LevelSteps {
  /** Steps for the permissions on the level. */
  readonly given: readonly QueryStep[];
  readonly above: LevelSteps | undefined;
  /** Steps for all other members if the ladder ends at this level. Levels with the same `end` have the same steps. */
  readonly others: readonly QueryStep[];
  readonly end: string;
}

/**
 * The steps of a ladder: by level, from {@link first} upwards, and all in one list. The steps of organization admins
 * come first.
 */
export class QueryLadder {
  readonly levels: Ladder;
  readonly first: LevelSteps | undefined;
  readonly admins: readonly QueryStep[];
  #steps: readonly QueryStep[] | undefined;

  constructor(levels: Ladder, first: LevelSteps | undefined, admins: readonly QueryStep[]) {
    this.levels = levels;
    this.first = first;
    this.admins = admins;
  }

  get steps(): readonly QueryStep[] {
    if (this.#steps !== undefined) return this.#steps;
    const steps = [...this.admins];
    for (let level = this.first; level !== undefined; level = level.above)
      steps.push(...level.given, ...level.others);
    this.#steps = steps;
    return steps;
  }
}

/** One result per rank. Index 0 is unused, because rank 0 means no role. */
const RESULTS = ROLES.length + 1;

export function blankFold(): Folded {
  const blank = blankSets(RESULTS + 1);
  return {
    results: Array.from({ length: RESULTS }, (_, index) => (index === 0 ? undefined : blank())),
    decided: blank(),
  };
}

/** Assigns indexes to the names of sets, without duplicates. */
export class SetNames {
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
export class LadderSteps {
  readonly names = new SetNames();
  readonly admins: readonly QueryStep[] = this.#stepsOf([{ rule: "admin" }]);
  readonly #known = new Map<object, LevelSteps>();

  of(levels: Ladder): QueryLadder {
    return new QueryLadder(levels, this.#from(levels, 0) ?? this.#organization(), this.admins);
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

  #own(level: Level, isLast: boolean): { given: QueryStep[]; others: QueryStep[] } {
    const sources = sourcesOf([level]);
    const isGiven = ({ rule }: Source) => rule === "direct" || rule === "team";
    const isOther = (source: Source) => source.rule !== "admin" && !isGiven(source);
    return {
      given: this.#stepsOf(sources.filter(isGiven)),
      others: isLast ? this.#stepsOf(sources.filter(isOther)) : [],
    };
  }

  #stepsOf(sources: readonly Source[]): QueryStep[] {
    return sources.flatMap((source) =>
      setsOf(source).map(([name, role]) => ({ set: this.names.of(name), result: rank(role), source })),
    );
  }
}
