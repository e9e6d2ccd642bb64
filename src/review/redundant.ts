/**
 * Finds permissions that change nobody's effective role, and direct permissions that give less than a team would. For each
 * chunk of members, `ChunkPermissions` finds what decides somebody's role on one content, and so on what inherits from it.
 */
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import type { Finding } from "../domain/findings.ts";
import { type Decision, decide } from "../domain/ladder.ts";
import { type Titles, plain, reasonOf } from "../domain/reason.ts";
import { ROLES, type Role, rank, roleOf } from "../domain/role.ts";
import { EMPTY, type Head, chunksWith, isEmpty } from "../sets/head.ts";
import { type Words, addAll, countSlots, keepOnly, noSlots, removeAll, isNone } from "../sets/words.ts";
import { type Content, ladderOf } from "../store/directory/contents.ts";
import { membersAt } from "../store/directory/member-rows.ts";
import { memberOf, withDirectOn } from "../store/directory/members.ts";
import { personOf } from "../store/directory/person.ts";
import { titlesFor } from "../store/directory/titles.ts";
import { type ChunkRoles, ContentFolds, isGivenDirectly } from "../store/folds.ts";
import type { Reading } from "../store/reading.ts";
import { MEMBERS, memberSets } from "../store/schema/set-names.ts";
import { loadChunk } from "../store/memory/chunk.ts";
import { universeIndex } from "../store/memory/universe.ts";
import { giveTurn, inBlocks } from "../store/turns.ts";

/** The most findings per part: one content may have a million. */
const PART = 1000;

/** The findings on one content, before members and teams get names. */
interface ContentFindings {
  readonly content: Content;
  readonly direct: {
    readonly kind: "redundant" | "lowering";
    readonly position: number;
    readonly role: Role;
  }[];
  /** The chunks with direct permissions on the content. */
  readonly given: ReadonlySet<number>;
  /** Teams whose permission decides nobody's role in the chunks so far. */
  readonly idle: Set<string>;
}

/** `loaded` has the contents and all their ancestors. */
export async function* redundantOn(
  reading: Reading,
  keys: readonly ContentKey[],
  loaded: ReadonlyMap<ContentKey, Content>,
  heads: ReadonlyMap<string, Head>,
): AsyncGenerator<readonly Finding[]> {
  const contents = keys.flatMap((key) => {
    const content = loaded.get(key);
    const isGiven = content !== undefined && (content.teams.size > 0 || isGivenDirectly(key, heads));
    return isGiven ? [content] : [];
  });
  if (contents.length === 0) return;
  const ladders = contents.map((content) => ladderOf(content, loaded));
  const found = contents.map((content): ContentFindings => ({
    content,
    direct: [],
    given: givenIn(content, heads),
    idle: new Set(content.teams.keys()),
  }));
  const folds = new ContentFolds([...ladders, ...ladders.map((ladder) => ladder.slice(1))], heads);
  const teams = new Map(
    found.flatMap(({ idle }) => [...idle].map((team) => [team, chunksOf(memberSets.ofTeam(team), heads)])),
  );
  const universe = await universeIndex(reading, MEMBERS);
  for (const number of universe.chunks) {
    await giveTurn();
    // Most teams are soon known to be needed, and most contents have direct permissions in few chunks.
    const here = [...found.entries()].filter(
      ([, { given, idle }]) =>
        given.has(number) || [...idle].some((team) => teams.get(team)?.has(number) === true),
    );
    if (here.length === 0) continue;
    const parents = contents.length;
    const wanted = here.flatMap(([index]) => [index, parents + index]);
    const roles = await folds.read(reading, number, wanted);
    for (const [index, { content, direct, idle }] of here) {
      await giveTurn();
      const own = new ChunkPermissions(content, roles, parents + index);
      for (const [roleRank, { redundant, lowering }] of own.direct.entries()) {
        if (roleRank === 0) continue;
        const role = roleOf(roleRank);
        const kinds = [["redundant", redundant] as const, ["lowering", lowering] as const];
        for (const [kind, words] of kinds) {
          if (words === undefined || isNone(words)) continue;
          const chunk = await loadChunk(reading, MEMBERS, universe, number);
          for (const position of chunk.positionsOf(words)) direct.push({ kind, position, role });
        }
      }
      if (idle.size > 0) for (const team of own.needed()) idle.delete(team);
    }
  }
  const titles = await titlesFor(reading, loaded);
  for (const [index, each] of found.entries()) {
    const ladder = ladders[index] ?? [];
    for await (const some of inBlocks(each.direct, PART)) {
      yield await directFindings(reading, each.content, some, ladder, titles);
    }
    if (each.idle.size > 0) yield await teamFindings(reading, each, heads, ladder, titles);
  }
}

/** The chunks with direct permissions on a content. */
function givenIn({ content }: Content, heads: ReadonlyMap<string, Head>): ReadonlySet<number> {
  return new Set(ROLES.flatMap((role) => [...chunksOf(memberSets.given(content, role), heads)]));
}

