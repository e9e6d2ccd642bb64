/**
 * Makes room for a key in a full chunk. The chunk is closed, and its current keys move to new chunks, with all rows and
 * sets that have their positions. A key greater than all keys of the chunk gets a new chunk, and nothing moves.
 */
import { headOf } from "../../../../sets/head.ts";
import { chunkOf, positionAt, SLOTS, slotOf } from "../../../../sets/position.ts";
import { compareIds } from "../../../../domain/order.ts";
import { roleOf } from "../../../../domain/role.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../../../schema/encoding.ts";
import { type Dialect, type Statement, statement } from "../../../engine/engine.ts";
import { HEADS } from "../../../sets/container-row.ts";
import { MEMBERS, memberSets, SPACES, type Universe } from "../../../schema/set-names.ts";
import { flushRows, forgetMoved } from "../rows.ts";
import { type LivingChunk, openChunks } from "./open-chunks.ts";
import type { Newcomer } from "./places.ts";
import type { SetChanges } from "./set-changes.ts";
import type { Writing } from "../writing.ts";

/**
 * SQL: whether a row of a table keyed by position is current, and its position is from `$2` up to but not including
 * `$3`.
 */
function inChunk(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until = ${FOREVER} AND ${alias}.position >= $2 AND ${alias}.position < $3`;
}

/** The table and column with the keys of each universe. */
const KEYS = { [MEMBERS]: ["member", "id"], [SPACES]: ["space", "key"] } as const;

/** The keys of a chunk in order, with their positions. */
const LIVING = { [MEMBERS]: livingIn(MEMBERS), [SPACES]: livingIn(SPACES) } as const;

function livingIn(universe: Universe): Statement<[position: number, key: string]> {
  const [table, key] = KEYS[universe];
  return statement(
    () => `SELECT k.position, k.${key} FROM ${table} k WHERE ${inChunk("k")} ORDER BY k.${key}`,
  );
}

/** The new position and the old slot of a moved key, encoded as one number for statements. */
const moveOf = (to: number, slot: number) => to * SLOTS + slot;
/** SQL: the new position in the number of {@link moveOf}. */
const TO = `moved.value / ${SLOTS}`;
/**
 * SQL: the current rows of the moved keys. The list `$2` has the numbers of {@link moveOf}; `$3` is the first position
 * of the closed chunk.
 */
function movedIn({ numbers, lookUp }: Dialect, table: string): string {
  const from = `CAST($3 AS bigint) + moved.value % ${SLOTS}`;
  const current = `t.generation = $1 AND t.until = ${FOREVER} AND t.position = ${from}`;
  return lookUp(numbers("$2", "moved"), table, "t", current);
}

const GIVE = { [MEMBERS]: give(MEMBERS), [SPACES]: give(SPACES) } as const;

function give(universe: Universe): Statement<never> {
  const [table, key] = KEYS[universe];
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

/** Ends the rows at the old positions. Deletes rows that this change inserted, because no revision contains them. */
function end(table: string): readonly Statement<never>[] {
  return [
    statement(() => `DELETE FROM ${table} WHERE ${inChunk(table)} AND since = $4`),
    statement(() => `UPDATE ${table} SET until = $4 WHERE ${inChunk(table)}`),
  ];
}

/** The tables keyed by a position, by universe. */
const MOVES: Readonly<
  Record<Universe, readonly (readonly [copy: Statement<never>, end: readonly Statement<never>[]])[]>
> = {
  [MEMBERS]: [
    [copy("team_member", ["team", "role"]), end("team_member")],
    [copy("user_grant", ["content", "role"]), end("user_grant")],
    [copy("member", ["id", "role", "teams", "grants", "doc", "omitted"]), end("member")],
  ],
  [SPACES]: [[copy("space", ["key", "doc", "omitted", "parent", "level", "teams"]), end("space")]],
};

/**
 * Ends the rows of contents with positions of moved spaces. In the sort key of a space, the id follows fifteen digits
 * and a slash.
 */
const END_CONTENTS = statement<never>(
  () => `
    UPDATE content SET until = $4
      WHERE generation = $1 AND until = ${FOREVER}
        AND id IN (SELECT 'space/' || substr(s.key, 17) FROM space s WHERE ${inChunk("s")})
        AND position >= $2 AND position < $3`,
);
const COPY_CONTENTS = statement<never>(
  (dialect) => `
    INSERT INTO content (generation, id, until, since, parent, title, level, depth, position, doc, look)
      SELECT c.generation, c.id, ${FOREVER}, c.until, c.parent, c.title, c.level, c.depth, s.place, c.doc, c.look
        FROM (SELECT t.key, t.position, ${TO} AS place FROM ${movedIn(dialect, "space")}) s CROSS JOIN content c
        WHERE c.generation = $1 AND c.id = 'space/' || substr(s.key, 17) AND c.until = $4 AND c.position = s.position`,
);
const CLOSE = statement<never>(
  () => `
    UPDATE chunk SET until = $4 WHERE generation = $1 AND universe = $2 AND chunk = $3 AND until = ${FOREVER}`,
);

/**
 * Closes a chunk, and opens two for its keys, or one if fewer than half of its slots are in use. If `key` continues a
 * sequence, the chunk is divided at the end of the sequence. If `key` is greater than all others, the full chunk stays,
 * and `key` gets a new chunk.
 */
export async function splitChunk(
  writing: Writing,
  sets: SetChanges,
  universe: Universe,
  { number, lowest }: LivingChunk,
  { key, behind }: Newcomer,
): Promise<void> {
  await flushRows(writing);
  const { connection, generation, revision } = writing;
  const bounds = [generation, positionAt(number, 0), positionAt(number + 1, 0)] as const;
  const living = await connection.read(LIVING[universe], ...bounds);
  const isSparse = living.length < SLOTS / 2;
  if (behind === "all" && !isSparse) {
    await openChunks(writing, universe, [[key, 0]]);
    return;
  }
  const below = behind === "latest" ? living.filter(([, each]) => compareIds(each, key) < 0).length : 0;
  const first = isSparse ? living.length : below || Math.ceil(living.length / 2);
  const [, second] = living[first] ?? [];
  const [from = 0, then = from] = await openChunks(writing, universe, [
    [lowest, first],
    ...(second === undefined ? [] : [[second, living.length - first] as const]),
  ]);
  const mapping = new Map(
    living.map(([position], rank) => [
      position,
      rank < first ? positionAt(from, rank) : positionAt(then, rank - first),
    ]),
  );
  const moves = [generation, [...mapping].map(([old, now]) => moveOf(now, slotOf(old))), bounds[1]] as const;
  await connection.write(GIVE[universe], ...moves);
  const names = universe === MEMBERS ? await memberNames(writing, bounds) : await spaceNames(writing, number);
  await sets.move(names, number, mapping);
  if (universe === SPACES) {
    await connection.write(END_CONTENTS, ...bounds, revision);
    await connection.write(COPY_CONTENTS, ...moves, revision);
  }
  for (const [copied] of MOVES[universe]) await connection.write(copied, ...moves, revision);
  for (const ended of MOVES[universe].flatMap(([, each]) => each)) {
    await connection.write(ended, ...bounds, revision);
  }
  await connection.write(CLOSE, generation, universe, number, revision);
  writing.hasSplit = true;
  forgetMoved(writing);
}

const ROLES_IN = statement<[role: number]>(
  () => `SELECT DISTINCT m.role FROM member m WHERE ${inChunk("m")}`,
);
const TEAMS_IN = statement<[team: string]>(
  () => `SELECT DISTINCT t.team FROM team_member t WHERE ${inChunk("t")}`,
);
const GRANTS_IN = statement<[content: string, role: number]>(
  () => `SELECT DISTINCT g.content, g.role FROM user_grant g WHERE ${inChunk("g")}`,
);

type Bounds = readonly [generation: number, from: number, to: number];

/** The names of the sets with members of a chunk, from these members' rows. */
async function memberNames({ connection }: Writing, bounds: Bounds): Promise<string[]> {
  const roles = await connection.read(ROLES_IN, ...bounds);
  const teams = await connection.read(TEAMS_IN, ...bounds);
  const grants = await connection.read(GRANTS_IN, ...bounds);
  return [
    ...roles.map(([role]) => memberSets.withRole(decodeMemberRole(role))),
    ...teams.map(([team]) => memberSets.ofTeam(team)),
    ...grants.map(([content, role]) => memberSets.given(decodeContent(content), roleOf(role))),
  ];
}

const SPACE_HEADS = statement<[name: string, bits: Uint8Array]>(
  () => `
    SELECT c.name, c.bits FROM container c
      WHERE c.generation = $1 AND c.universe = ${SPACES} AND c.chunk = ${HEADS} AND c.until = ${FOREVER}`,
);

/**
 * The names of the sets with spaces of a chunk. Scans the heads of all sets, because each collection and team may have
 * some.
 */
async function spaceNames({ connection, generation }: Writing, chunk: number): Promise<string[]> {
  const heads = await connection.read(SPACE_HEADS, generation);
  return heads.flatMap(([name, bits]) => {
    const head = headOf(bits);
    const isThere =
      "chunks" in head
        ? head.chunks.includes(chunk)
        : head.positions.some((position) => chunkOf(position) === chunk);
    return isThere ? [name] : [];
  });
}
