/** Computes the roles on several ladders in one chunk. A level that several ladders share is computed once. */
import { clear, fold, type Folded, foldOn, type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import type { ChunkSets } from "../sets/set-store.ts";
import { blankFold, type LevelSteps, type QueryLadder } from "./steps.ts";

/**
 * The roles that a level of a ladder, together with all levels above it, gives to the members of one chunk. Roles of
 * organization admins are not included, because admins come before every level.
 */
export class LevelFolds {
  readonly #slots: ChunkSets;
  readonly #span: Span;
  readonly #memory: Folded[];
  readonly #folds = new Map<LevelSteps, Folded>();
  readonly #ends = new Map<string, Folded>();
  readonly #isTouched = new Map<LevelSteps, boolean>();

  /** `memory` has folds that the caller no longer needs, for reuse. */
  constructor(slots: ChunkSets, span: Span = WHOLE_CHUNK, memory: Folded[] = []) {
    this.#slots = slots;
    this.#span = span;
    this.#memory = memory;
  }

  /** The fold of a ladder. Ladders that do not differ in this chunk share one object. */
  of({ first }: QueryLadder): Folded | undefined {
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
    const folded = (this.#memory[this.#folds.size] ??= blankFold());
    this.#folds.set(level, folded);
    clear(folded, this.#span);
    fold(level.given, this.#slots, folded, this.#span);
    const above = this.#fold(this.#touched(level.above));
    if (above !== undefined) foldOn(folded, above, this.#span);
    else fold(level.others, this.#slots, folded, this.#span);
    return folded;
  }
}
