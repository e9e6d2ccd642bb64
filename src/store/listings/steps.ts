/** Ladders as steps of a fold: the sources of the rules, and the sets that hold their members. */
import { type Ladder, type Rule, type Source, sourcesOf } from "../../domain/access.ts";
import { rank, type Role, ROLES } from "../../domain/role.ts";
import { clear, fold, type Folded, foldOn, type FoldStep, type Span } from "../../sets/fold.ts";
import { blankSets, type Words } from "../../sets/words.ts";
import { memberSets } from "../set-names.ts";

/** A step of the fold, and the source of the ladder that it comes from; its result is the rank of the role. */
export interface QueryStep extends FoldStep {
  readonly source?: Source;
  /** The same of sets of spaces, where the content differs from space to space. */
  readonly because?: Because;
}

/** The rule that a step stands for, and for rule `team` the team. */
export interface Because {
  readonly rule: Rule;
  readonly team?: string;
}

/** Makes a step decide and give nothing, or leaves it. */
export type Mask = (step: QueryStep) => QueryStep;

/** The steps of one level, and what is asked behind them: shared by all that inherit from there. */
export class LevelSteps {
  readonly steps: readonly QueryStep[];
  readonly #above: LevelSteps | undefined;
  readonly #folded = blankFold();
  #foldedOf: unknown;

  constructor(steps: readonly QueryStep[], above: LevelSteps | undefined) {
    this.steps = steps;
    this.#above = above;
  }

  /** The same levels, of whose steps only some give a role; `made` has those that were made before. */
  masked(mask: Mask, made: Map<LevelSteps, LevelSteps>): LevelSteps {
    const known = made.get(this);
    if (known !== undefined) return known;
    const masked = new LevelSteps(this.steps.map(mask), this.#above?.masked(mask, made));
    made.set(this, masked);
    return masked;
  }

  /** What the steps from here on give; worked out once for each `turn`, whoever asks. */
  fold(sets: readonly (Words | undefined)[], span: Span, turn: object): Folded {
    if (this.#above !== undefined && this.steps.every(({ set }) => sets[set] === undefined)) {
      return this.#above.fold(sets, span, turn);
    }
    if (this.#foldedOf === turn) return this.#folded;
    this.#foldedOf = turn;
    clear(this.#folded, span);
    fold(this.steps, sets, this.#folded, span);
    if (this.#above !== undefined) foldOn(this.#folded, this.#above.fold(sets, span, turn), span);
    return this.#folded;
  }
}

/** A ladder as all of its steps in a row; and level by level, without organization admins, who come before every level. */
export interface QueryLadder {
  readonly levels: Ladder;
  readonly steps: readonly QueryStep[];
  readonly first: LevelSteps;
}

/** Results by rank; 0 is nobody's. */
const RESULTS = ROLES.length + 1;

/** About how many bytes the fold of a level takes. */
export const FOLD_BYTES = (RESULTS + 1) * 512;

export function blankFold(): Folded {
  const blank = blankSets(RESULTS + 1);
  return {
    results: Array.from({ length: RESULTS }, (_, place) => (place === 0 ? undefined : blank())),
    decided: blank(),
  };
}

/** The sets of a query while it is put together: each name once. */
export class SetNames {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();

  /** The place of a set among the names. */
  of(name: string): number {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.names.push(name) - 1;
      this.#places.set(name, place);
    }
    return place;
  }
}

/** The sets that hold the members of a source, each with the role that they get. */
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

/** Puts ladders into steps. Levels that several ladders have, as the very same objects, are folded once for all. */
export class LadderSteps {
  readonly names = new SetNames();
  readonly #known = new Map<object, LevelSteps>();

  of(levels: Ladder): QueryLadder {
    return { levels, steps: this.#stepsOf(sourcesOf(levels)), first: this.#from(levels) };
  }

  #from(levels: Ladder): LevelSteps {
    const [level, ...above] = levels;
    const known = level === undefined ? undefined : this.#known.get(level);
    if (known !== undefined) return known;
    const own = sourcesOf(levels).filter((source) =>
      "content" in source
        ? source.content === level?.content
        : source.rule === "organization" && above.length === 0,
    );
    const made = new LevelSteps(this.#stepsOf(own), above.length === 0 ? undefined : this.#from(above));
    if (level !== undefined) this.#known.set(level, made);
    return made;
  }

  #stepsOf(sources: readonly Source[]): QueryStep[] {
    return sources.flatMap((source) =>
      setsOf(source).map(([name, role]) => ({ set: this.names.of(name), result: rank(role), source })),
    );
  }
}
