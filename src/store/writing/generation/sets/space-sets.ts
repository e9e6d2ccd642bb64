/** Builds the sets of spaces. */
import { type Role, roleOf } from "../../../../domain/role.ts";
import { SLOTS } from "../../../../sets/position.ts";
import { CLOSED, INHERIT } from "../../../schema/encoding.ts";
import { type Staging, type Statement, statement } from "../../../engine/engine.ts";
import { type ClimbEnd, MOST_GRANTS, SPACES, spaceSets } from "../../../schema/set-names.ts";
import type { SetRows } from "./set-rows.ts";

/** Some positions of the sets of one group, as {@link listed} encodes them. */
type Row = [generation: number, group: string, positions: string];

/** Finds the positions of one kind of sets. The group of a row and the code of a position identify a set. */
interface SetSource {
  readonly rows: Statement<Row>;
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
       FROM staged_team_permission p CROSS JOIN staged_space_place s WHERE s.id = p.content
       GROUP BY p.team ORDER BY p.team`,
  ),
  source(
    (user, code) => spaceSets.givenToUser(user, roleOf(code)),
    `SELECT s.generation, p.member, ${listed("s.position", "p.role")}
       FROM (SELECT member FROM staged_user_permission GROUP BY member HAVING count(*) > ${MOST_GRANTS}) many
         CROSS JOIN staged_user_permission p CROSS JOIN staged_space_place s
       WHERE p.member = many.member AND s.id = p.content
       GROUP BY s.generation, p.member ORDER BY s.generation, p.member`,
  ),
  source(
    (collection) => spaceSets.under(collection.slice("collection/".length)),
    `SELECT max(s.generation), c.level, ${listed("s.position")}
       FROM staged_chain c CROSS JOIN staged_space_place s WHERE c.depth > 0 AND s.id = c.content
       GROUP BY c.level ORDER BY c.level`,
  ),
  source(
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

/** Stages the sets of spaces of the changed organizations. */
export async function stageSpaceSets(staging: Staging, rows: SetRows): Promise<void> {
  for (const { rows: wanted, name } of SOURCES) {
    const positionsOf = new Map<number, number[]>();
    let current = 0;
    let group = "";
    const end = () => {
      for (const [code, positions] of positionsOf) {
        const set = rows.open(current, SPACES, name(group, code));
        for (const position of Uint32Array.from(positions).sort()) set.builder.add(position);
        set.end();
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
