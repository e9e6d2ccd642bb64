/** Finds the permissions on one content that decide somebody's role there, and so on what inherits from it. */
import { rank, ROLES } from "../../domain/role.ts";
import { addAll, countSlots, keepOnly, noSlots, removeAll, type Words } from "../../sets/words.ts";
import type { Content } from "../../store/directory/content.ts";
import type { ChunkRoles } from "../../store/folds/content-folds.ts";

/** The ranks of all roles, and 0 for no role. */
const RANKS = [0, ...ROLES.map(rank)];

/** Users with a direct permission of one rank, by the role that they would have without it. */
export interface DirectOfRank {
  /** The users who would have the same role. */
  readonly redundant?: Words;
  /** The users who would have a higher role. */
  readonly lowering?: Words;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The members of all teams with a permission of one rank: everybody, and those who are in two or more of the teams.
 * Absent without such teams.
 */
interface MembersOfRank {
  readonly any?: Words;
  readonly twice?: Words;
}

/**
 * The permissions on one content, for the members of one chunk.
 *
 * A content inherits the roles on its parent, whichever permissions give them. So a permission that decides nothing on
 * its own content decides nothing below it either, and redundant permissions of several contents can be removed
 * together.
 */
export class OwnPermissions {
  readonly #content: Content;
  readonly #roles: ChunkRoles;
  /** The members by the rank that they would have without any permission on this content. */
  readonly #rest: readonly (Words | undefined)[];
  readonly #byRank: ReadonlyMap<number, readonly string[]>;
  /** The users with direct permissions, by rank. */
  readonly direct: readonly DirectOfRank[];
  readonly #allTeams: readonly MembersOfRank[];

  /** `parent` is the index of the parent's ladder in `roles`. */
  constructor(content: Content, roles: ChunkRoles, parent: number) {
    this.#content = content;
    this.#roles = roles;
    this.#byRank = Map.groupBy(content.teams.keys(), (team) => rank(content.teams.get(team) ?? "read"));
    this.#rest = this.#restFrom(parent);
    this.#allTeams = this.#teams(NONE);
    this.direct = this.#direct();
  }

  #restFrom(parent: number): (Words | undefined)[] {
    const { defaultLevel } = this.#content;
    return RANKS.map((roleRank) => {
      const isThere =
        defaultLevel === "inherit" || (defaultLevel !== null && roleRank === rank(defaultLevel));
      if (roleRank === 0 || !isThere) return undefined;
      const words = noSlots();
      if (defaultLevel === "inherit") this.#roles.addEffective(parent, roleRank, roleRank, words);
      else for (const role of ROLES) addAll(words, this.#roles.withRole(role));
      return words;
    });
  }

  /** By rank: the members of the teams whose permission here has this rank. Teams in `without` are left out. */
  #teams(without: ReadonlySet<string>): MembersOfRank[] {
    return RANKS.map((roleRank) => {
      const sets = (this.#byRank.get(roleRank) ?? []).flatMap((team) =>
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
    const teams = this.#allTeams;
    const decided = noSlots();
    // The members by the rank that they would have without a direct permission: that of their highest team, or else the
    // inherited one.
    const without: (Words | undefined)[] = [];
    for (const roleRank of RANKS.toReversed()) {
      const any = teams[roleRank]?.any;
      without[roleRank] = any && removeAll(copyOf(any), decided);
      addAll(decided, any);
    }
    for (const [roleRank, words] of this.#rest.entries()) {
      if (words !== undefined)
        without[roleRank] = addAll(removeAll(copyOf(words), decided), without[roleRank]);
    }
    const admins = this.#roles.withRole("admin");
    const higher = noSlots();
    const found: DirectOfRank[] = [];
    for (const roleRank of RANKS.toReversed()) {
      found[roleRank] = {};
      if (roleRank > 0 && isGiven[roleRank - 1] === true) {
        const given = noSlots();
        this.#roles.addDirect(this.#content.content, roleRank, roleRank, given);
        found[roleRank] = {
          redundant: keepOnly(addAll(copyOf(without[roleRank]), admins), given),
          lowering: removeAll(keepOnly(copyOf(higher), given), admins),
        };
      }
      addAll(higher, without[roleRank]);
    }
    return found;
  }

  /** Whether some direct permission is redundant. */
  get hasRedundant(): boolean {
    return this.direct.some(({ redundant }) => redundant !== undefined && countSlots(redundant) > 0);
  }

  /**
   * The teams whose permission decides somebody's role when those of the teams in `without` are removed; with
   * `redundantGone`, also when redundant direct permissions are removed.
   */
  needed(without: ReadonlySet<string>, redundantGone: boolean): string[] {
    if (this.#byRank.size === 0) return [];
    const teams = without.size === 0 ? this.#allTeams : this.#teams(without);
    const settled = noSlots();
    this.#roles.addDirect(this.#content.content, 1, ROLES.length, settled);
    if (redundantGone) for (const { redundant } of this.direct) removeAll(settled, redundant);
    addAll(settled, this.#roles.withRole("admin"));
    const lower = noSlots();
    const needed: string[] = [];
    for (const [roleRank, { any, twice }] of teams.entries()) {
      if (any === undefined) continue;
      const above = noSlots();
      for (const { any } of teams.slice(roleRank + 1)) addAll(above, any);
      // These members would keep their role: the default level or the parent gives it to them too.
      const same = removeAll(copyOf(this.#rest[roleRank]), lower);
      const losing = [twice, above, settled, same].reduce<Words>(removeAll, copyOf(any));
      for (const team of this.#byRank.get(roleRank) ?? []) {
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
