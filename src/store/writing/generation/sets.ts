/** Builds the sets of new generations from the staged records. */
import type { ContentKey } from "../../../domain/content.ts";
import { copied } from "../../../domain/copied.ts";
import { ROLES, type Role, rank, roleOf } from "../../../domain/role.ts";
import { SetBuilder } from "../../../sets/builder.ts";
import { headBytes } from "../../../sets/head.ts";
import { PositionLists } from "../../../sets/position-lists.ts";
import { SLOTS } from "../../../sets/position.ts";
import { type Staging, type Statement, statement } from "../../engine/engine.ts";
import { CLOSED, INHERIT, decodeContent, decodeMemberRole, decodeTeams } from "../../schema/encoding.ts";
import {
  type ClimbEnd,
  MEMBERS,
  MOST_GRANTS,
  SPACES,
  type Universe,
  headColumn,
  memberSets,
  spaceSets,
} from "../../schema/set-names.ts";
import { HEADS } from "../../sets/containers.ts";
import { allGrants, allTeams } from "./derived-rows.ts";
import { Appender } from "./staged.ts";

/**
 * Stages the containers and heads of all sets of the changed organizations; in a table of their own, by content, the
 * heads of users with a direct permission, which are stored in the row of their content.
 */
export async function stageSets(staging: Staging): Promise<void> {
  const { text, bytes } = staging.dialect;
  await staging.create(
    "staged_container",
    `generation bigint, universe smallint, chunk bigint, name ${text}, bits ${bytes}`,
  );
  await staging.create(
    "staged_direct",
    `content ${text}, ${ROLES.map((role) => `${headColumn(role)} ${bytes}`).join(", ")}`,
  );
  const rows = new Appender(staging, "staged_container", 5);
  await stageMemberSets(staging, rows);
  await stageSpaceSets(staging, rows);
  await rows.flush();
  await staging.index("staged_direct", "content");
}

function openSet(rows: Appender, generation: number, universe: Universe, name: string): SetBuilder {
  return new SetBuilder((chunk, bits) => rows.add([generation, universe, chunk, name, bits]));
}

const roleSet = (role: string) => memberSets.withRole(decodeMemberRole(Number(role)));

/** The content and the role of a listed permission. */
function grantOf(listed: string): [content: ContentKey, role: Role] {
  const space = listed.lastIndexOf(" ");
  return [decodeContent(listed.slice(0, space)), roleOf(Number(listed.slice(space + 1)))];
}

type MemberListsRow = [generation: number, position: number, role: number, teams: string, grants: string];

const MEMBERS_WITH_LISTS = statement<MemberListsRow>(
  () => `
    SELECT p.generation, p.position, p.role, ${allTeams("p")}, ${allGrants("p")} FROM staged_member_position p
      ORDER BY p.generation, p.position`,
);

/** Stages the sets of members in one pass over the members, from the lists in their rows. */
async function stageMemberSets(staging: Staging, rows: Appender): Promise<void> {
  let generation = 0;
  const direct = new Appender(staging, "staged_direct", 1 + ROLES.length);
  const open = (name: (key: string) => string) =>
    new OpenSets((key) => openSet(rows, generation, MEMBERS, name(key)));
  const roles = open(roleSet);
  const teams = open(memberSets.ofTeam);
  const grants = open((grant) => memberSets.given(...grantOf(grant)));
  const end = async () => {
    for (const [sets, name] of [[roles, roleSet] as const, [teams, memberSets.ofTeam] as const]) {
      for (const [key, head] of sets.taken()) {
        rows.add([generation, MEMBERS, HEADS, name(key), head]);
        if (rows.isFull) await rows.flush();
      }
    }
    // The sets of a content follow one another.
    let row: (string | Uint8Array | null)[] = [];
    const endRow = () => direct.add(row);
    for (const [key, head] of grants.taken()) {
      const [content, role] = grantOf(key);
      if (row[0] !== content) {
        endRow();
        row = [content, ...ROLES.map(() => null)];
      }
      row[rank(role)] = head;
      for (const each of [rows, direct]) if (each.isFull) await each.flush();
    }
    endRow();
    await direct.flush();
    await rows.flush();
  };
  for await (const [of, position, role, listedTeams, listedGrants] of staging.stream(MEMBERS_WITH_LISTS)) {
    if (of !== generation) await end();
    generation = of;
    roles.add(String(role), position);
    for (const team of decodeTeams(listedTeams)) teams.add(team, position);
    // The text of a grant has the content and the role, so it identifies the set.
    if (listedGrants !== "") for (const grant of listedGrants.split(",")) grants.add(grant, position);
    if (rows.isFull) await rows.flush();
  }
  await end();
}

/** A set with at most this many positions is a list. Most sets have few positions, and a set builder takes more memory. */
const FEW_POSITIONS = 16;

/** Sets of one kind. All of them are built at the same time. */
class OpenSets {
  readonly #open: (key: string) => SetBuilder;
  #lists = new PositionLists();
  /** For each key, its list in {@link #lists} or, if that would be long, its set. */
  readonly #sets = new Map<string, number | SetBuilder>();

  constructor(open: (key: string) => SetBuilder) {
    this.#open = open;
  }