/** The chunks in which a set has members. */
function chunksOf(name: string, heads: ReadonlyMap<string, Head>): ReadonlySet<number> {
  return chunksWith(heads.get(name) ?? EMPTY);
}

async function directFindings(
  reading: Reading,
  content: Content,
  direct: readonly ContentFindings["direct"][number][],
  ladder: readonly Content[],
  titles: Titles,
): Promise<Finding[]> {
  const key = content.content;
  const rows = await membersAt(
    reading,
    direct.map(({ position }) => position),
  );
  const findings: Finding[] = [];
  for (const { kind, position, role } of direct) {
    await giveTurn();
    const member = await memberOf(reading, rows.get(position)?.[1] ?? "");
    if (member === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const found = await withDirectOn(reading, member, [ladder]);
    const others = new Map([...found.direct].filter(([given]) => given !== key));
    const decision = decide(ladder, { ...found, direct: others });
    if (decision === undefined)
      throw new Error(`${member.id} has nothing on ${key} without what is redundant.`);
    const because = plain(reasonOf(key, decision, titles).because);
    const permission = { content: refOf(content), user: personOf(member), role };
    if (kind === "redundant") findings.push({ kind, ...permission, reason: sameReason(because, decision) });
    else if (decision.rule === "team") {
      findings.push({
        kind: "less-than-team",
        ...permission,
        reason: `${because} would give ${decision.role}`,
      });
    }
  }
  return findings;
}

function sameReason(because: string, { rule, role }: Decision): string {
  return rule === "admin" ? `${because}, whatever else is set` : `${because} gives ${role} too`;
}

async function teamFindings(
  reading: Reading,
  { content, idle }: ContentFindings,
  heads: ReadonlyMap<string, Head>,
  ladder: readonly Content[],
  titles: Titles,
): Promise<Finding[]> {
  // The weakest permissions are tried first, so that the strongest one remains.
  const weakestFirst = [...idle].sort(
    (a, b) => rank(content.teams.get(a) ?? "read") - rank(content.teams.get(b) ?? "read"),
  );
  const gone = new Set<string>();
  for (const team of weakestFirst) {
    if (!(await isNeeded(reading, content, ladder, heads, team, gone))) gone.add(team);
  }
  return [...idle].map((id) => {
    const role = content.teams.get(id) ?? ROLES[0];
    const permission = { content: refOf(content), team: { id, title: titles.team(id) }, role };
    const hasMembers = !isEmpty(heads.get(memberSets.ofTeam(id)) ?? EMPTY);
    const why = hasMembers
      ? "every member of the team has the same role without it"
      : "the team has no members";
    return gone.has(id)
      ? { kind: "redundant", ...permission, reason: why }
      : {
          kind: "redundant-alone",
          ...permission,
          reason: "needed if the other redundant permissions here are removed",
        };
  });
}

/**
 * Whether a team's permission decides somebody's role when redundant direct permissions, and those of the teams in
 * `gone`, are removed.
 */
async function isNeeded(
  reading: Reading,
  content: Content,
  ladder: readonly Content[],
  heads: ReadonlyMap<string, Head>,
  team: string,
  gone: ReadonlySet<string>,
): Promise<boolean> {
  const folds = new ContentFolds([ladder, ladder.slice(1)], heads);
  const chunks = chunksOf(memberSets.ofTeam(team), heads);
  for (const number of (await universeIndex(reading, MEMBERS)).chunks) {
    if (!chunks.has(number)) continue;
    await giveTurn();
    const own = new ChunkPermissions(content, await folds.read(reading, number), 1);
    if (own.needed(gone).includes(team)) return true;
  }
  return false;
}

function refOf({ content, title }: Content) {
  return { kind: kindOf(content), id: idOf(content), title };
}

/** The ranks of all roles, and 0 for no role. */
const RANKS = [0, ...ROLES.map(rank)];

/** Users with a direct permission of one rank, by the role that they would have without it. */
interface DirectOfRank {
  /** The users who would have the same role. */
  readonly redundant?: Words;
  /** The users who would have a higher role. */
  readonly lowering?: Words;
}

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
class ChunkPermissions {
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
    this.#allTeams = this.#teams(new Set());
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

  /**
   * The teams whose permission decides somebody's role; with `gone`, when the permissions of these teams and redundant
   * direct permissions are removed.
   */
  needed(gone?: ReadonlySet<string>): string[] {
    if (this.#byRank.size === 0) return [];
    const teams = gone === undefined ? this.#allTeams : this.#teams(gone);
    const settled = noSlots();
    this.#roles.addDirect(this.#content.content, 1, ROLES.length, settled);
    if (gone !== undefined) for (const { redundant } of this.direct) removeAll(settled, redundant);
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
        if (gone?.has(team) === true) continue;
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
