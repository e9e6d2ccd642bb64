/** Builds the sets of new generations from the staged records. */
import { roleOf, type Role } from "../../../domain/role.ts";
import { SetBuilder } from "../../../sets/builder.ts";
import { headBytes } from "../../../sets/head.ts";
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

/** Rows of a source, grouped by `group`. */
type Row = [generation: number, group: string, code: number, position: number];

/** The rows that the sets of one kind come from. The group and the code of a row name the set of its position. */
interface SetSource {
  readonly universe: Universe;
  readonly rows: Statement<Row>;
  readonly name: (group: string, code: number) => string;
}

function source(universe: Universe, name: SetSource["name"], rows: string): SetSource {
  return { universe, name, rows: statement(() => rows) };
}

const SOURCES: readonly SetSource[] = [
  source(
    MEMBERS,
    (_, code) => memberSets.withRole(decodeMemberRole(code)),
    "SELECT generation, '', role, position FROM staged_place ORDER BY generation, position",
  ),
  source(
    MEMBERS,
    (team) => memberSets.ofTeam(team),
    `SELECT t.generation, tm.team, 0, m.position
       FROM staged_team_member tm CROSS JOIN staged_changed_team t CROSS JOIN staged_place m
       WHERE t.id = tm.team AND m.member = tm.member AND m.generation = t.generation ORDER BY tm.team, tm.member`,
  ),
  source(
    MEMBERS,
    (content, code) => memberSets.given(decodeContent(content), roleOf(code)),
    `SELECT c.generation, p.content, p.role, m.position
       FROM staged_user_permission p CROSS JOIN staged_changed_content c CROSS JOIN staged_place m
       WHERE c.id = p.content AND m.member = p.member AND m.generation = c.generation ORDER BY p.content, p.member`,
  ),
  source(
    SPACES,
    (team, code) => spaceSets.givenToTeam(team, roleOf(code)),
    `SELECT s.generation, p.team, p.role, s.position
       FROM staged_team_permission p CROSS JOIN staged_space_place s WHERE s.id = p.content
       ORDER BY p.team, s.position`,
  ),
  source(
    SPACES,
    (user, code) => spaceSets.givenToUser(user, roleOf(code)),
    `SELECT s.generation, p.member, p.role, s.position
       FROM (SELECT member FROM staged_user_permission GROUP BY member HAVING count(*) > ${MOST_GRANTS}) many
         CROSS JOIN staged_user_permission p CROSS JOIN staged_space_place s
       WHERE p.member = many.member AND s.id = p.content ORDER BY s.generation, p.member, s.position`,
  ),
  source(
    SPACES,
    (collection) => spaceSets.under(collection.slice("collection/".length)),
    `SELECT s.generation, c.level, 0, s.position
       FROM staged_chain c CROSS JOIN staged_space_place s WHERE c.depth > 0 AND s.id = c.content
       ORDER BY c.level, s.position`,
  ),
  source(
    SPACES,
    (_, code) => spaceSets.ending(endOf(code)),
    `SELECT s.generation, '', l.default_level, s.position
       FROM staged_chain c CROSS JOIN staged_space_place s CROSS JOIN staged_content l
       WHERE c.above IS NULL AND s.id = c.content AND l.id = c.level ORDER BY s.generation, s.position`,
  ),
];

function endOf(level: number): ClimbEnd {
  if (level === INHERIT) return "organization";
  return level === CLOSED ? "closed" : (roleOf(level) satisfies Role);
}

/** The columns of a staged row; that many values are appended per row. */
const COLUMNS = 5;
const ROWS_AN_APPEND = 4096;

/** Stages the containers and heads of all sets of the organizations that changed. */
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
    for await (const [generation, of, code, position] of staging.stream(rows)) {
      if (of !== group || generation !== current) {
        close();
        if (values.length >= COLUMNS * ROWS_AN_APPEND) await flush();
        [group, current] = [of, generation];
      }
      let builder = open.get(code);
      if (builder === undefined) open.set(code, (builder = new SetBuilder()));
      builder.add(position);
    }
    close();
  }
  await flush();
}
