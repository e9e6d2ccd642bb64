/** Loads the ladders of spaces for one member, by the positions of the spaces. */
import type { ContentKey } from "../../domain/content.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent } from "../schema/encoding.ts";
import type { Content } from "./content.ts";
import { type Dialect, statement } from "../engine/engine.ts";
import { climb, climbedTo, type ContentRow, contentOf } from "./inheritance.ts";
import type { Member } from "./members.ts";
import type { Reading } from "../reading.ts";

const climbFromSpaces = (dialect: Dialect) => {
  const spaces = dialect.lookUp(
    dialect.numbers("$3", "wanted"),
    "space",
    "s",
    `${holds("s")} AND s.position = wanted.value`,
  );
  const item = `(SELECT s.key FROM ${spaces}) s`;
  const contents = dialect.lookUp(
    item,
    "content",
    "c",
    `${holds("c")} AND c.id = 'space/' || substr(s.key, 17)`,
  );
  return climb(dialect, contents);
};

const LEVELS = statement<ContentRow>(
  (dialect) => `
    ${climbFromSpaces(dialect)}
    SELECT c.id, c.parent, c.title, c.level, (
        SELECT string_agg('"' || g.team || '",' || g.role, ',' ORDER BY g.team) FROM team_grant g
          WHERE ${holds("g")} AND g.content = c.id
            AND g.team IN (SELECT team.value FROM ${dialect.texts("$4", "team")}))
      FROM ${climbedTo(dialect)}`,
);
const GRANTS = statement<[content: string, role: number]>(
  (dialect) => `
    ${climbFromSpaces(dialect)}
    SELECT g.content, g.role
      FROM ${dialect.lookUp("up", "user_grant", "g", `${holds("g")} AND g.position = $4 AND g.content = up.id`)}`,
);

/**
 * The spaces at some positions, and the ancestors from which they inherit. Each has only the team grants of `teams`.
 */
export async function levelsOfSpaces(
  reading: Reading,
  positions: readonly number[],
  teams: readonly string[],
): Promise<Map<ContentKey, Content>> {
  const rows = await reading.read(LEVELS, ...reading.asOf, positions, teams);
  return new Map(rows.map((row) => contentOf(row)).map((content) => [content.content, content]));
}

/**
 * A member's direct permissions on the ladders of the spaces at some positions. Other direct permissions may be
 * included.
 */
export async function grantsOnSpaces(
  reading: Reading,
  positions: readonly number[],
  { many, direct, position }: Member,
): Promise<ReadonlyMap<ContentKey, Role>> {
  if (!many) return direct;
  const rows = await reading.read(GRANTS, ...reading.asOf, positions, position);
  return new Map(rows.map(([content, role]) => [decodeContent(content), roleOf(role)]));
}
