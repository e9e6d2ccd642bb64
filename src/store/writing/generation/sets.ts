/** Builds the sets of new generations from the staged records. */
import { roleOf, type Role } from "../../../domain/role.ts";
import { SetBuilder } from "../../../sets/builder.ts";
import { headBytes } from "../../../sets/head.ts";
import { SLOTS } from "../../../sets/position.ts";
import {
  type ClimbEnd,
  MEMBERS,
  memberSets,
  MOST_GRANTS,
  SPACES,
  spaceSets,
  type Universe,
} from "../../schema/set-names.ts";
import { CLOSED, decodeContent, decodeMemberRole, INHERIT } from "../../schema/encoding.ts";
import { type Column, type Staging, type Statement, statement } from "../../engine/engine.ts";
import { HEADS } from "../../sets/container-row.ts";

/** Some positions of the sets of a group: see {@link listed}. */
type Row = [generation: number, group: string, positions: string];

/** The rows from which one kind of sets is built. A row's group and a position's code identify the set. */
interface SetSource {
  readonly universe: Universe;
  readonly rows: Statement<Row>;
  readonly name: (group: string, code: number) => string;
}

function source(universe: Universe, name: SetSource["name"], rows: string): SetSource {
  return { universe, name, rows: statement(() => rows) };
}

/** The lowest code; there are fewer than CODES. */
const LOWEST = INHERIT;
const CODES = 16;

/**
 * SQL: all positions and codes of a group as one text. To receive a row for each would take longer than to parse the
 * text.
 */
function listed(position: string, code: string | number = 0): string {
  return `string_agg(CAST(${position} * ${CODES} + (${code}) - (${LOWEST}) AS text), ' ')`;
}

/** Calls `take` for each position and code of a {@link listed} text. */
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

/** For sets that may contain everything: one row per chunk, which limits the length of a text. */
const BY_CHUNK = `GROUP BY s.generation, s.position / ${SLOTS} ORDER BY s.generation`;

// Teams and contents belong to one generation, so their groups need no generation.
const SOURCES: readonly SetSource[] = [
  source(
    MEMBERS,
    (_, code) => memberSets.withRole(decodeMemberRole(code)),
    `SELECT s.generation, '', ${listed("s.position", "s.role")} FROM staged_place s ${BY_CHUNK}`,
  ),
  source(
    MEMBERS,
    (team) => memberSets.ofTeam(team),
    `SELECT max(t.generation), tm.team, ${listed("m.position")}
       FROM staged_team_member tm CROSS JOIN staged_changed_team t CROSS JOIN staged_place m
       WHERE t.id = tm.team AND m.member = tm.member AND m.generation = t.generation GROUP BY tm.team ORDER BY tm.team`,
  ),
  source(
    MEMBERS,
    (content, code) => memberSets.given(decodeContent(content), roleOf(code)),
    `SELECT max(c.generation), p.content, ${listed("m.position", "p.role")}
       FROM staged_user_permission p CROSS JOIN staged_changed_content c CROSS JOIN staged_place m
       WHERE c.id = p.content AND m.member = p.member AND m.generation = c.generation GROUP BY p.content ORDER BY p.content`,
  ),
  source(
    SPACES,
    (team, code) => spaceSets.givenToTeam(team, roleOf(code)),
    `SELECT max(s.generation), p.team, ${listed("s.position", "p.role")}
       FROM staged_team_permission p CROSS JOIN staged_space_place s WHERE s.id = p.content
       GROUP BY p.team ORDER BY p.team`,
  ),
  source(
    SPACES,
    (user, code) => spaceSets.givenToUser(user, roleOf(code)),
    `SELECT s.generation, p.member, ${listed("s.position", "p.role")}
       FROM (SELECT member FROM staged_user_permission GROUP BY member HAVING count(*) > ${MOST_GRANTS}) many
         CROSS JOIN staged_user_permission p CROSS JOIN staged_space_place s
       WHERE p.member = many.member AND s.id = p.content
       GROUP BY s.generation, p.member ORDER BY s.generation, p.member`,
  ),
  source(
    SPACES,
    (collection) => spaceSets.under(collection.slice("collection/".length)),
    `SELECT max(s.generation), c.level, ${listed("s.position")}
       FROM staged_chain c CROSS JOIN staged_space_place s WHERE c.depth > 0 AND s.id = c.content
       GROUP BY c.level ORDER BY c.level`,
  ),
  source(
    SPACES,
    (_, code) => spaceSets.ending(endOf(code)),
    `SELECT s.generation, '', ${listed("s.position", "l.default_level")}
       FROM staged_chain c CROSS JOIN staged_space_place s CROSS JOIN staged_content l
       WHERE c.above IS NULL AND s.id = c.content AND l.id = c.level ${BY_CHUNK}`,
  ),
];

function endOf(level: number): ClimbEnd {
  if (level === INHERIT) return "organization";
  return level === CLOSED ? "closed" : (roleOf(level) satisfies Role);
}

/** The number of columns, and so of values per appended row. */
const COLUMNS = 5;
const ROWS_AN_APPEND = 4096;

/** Stages the containers and heads of all sets of the changed organizations. */
export async function stageSets(staging: Staging): Promise<void> {
  const { text, bytes } = staging.dialect;
  await staging.create(
    "staged_container",
    `generation bigint, universe smallint, chunk bigint, name ${text}, bits ${bytes}`,
  );
  let values: Column[] = [];
  const flush = async () => {
    const full = values;
    values = [];
    if (full.length > 0) await staging.append("staged_container", COLUMNS, full);
  };
  for (const { universe, rows, name } of SOURCES) {
    const open = new Map<number, SetBuilder>();
    let current = 0;
    let group = "";
    const close = () => {
      for (const [code, builder] of open) {
        const set = name(group, code);
        const head = builder.end((chunk, container) => values.push(current, universe, chunk, set, container));
        values.push(current, universe, HEADS, set, headBytes(head));
      }
      open.clear();
    };
    for await (const [generation, of, positions] of staging.stream(rows)) {
      if (of !== group || generation !== current) {
        close();
        if (values.length >= COLUMNS * ROWS_AN_APPEND) await flush();
        [group, current] = [of, generation];
      }
      eachOf(positions, (position, code) => {
        let builder = open.get(code);
        if (builder === undefined) open.set(code, (builder = new SetBuilder()));
        builder.add(position);
      });
    }
    close();
  }
  await flush();
}
