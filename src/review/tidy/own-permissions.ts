/**
 * Finds which permissions on one content decide somebody's role there, and so on everything that inherits
 * from it.
 */
import { rank, ROLES } from "../../domain/role.ts";
import { addAll, countSlots, keepOnly, noSlots, removeAll, type Words } from "../../sets/words.ts";
import type { Content } from "../../store/directory/content.ts";
import type { ChunkRoles } from "../../store/listings/access-query/content-folds.ts";

/** The ranks of permissions; 0 for none. */
const RANKS = [0, ...ROLES.map(rank)];

/** Users with direct permissions of one rank, as slots, by the role that they would have without the permission. */
export interface DirectOfRank {
  /** Without the permission, the user has the same role. */
  readonly redundant?: Words;
  /** Without the permission, the user has a higher role. */
  readonly lowering?: Words;
}

const NONE: ReadonlySet<string> = new Set();

/** The members of the teams with permissions of one rank: all, and those in two or more; absent if there are none. */
interface MembersOfRank {
  readonly any?: Words;
  readonly twice?: Words;
}

/**
 * The permissions on one content, for the members of one chunk.
 *
 * A content inherits roles from its parent, whichever permissions give them there. So a permission that
 * decides nothing on its own content decides nothing below it, and redundant permissions of several contents
 * can be removed together.
 */
export class OwnPermissions {
  readonly #content: Content;
  readonly #roles: ChunkRoles;
  /** Members by the rank that they have without any permission on the content itself. */
  readonly #rest: readonly (Words | undefined)[];
  readonly #byRank: ReadonlyMap<number, readonly string[]>;
  /** The direct permissions, by rank. */
  readonly direct: readonly DirectOfRank[];

  /** `parent`: the index of the parent's ladder in `roles`. */
  constructor(content: Content, roles: ChunkRoles, parent: number) {
    this.#content = content;
    this.#roles = roles;
    this.#byRank = Map.groupBy(content.teams.keys(), (team) => rank(content.teams.get(team) ?? "read"));
    this.#rest = this.#restFrom(parent);
    this.direct = this.#direct();
  }

  #restFrom(parent: number): (Words | undefined)[] {
    const { defaultLevel } = this.#content;
    return RANKS.map((place) => {
      const isThere = defaultLevel === "inherit" || (defaultLevel !== null && place === rank(defaultLevel));
      if (place === 0 || !isThere) return undefined;
      const words = noSlots();
      if (defaultLevel === "inherit") this.#roles.addEffective(parent, place, place, words);
      else for (const role of ROLES) addAll(words, this.#roles.withRole(role));
      return words;
    });
  }

  /**
   * For each rank: the members of the teams whose permission here has that rank, and those who are in two or more of
   * these teams. The teams in `without` do not count.
   */
  #teams(without: ReadonlySet<string>): MembersOfRank[] {
    return RANKS.map((place) => {
      const sets = (this.#byRank.get(place) ?? []).flatMap((team) =>
        without.has(team) ? [] : (this.#roles.ofTeam(team) ?? []),
      );
      const [first, ...others] = sets;
      if (first === undefined) return {};
      const any = copyOf(first);
      const twice = noSlots();
      for (const members of others) {
        addAll(twice, keepOnly(copyOf(members), any));
        addAll(any, members);
      }
      return { any, twice };
    });
  }

  #direct(): DirectOfRank[] {
    const isGiven = ROLES.map((role) => this.#roles.isGiven(this.#content.content, role));
    if (!isGiven.includes(true)) return [];
    const teams = this.#teams(NONE);
    const decided = noSlots();
    // Members by the rank that they have without a direct permission: that of their highest team, or the
    // inherited one.
    const without: (Words | undefined)[] = [];
    for (const place of RANKS.toReversed()) {
      const any = teams[place]?.any;
      without[place] = any && removeAll(copyOf(any), decided);
      addAll(decided, any);
    }
    for (const [place, words] of this.#rest.entries()) {
      if (words !== undefined) without[place] = addAll(removeAll(copyOf(words), decided), without[place]);
    }
    const admins = this.#roles.withRole("admin");
    const higher = noSlots();
    const found: DirectOfRank[] = [];
    for (const place of RANKS.toReversed()) {
      found[place] = {};
      if (place > 0 && isGiven[place - 1] === true) {
        const given = noSlots();
        this.#roles.addDirect(this.#content.content, place, place, given);
        found[place] = {
          redundant: keepOnly(addAll(copyOf(without[place]), admins), given),
          lowering: removeAll(keepOnly(copyOf(higher), given), admins),
        };
      }
      addAll(higher, without[place]);
    }
    return found;
  }

  /**
   * The teams whose permission decides somebody's role once the permissions of the teams in `without` are removed; with
   * `redundantGone`, once redundant direct permissions are removed too.
   */
  needed(without: ReadonlySet<string>, redundantGone: boolean): string[] {
    if (this.#byRank.size === 0) return [];
    const teams = this.#teams(without);
    const settled = noSlots();
    this.#roles.addDirect(this.#content.content, 1, ROLES.length, settled);
    if (redundantGone) for (const { redundant } of this.direct) removeAll(settled, redundant);
    addAll(settled, this.#roles.withRole("admin"));
    const lower = noSlots();
    const needed: string[] = [];
    for (const [place, { any, twice }] of teams.entries()) {
      if (any === undefined) continue;
      const above = noSlots();
      for (const { any } of teams.slice(place + 1)) addAll(above, any);
      // Members whose only team of this rank is not needed: the default level or the parent gives them the same role.
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
