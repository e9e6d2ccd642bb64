/**
 * The roles of single members on all contents of a revision, as one array of ranks, from one read of the contents and of
 * the teams' grants; and their comparison between two revisions.
 */
import type { ContentKey } from "../../../domain/content.ts";
import type { Decision, Ladder, Level } from "../../../domain/ladder.ts";
import { type Role, rank, roleOf } from "../../../domain/role.ts";
import type { Member } from "../../directory/members.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { limit } from "../../../sets/limit.ts";
import { giveTurn, inBlocks } from "../../turns.ts";
import { holds } from "../../schema/as-of.ts";
import {
  CLOSED,
  INHERIT,
  decodeContent,
  decodeDefaultLevel,
  encodeMemberRole,
} from "../../schema/encoding.ts";

type TreeRow = [id: string, parent: string | null, level: number];

const CONTENTS = statement<TreeRow>(
  () => `
    SELECT c.id, c.parent, c.level FROM content c WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);
/** How many contents one statement reads: others wait for it. */
const CONTENTS_PER_READ = limit("content-tree.block", 2_000);

/** Of how many teams one statement reads the grants. */
const TEAMS = limit("content-tree.teams", 16);

/** The grants of the given teams. */
export const GIVEN = statement<[content: string, team: string, role: number]>(
  ({ texts, lookUp }) => `
    SELECT g.content, g.team, g.role FROM ${lookUp(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.team = wanted.value`,
      "team_grant_of_team",
    )}`,
);

/** The grants of a team: numbers of contents, each with the rank of the role. */
type Given = readonly (readonly [content: number, rank: number])[];

/** A content, with the grants of those teams that {@link ContentTree.learn} has read. */
interface KnownLevel extends Level {
  readonly teams: Map<string, Role>;
}

/** What all contents of a revision inherit, by number. A parent has a lower number than its children. */
class Shape {
  readonly keys: ContentKey[] = [];
  readonly numbers = new Map<string, number>();
  readonly parents: Int32Array;
  readonly levels: Int8Array;

  private constructor(count: number) {
    this.parents = new Int32Array(count);
    this.levels = new Int8Array(count);
  }

  static async of(reading: Reading): Promise<Shape> {
    const below = new Map<string | null, TreeRow[]>();
    let count = 0;
    for (let after: string | undefined = ""; after !== undefined;) {
      const rows: TreeRow[] = await reading.read(CONTENTS, ...reading.asOf, after, CONTENTS_PER_READ);
      for (const row of rows) {
        const siblings = below.get(row[1]);
        if (siblings === undefined) below.set(row[1], [row]);
        else siblings.push(row);
      }
      count += rows.length;
      after = rows.length < CONTENTS_PER_READ ? undefined : rows.at(-1)?.[0];
      await giveTurn();
    }
    const shape = new Shape(count);
    const ordered = below.get(null) ?? [];
    // The loop appends to the list over which it iterates.
    for (const [id, parent, level] of ordered) {
      const number = shape.keys.length;
      shape.keys.push(decodeContent(id));
      shape.numbers.set(id, number);
      shape.parents[number] = shape.numbers.get(parent ?? "") ?? -1;
      shape.levels[number] = level;
      for (const row of below.get(id) ?? []) ordered.push(row);
      if (number % CONTENTS_PER_READ === 0) await giveTurn();
    }
    return shape;
  }
}

/** All contents of a revision, by their numbers in its {@link Shape}. */
export class ContentTree {
  readonly keys: readonly ContentKey[];
  readonly #reading: Reading;
  readonly #shape: Shape;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #parents: Int32Array;
  readonly #levels: Int8Array;
  readonly #teams = new Map<string, Given>();
  readonly #known = new Map<number, KnownLevel>();
  readonly #ladders = new Map<number, Ladder>();
  readonly #usual = new Map<Role | null, Uint8Array>();

  private constructor(reading: Reading, shape: Shape) {
    this.#reading = reading;
    this.#shape = shape;
    this.keys = shape.keys;
    this.#numbers = shape.numbers;
    this.#parents = shape.parents;
    this.#levels = shape.levels;
  }

  static async of(reading: Reading): Promise<ContentTree> {
    return new ContentTree(reading, await Shape.of(reading));
  }

  /** The tree at another revision with the same contents; only the grants of teams may differ. */
  at(reading: Reading): ContentTree {
    return new ContentTree(reading, this.#shape);
  }

  numberOf(key: ContentKey): number | undefined {
    return this.#numbers.get(key);
  }

  /** Reads the grants of the members' teams. Call it before {@link ranksOf} for one of these members. */
  async learn(members: Iterable<Member>): Promise<void> {
    const unknown = new Set<string>();
    for (const { teams } of members) for (const team of teams) if (!this.#teams.has(team)) unknown.add(team);
    for await (const teams of inBlocks([...unknown], TEAMS)) await this.#learn(teams);
  }

  async #learn(teams: readonly string[]): Promise<void> {
    const rows = await this.#reading.read(GIVEN, ...this.#reading.asOf, teams);
    const given = Map.groupBy(rows, ([, team]) => team);
    for (const team of teams) {
      const grants = (given.get(team) ?? []).map(
        ([content, , role]) => [this.#numbers.get(content) ?? -1, role] as const,
      );
      this.#teams.set(team, grants);
      for (const [content, role] of grants)
        if (content >= 0) this.#levelOf(content).teams.set(team, roleOf(role));
    }
  }

  #levelOf(content: number): KnownLevel {
    let level = this.#known.get(content);
    if (level === undefined) {
      const defaultLevel = decodeDefaultLevel(this.#levels[content] ?? CLOSED);
      level = { content: this.keys[content] ?? "space/", defaultLevel, teams: new Map() };
      this.#known.set(content, level);
    }
    return level;
  }

  /** The number of the content from which a content inherits; `undefined` if it does not inherit from one. */
  parentOf(content: number): number | undefined {
    const parent = this.#parents[content] ?? -1;
    return this.#levels[content] === INHERIT && parent >= 0 ? parent : undefined;
  }

  /** The ladder of a content, with the grants of the teams that were read. */
  ladderOf(content: number): Ladder {
    let ladder = this.#ladders.get(content);
    if (ladder === undefined) {
      const parent = this.parentOf(content);
      ladder = [this.#levelOf(content), ...(parent === undefined ? [] : this.ladderOf(parent))];
      this.#ladders.set(content, ladder);
    }
    return ladder;
  }

  /** What decides for a member on a content. `own` are the member's ranks of {@link ownRanksOf}. */
  decisionOf({ role, direct }: Member, own: Uint8Array, content: number): Decision | undefined {
    if (role === "admin") return { role, rule: "admin" };
    let at = content;
    for (;;) {
      const given = own[at] ?? 0;
      if (given > 0) {
        const level = this.#levelOf(at);
        return { role: roleOf(given), rule: direct.has(level.content) ? "direct" : "team", level };
      }
      const parent = this.parentOf(at);
      if (parent === undefined) break;
      at = parent;
    }
    if (role === null) return undefined;
    const level = this.#levelOf(at);
    const { defaultLevel } = level;
    if (defaultLevel === "inherit") return { role, rule: "organization" };
    return defaultLevel === null ? undefined : { role: defaultLevel, rule: "default", level };
  }

  /**
   * The rank of a member's permission on each content itself, without what the content inherits, by the content's
   * number; 0 for none.
   */
  ownRanksOf({ teams, direct }: Pick<Member, "teams" | "direct">): Uint8Array {
    const ranks = new Uint8Array(this.keys.length);
    for (const team of teams) {
      for (const [content, given] of this.#teams.get(team) ?? []) {
        if (content >= 0) ranks[content] = Math.max(ranks[content] ?? 0, given);
      }
    }
    for (const [content, given] of direct) this.#put(ranks, content, given);
    return ranks;
  }

  /**
   * The ranks that an organization role and the default levels give a member without a permission, by the content's
   * number.
   */
  usualRanksOf(role: Role | null): Uint8Array {
    let ranks = this.#usual.get(role);
    if (ranks === undefined) {
      ranks = this.ranksOf({ role, teams: [], direct: new Map() });
      this.#usual.set(role, ranks);
    }
    return ranks;
  }

  /** The ranks of a member's effective roles, by the content's number; 0 for no access (docs/permissions.md). */
  ranksOf(member: Pick<Member, "role" | "teams" | "direct">): Uint8Array {
    const { role } = member;
    if (role === "admin") return new Uint8Array(this.keys.length).fill(rank("admin"));
    const ranks = this.ownRanksOf(member);
    const own = encodeMemberRole(role);
    for (let content = 0; content < ranks.length; content++) {
      if (ranks[content] !== 0) continue;
      const level = this.#levels[content] ?? CLOSED;
      if (level !== INHERIT) ranks[content] = role === null ? 0 : level;
      else {
        const parent = this.#parents[content] ?? -1;
        ranks[content] = parent < 0 ? own : (ranks[parent] ?? 0);
      }
    }
    return ranks;
  }

  #put(ranks: Uint8Array, content: ContentKey, given: Role): void {
    const number = this.#numbers.get(content);
    if (number !== undefined) ranks[number] = rank(given);
  }
}
