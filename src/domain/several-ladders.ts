/**
 * Finds a member's highest role on several ladders (endpoint 8). It tries the ladders in descending order of the
 * highest role that each could give, and stops when no ladder left can give a higher one.
 */
import { decide, type Decision, type Ladder, type Level, type Subject } from "./ladder.ts";
import type { ContentKey } from "./content.ts";
import { rank, type Role } from "./role.ts";

/** The highest role that a source could give on one ladder. */
interface Chance {
  /** The rank of this role. A source nearer to the content may decide, and give a lower role. */
  readonly most: number;
  readonly index: number;
}

interface Climbed extends Chance {
  readonly decision: Decision;
}

/** A level, and the indexes of the ladders that contain it. */
interface Passed {
  readonly level: Level;
  readonly indexes: number[];
}

export class SeveralLadders {
  readonly #ladders: readonly Ladder[];
  readonly #passed = new Map<ContentKey, Passed>();
  readonly #levelsOf = new Map<string, Passed[]>();
  /**
   * Chances of users without permissions by organization role; of teams by id; of direct permissions by role and
   * content. Each list is computed when first needed.
   */
  readonly #standing = new Map<Role | null, readonly Chance[]>();
  readonly #teams = new Map<string, readonly Chance[]>();
  readonly #direct = new Map<string, readonly Chance[]>();

  constructor(ladders: readonly Ladder[]) {
    this.#ladders = ladders;
    for (const [index, ladder] of ladders.entries()) {
      for (const level of ladder) this.#pass(level).indexes.push(index);
    }
  }

  /** The levels of all ladders, without duplicates. */
  get levels(): Level[] {
    return Array.from(this.#passed.values(), ({ level }) => level);
  }

  /** The decision with the highest role, and its ladder. Of equal roles, the one on the first ladder wins. */
  highest(subject: Subject): { readonly ladder: Ladder; readonly decision: Decision } | undefined {
    const lists = this.#chancesOf(subject);
    const next = lists.map(() => 0);
    const climbed = new Set<number>();
    let best: Climbed | undefined;
    for (;;) {
      let ahead: Chance | undefined;
      let from = 0;
      for (const [list, chances] of lists.entries()) {
        const chance = chances[next[list] ?? 0];
        if (chance === undefined || (ahead !== undefined && compare(chance, ahead) >= 0)) continue;
        ahead = chance;
        from = list;
      }
      if (ahead === undefined || (best !== undefined && compare(best, ahead) <= 0)) break;
      next[from] = (next[from] ?? 0) + 1;
      const { index } = ahead;
      if (climbed.has(index)) continue;
      climbed.add(index);
      const found = this.#climb(index, subject);
      if (found !== undefined && (best === undefined || compare(found, best) < 0)) best = found;
    }
    return best && { ladder: this.#ladders[best.index] ?? [], decision: best.decision };
  }

  #climb(index: number, subject: Subject): Climbed | undefined {
    const decision = decide(this.#ladders[index] ?? [], subject);
    return decision && { most: rank(decision.role), index, decision };
  }

  /**
   * The chances of the member, in one list for each source, highest first. Every ladder that gives the member a role is
   * in at least one list.
   */
  #chancesOf({ role, teams, direct }: Subject): (readonly Chance[])[] {
    const lists = [made(this.#standing, role, () => this.#standingOf(role))];
    for (const team of teams) lists.push(made(this.#teams, team, () => this.#chancesOfTeam(team)));
    for (const [content, held] of direct) {
      const { indexes } = this.#passed.get(content) ?? { indexes: [] };
      lists.push(
        made(this.#direct, `${held} ${content}`, () => indexes.map((index) => ({ most: rank(held), index }))),
      );
    }
    return lists;
  }

  #standingOf(role: Role | null): readonly Chance[] {
    const nobody: Subject = { role, teams: [], direct: new Map() };
    return this.#ladders.flatMap((_, index) => this.#climb(index, nobody) ?? []).sort(compare);
  }

  #chancesOfTeam(team: string): readonly Chance[] {
    const most = new Map<number, number>();
    for (const { level, indexes } of this.#levelsOf.get(team) ?? []) {
      const role = level.teams.get(team);
      if (role === undefined) continue;
      for (const index of indexes) most.set(index, Math.max(rank(role), most.get(index) ?? 0));
    }
    return Array.from(most, ([index, highest]) => ({ most: highest, index })).sort(compare);
  }

  #pass(level: Level): Passed {
    return made(this.#passed, level.content, () => {
      const passed: Passed = { level, indexes: [] };
      for (const team of level.teams.keys()) made(this.#levelsOf, team, () => []).push(passed);
      return passed;
    });
  }
}

function made<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Highest role first; of equal roles, the first ladder. */
function compare(a: Chance, b: Chance): number {
  return b.most - a.most || a.index - b.index;
}
