/** Moves rows to other positions: copies them, and ends them at the old positions. */
import { positionAt, SLOTS, slotOf } from "../../../../sets/position.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { type Dialect, type Statement, statement } from "../../../engine/engine.ts";
import { MEMBERS, SPACES, type Universe } from "../../../schema/set-names.ts";
import type { Writing } from "../writing.ts";

/** The new position of each position that is moved. */
export type Moves = ReadonlyMap<number, number>;

/** SQL: whether a row of a table keyed by position is current, and at one of the positions `$2`. */
export function isMoved({ numbers }: Dialect, alias: string): string {
  const moved = `SELECT moved.value FROM ${numbers("$2", "moved")}`;
  return `${alias}.generation = $1 AND ${alias}.until = ${FOREVER} AND ${alias}.position IN (${moved})`;
}

/** A move as one number, for statements: it encodes the new position and the old slot. */
const moveOf = (to: number, slot: number) => to * SLOTS + slot;
/** SQL: the new position of a move. */
const TO = `moved.value / ${SLOTS}`;
/**
 * SQL: the current rows that are moved, looked up by position. The list `$2` has the moves; `$3` is the first position
 * of the chunk that they leave.
 */
function movedIn({ numbers, lookUp }: Dialect, table: string): string {
  const from = `CAST($3 AS bigint) + moved.value % ${SLOTS}`;
  const current = `t.generation = $1 AND t.until = ${FOREVER} AND t.position = ${from}`;
  return lookUp(numbers("$2", "moved"), table, "t", current);
}

const GIVE = { [MEMBERS]: give(MEMBERS, "member", "id"), [SPACES]: give(SPACES, "space", "key") } as const;

function give(universe: Universe, table: string, key: string): Statement<never> {
  return statement(
    (dialect) => `
      INSERT INTO place (generation, universe, key, position)
        SELECT t.generation, ${universe}, t.${key}, ${TO} FROM ${movedIn(dialect, table)}`,
  );
}

/** Copies rows to their new positions. The copies hold from revision `$4`. */
function copy(table: string, columns: readonly string[]): Statement<never> {
  return statement(
    (dialect) => `
      INSERT INTO ${table} (generation, position, until, since, ${columns.join(", ")})
        SELECT t.generation, ${TO}, t.until, CAST($4 AS bigint), ${columns.map((each) => `t.${each}`).join(", ")}
          FROM ${movedIn(dialect, table)}`,
  );
}

/** Ends the rows at the old positions. Deletes those that this change inserted, because nobody has read them. */
function end(table: string): readonly Statement<never>[] {
  return [
    statement((dialect) => `DELETE FROM ${table} WHERE ${isMoved(dialect, table)} AND since = $3`),
    statement((dialect) => `UPDATE ${table} SET until = $3 WHERE ${isMoved(dialect, table)}`),
  ];
}

/** Tables keyed by position. */
const TABLES: Readonly<
  Record<Universe, readonly (readonly [copy: Statement<never>, end: readonly Statement<never>[]])[]>
> = {
  [MEMBERS]: [
    [copy("team_member", ["team", "role"]), end("team_member")],
    [copy("user_grant", ["content", "role"]), end("user_grant")],
    [copy("member", ["id", "role", "teams", "grants", "doc", "omitted"]), end("member")],
  ],
  [SPACES]: [[copy("space", ["key", "doc", "omitted", "parent", "level", "teams"]), end("space")]],
};

/** The spaces that are moved: key, old and new position. */
const movedSpaces = (dialect: Dialect) =>
  `(SELECT t.key, t.position, ${TO} AS place FROM ${movedIn(dialect, "space")}) s`;
/** Changes the rows of contents that this change inserted, for example because it moved the space before. */
const PUT_CONTENTS = statement<never>(
  (dialect) => `
    UPDATE content SET position = s.place FROM ${movedSpaces(dialect)}
      WHERE content.generation = $1 AND content.id = 'space/' || substr(s.key, 17) AND content.until = ${FOREVER}
        AND content.since = $4 AND content.position = s.position`,
);
/**
 * Ends the other rows of contents with positions of moved spaces. In a space's key, its id follows fifteen digits and a
 * slash.
 */
const END_CONTENTS = statement<never>(
  (dialect) => `
    UPDATE content SET until = $3
      WHERE generation = $1 AND until = ${FOREVER} AND since < $3
        AND id IN (SELECT 'space/' || substr(s.key, 17) FROM space s WHERE ${isMoved(dialect, "s")})
        AND position IN (SELECT moved.value FROM ${dialect.numbers("$2", "moved")})`,
);
const COPY_CONTENTS = statement<never>(
  (dialect) => `
    INSERT INTO content (generation, id, until, since, parent, title, level, depth, position, doc, look)
      SELECT c.generation, c.id, ${FOREVER}, c.until, c.parent, c.title, c.level, c.depth, s.place, c.doc, c.look
        FROM ${movedSpaces(dialect)} CROSS JOIN content c
        WHERE c.generation = $1 AND c.id = 'space/' || substr(s.key, 17) AND c.until = $4 AND c.position = s.position`,
);

/** Moves the rows of a chunk at the given positions, from this revision on. */
export async function moveRows(
  { connection, generation, revision }: Writing,
  universe: Universe,
  chunk: number,
  moves: Moves,
): Promise<void> {
  const old = [...moves.keys()];
  const encoded = [...moves].map(([from, to]) => moveOf(to, slotOf(from)));
  const moved = [generation, encoded, positionAt(chunk, 0)] as const;
  await connection.write(GIVE[universe], ...moved);
  if (universe === SPACES) {
    await connection.write(PUT_CONTENTS, ...moved, revision);
    await connection.write(END_CONTENTS, generation, old, revision);
    await connection.write(COPY_CONTENTS, ...moved, revision);
  }
  for (const [copied] of TABLES[universe]) await connection.write(copied, ...moved, revision);
  for (const ended of TABLES[universe].flatMap(([, each]) => each)) {
    await connection.write(ended, generation, old, revision);
  }
}
