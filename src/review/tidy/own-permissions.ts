/** Which permissions on one content decide anybody's role there, and so on all that inherits from it. */
import { rank, ROLES } from "../../domain/role.ts";
import { addAll, countSlots, keepOnly, noSlots, removeAll, type Words } from "../../sets/words.ts";
import type { Content } from "../../store/directory/content.ts";
import type { ChunkRoles } from "../../store/listings/content-folds.ts";

/** 0 for nothing, then the ranks of the roles. */
const RANKS = [0, ...ROLES.map(rank)];

/** The permissions of users of one rank. */
export interface DirectOfRank {
  /** Those without which their user has the same role. */
  readonly redundant: Words;
  /** Those without which their user has a higher role. */
  readonly lowering: Words;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The permissions on one content, for the members of one chunk. What a content inherits is what its parent gives,
 * whichever permissions give it there: a permission that decides nothing on its own content decides nothing below, and
 * redundant permissions of several contents can go together.
 */
export class OwnPermissions {
  readonly #content: Content;
  readonly #roles: ChunkRoles;
  /** What members have without any permission on the very content, by rank. */
  readonly #rest: readonly Words[];
  readonly #byRank: ReadonlyMap<number, readonly string[]>;
  /** The permissions of users, by rank. */
  readonly direct: readonly DirectOfRank[];

  /** `parent`: the place of the ladder above the content among those of `roles`. */
  constructor(content: Content, roles: ChunkRoles, parent: number) {
    this.#content = content;
    this.#roles = roles;
    this.#byRank = Map.groupBy(content.teams.keys(), (team) => rank(content.teams.get(team) ?? "read"));
    this.#rest = this.#restFrom(parent);
    this.direct = this.#direct();
  }

  #restFrom(parent: number): Words[] {
    const { defaultLevel } = this.#content;
    return RANKS.map((place) => {
      const words = noSlots();
      if (place === 0 || defaultLevel === null) return words;
      if (defaultLevel === "inherit") this.#roles.addEffective(parent, place, place, words);
      else if (place === rank(defaultLevel))
        for (const role of ROLES) addAll(words, this.#roles.withRole(role));
      return words;
    });
  }

  /** The members of each rank's teams, but for those in `without`: all, and those in two or more. */
  #teams(without: ReadonlySet<string>): { readonly any: Words; readonly twice: Words }[] {
    return RANKS.map((place) => {
      const any = noSlots();
      const twice = noSlots();
      for (const team of this.#byRank.get(place) ?? []) {
        const members = without.has(team) ? undefined : this.#roles.ofTeam(team);
        if (members === undefined) continue;
        addAll(twice, keepOnly(copyOf(members), any));
        addAll(any, members);
      }
      return { any, twice };
    });
  }

  #direct(): DirectOfRank[] {
    const teams = this.#teams(NONE);
    const decided = noSlots();
    // What members have without a permission of their own: of teams the highest, else what the content inherits.
    const without = RANKS.map(noSlots);
    for (const place of RANKS.toReversed()) {
      without[place] = removeAll(copyOf(teams[place]?.any), decided);
      addAll(decided, teams[place]?.any);
    }
    for (const [place, words] of this.#rest.entries())
      addAll(without[place] ?? noSlots(), removeAll(copyOf(words), decided));
    const admins = this.#roles.withRole("admin");
    const higher = noSlots();
    const found: DirectOfRank[] = [];
    for (const place of RANKS.toReversed()) {
      const given = noSlots();
      if (place > 0) this.#roles.addDirect(this.#content.content, place, place, given);
      found[place] = {
        redundant: keepOnly(addAll(copyOf(without[place]), admins), given),
        lowering: removeAll(keepOnly(copyOf(higher), given), admins),
      };
      addAll(higher, without[place]);
    }
    return found;
  }

  /**
   * The teams whose permission decides somebody's role while those of `without` hold none; with `redundantGone`, while
   * users hold no redundant ones.
   */
  needed(without: ReadonlySet<string>, redundantGone: boolean): string[] {
    const teams = this.#teams(without);
    const settled = noSlots();
    this.#roles.addDirect(this.#content.content, 1, ROLES.length, settled);
    if (redundantGone) for (const { redundant } of this.direct) removeAll(settled, redundant);
    addAll(settled, this.#roles.withRole("admin"));
    const lower = noSlots();
    const needed: string[] = [];
    for (const [place, { any, twice }] of teams.entries()) {
      const above = noSlots();
      for (const { any } of teams.slice(place + 1)) addAll(above, any);
      // Without their only team of this rank these have what a lower team gives, or what the content inherits.
      const same = removeAll(copyOf(this.#rest[place]), lower);
      const losing = [twice, above, settled, same].reduce<Words>(removeAll, copyOf(any));
      for (const team of this.#byRank.get(place) ?? []) {
        if (without.has(team)) continue;
        if (countSlots(keepOnly(copyOf(losing), this.#roles.ofTeam(team))) > 0) needed.push(team);
      }
      addAll(lower, any);
    }
    return needed;
  }
}

function copyOf(words: Words | undefined): Words {
  return addAll(noSlots(), words);
}