  add(key: string, position: number): void {
    const set = this.#sets.get(key) ?? 0;
    if (typeof set !== "number") return set.add(position);
    const list = this.#lists.add(set, position);
    if (set === 0) this.#sets.set(copied(key), list);
    else this.#sets.set(key, this.#lists.isLonger(list, FEW_POSITIONS) ? this.#opened(key, list) : list);
  }

  /** Removes all sets, and returns their heads one by one, in the order of their keys. */
  *taken(): Generator<[key: string, head: Uint8Array]> {
    for (const key of [...this.#sets.keys()].sort()) {
      const set = this.#sets.get(key) ?? 0;
      this.#sets.delete(key);
      yield [key, headBytes((typeof set === "number" ? this.#opened(key, set) : set).end())];
    }
    this.#lists = new PositionLists();
  }

  #opened(key: string, list: number): SetBuilder {
    const set = this.#open(key);
    for (const position of this.#lists.positionsOf(list)) set.add(position);
    return set;
  }
}

/** Some positions of the sets of one group, as {@link listed} encodes them. */
type PositionsRow = [generation: number, group: string, positions: string];

/** Finds the positions of one kind of sets. The group of a row and the code of a position identify a set. */
interface SetSource {
  readonly rows: Statement<PositionsRow>;
  readonly name: (group: string, code: number) => string;
}

function source(name: SetSource["name"], rows: string): SetSource {
  return { name, rows: statement(() => rows) };
}

/** The lowest code. There are at most {@link CODES} codes. */
const LOWEST = INHERIT;
const CODES = 16;

/**
 * SQL: all positions of a group, with their codes, as one text. Parsing the text takes less time than receiving one row
 * per position.
 */
function listed(position: string, code: string | number = 0): string {
  return `string_agg(CAST(${position} * ${CODES} + (${code}) - (${LOWEST}) AS text), ' ')`;
}

/** Calls `take` for each position and code in a text of {@link listed}. */
function eachOf(text: string, take: (position: number, code: number) => void): void {
  let number = 0;
  for (let at = 0; at <= text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0) {
      number = number * 10 + digit;
    } else {
      take(Math.floor(number / CODES), (number % CODES) + LOWEST);
      number = 0;
    }
  }
}

const ZERO = "0".charCodeAt(0);

/** Groups positions by chunk, for sets that may have all spaces: one row per chunk limits the length of the text. */
const BY_CHUNK = `GROUP BY s.generation, s.position / ${SLOTS} ORDER BY s.generation`;

// A team or collection belongs to one generation, so groups by team or collection need no generation.
const SOURCES: readonly SetSource[] = [
  source(
    (team, code) => spaceSets.givenToTeam(team, roleOf(code)),
    `SELECT max(s.generation), p.team, ${listed("s.position", "p.role")}
       FROM staged_team_permission p CROSS JOIN staged_space_position s WHERE s.id = p.content
       GROUP BY p.team ORDER BY p.team`,
  ),
  source(
    (user, code) => spaceSets.givenToUser(user, roleOf(code)),
    `SELECT s.generation, p.member, ${listed("s.position", "p.role")}
       FROM (SELECT member FROM staged_user_permission GROUP BY member HAVING count(*) > ${MOST_GRANTS}) many
         CROSS JOIN staged_user_permission p CROSS JOIN staged_space_position s
       WHERE p.member = many.member AND s.id = p.content
       GROUP BY s.generation, p.member ORDER BY s.generation, p.member`,
  ),
  source(
    (collection) => spaceSets.under(collection.slice("collection/".length)),
    `SELECT max(s.generation), c.level, ${listed("s.position")}
       FROM staged_chain c CROSS JOIN staged_space_position s WHERE c.depth > 0 AND s.id = c.content
       GROUP BY c.level ORDER BY c.level`,
  ),
  source(
    (_, code) => spaceSets.ending(endOf(code)),
    `SELECT s.generation, '', ${listed("s.position", "l.default_level")}
       FROM staged_chain c CROSS JOIN staged_space_position s CROSS JOIN staged_content l
       WHERE c.above IS NULL AND s.id = c.content AND l.id = c.level ${BY_CHUNK}`,
  ),
];

function endOf(level: number): ClimbEnd {
  if (level === INHERIT) return "organization";
  return level === CLOSED ? "closed" : (roleOf(level) satisfies Role);
}

/** Stages the sets of spaces of the changed organizations. */
async function stageSpaceSets(staging: Staging, rows: Appender): Promise<void> {
  for (const { rows: wanted, name } of SOURCES) {
    const positionsOf = new Map<number, number[]>();
    let current = 0;
    let group = "";
    const end = () => {
      for (const [code, positions] of positionsOf) {
        const set = openSet(rows, current, SPACES, name(group, code));
        for (const position of Uint32Array.from(positions).sort()) set.add(position);
        rows.add([current, SPACES, HEADS, name(group, code), headBytes(set.end())]);
      }
      positionsOf.clear();
    };
    for await (const [generation, of, listedPositions] of staging.stream(wanted)) {
      if (of !== group || generation !== current) {
        end();
        if (rows.isFull) await rows.flush();
        [group, current] = [of, generation];
      }
      eachOf(listedPositions, (position, code) => {
        let positions = positionsOf.get(code);
        if (positions === undefined) positionsOf.set(code, (positions = []));
        positions.push(position);
      });
    }
    end();
  }
}
