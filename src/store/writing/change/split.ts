/**
 * Makes room for a key in a full chunk. Half of the chunk's current keys move to a new chunk, with all rows and sets
 * that contain their positions; the others stay. If keys arrive in ascending order, a new chunk is opened after the full
 * one, and nothing moves. {@link moveRows} copies the rows to their new positions, and ends them at the old ones.
 */
import { compareIds } from "../../../domain/id.ts";
import { roleOf } from "../../../domain/role.ts";
import { headOf } from "../../../sets/head.ts";
import { SLOTS, positionAt, slotOf } from "../../../sets/position.ts";
import { type Dialect, type Statement, statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../../schema/encoding.ts";
import { MEMBERS, SPACES, type Universe, memberSets } from "../../schema/set-names.ts";
import { HEADS } from "../../sets/containers.ts";
import { type LivingChunk, type Newcomer, closeChunk, openChunks, reopenChunk } from "./positions.ts";
import type { Moves, SetChanges } from "./sets.ts";
import { CONTENT, type Writing, flushRows, forgetMoved } from "./tables.ts";

/** SQL: whether a row of a table keyed by position is current, and at one of the positions `$2`. */
function isMoved({ numbers }: Dialect, alias: string): string {
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
  [SPACES]: [[copy("space", ["key", "doc", "omitted"]), end("space")]],
};

/** The spaces that are moved: key, old and new position. */
const movedSpaces = (dialect: Dialect) =>
  `(SELECT t.key, t.position, ${TO} AS moved_to FROM ${movedIn(dialect, "space")}) s`;
/** Changes the rows of contents that this change inserted, for example because it moved the space before. */
const PUT_CONTENTS = statement<never>(
  (dialect) => `
    UPDATE content SET position = s.moved_to FROM ${movedSpaces(dialect)}
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
    INSERT INTO content (generation, until, since, ${CONTENT.columns.join(", ")})
      SELECT c.generation, ${FOREVER}, c.until,
          ${CONTENT.columns.map((each) => (each === "position" ? "s.moved_to" : `c.${each}`)).join(", ")}
        FROM ${movedSpaces(dialect)} CROSS JOIN content c
        WHERE c.generation = $1 AND c.id = 'space/' || substr(s.key, 17) AND c.until = $4 AND c.position = s.position`,
);

/** Moves the rows of a chunk at the given positions, from this revision on. */
async function moveRows(
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

type Living = [position: number, key: string];

/** The current keys of a chunk in order. */
const LIVING = { [MEMBERS]: livingIn("member", "id"), [SPACES]: livingIn("space", "key") } as const;

function livingIn(table: string, key: string): Statement<Living> {
  return statement(
    () => `
      SELECT k.position, k.${key} FROM ${table} k
        WHERE k.generation = $1 AND k.until = ${FOREVER} AND k.position >= $2 AND k.position < $3 ORDER BY k.${key}`,
  );
}

/** How a full chunk is split. */
interface Division {
  /** The keys that move, one list per new chunk, with the lowest key of that chunk. */
  readonly moving: readonly (readonly [lowest: string, keys: readonly Living[]])[];
  /** The lowest key of the chunk from now on; `undefined` if all of its keys move. */
  readonly kept: string | undefined;
}

/** Splits a full chunk. Then there is room for the key, or the key comes after all others of its chunk. */
export async function splitChunk(
  writing: Writing,
  sets: SetChanges,
  universe: Universe,
  chunk: LivingChunk,
  newcomer: Newcomer,
): Promise<void> {
  await flushRows(writing);
  const { connection, generation, revision } = writing;
  const { number } = chunk;
  const bounds = [generation, positionAt(number, 0), positionAt(number + 1, 0)] as const;
  const living = await connection.read(LIVING[universe], ...bounds);
  if (newcomer.behind === "all" && !isSparse(living)) {
    await openChunks(writing, universe, [[newcomer.key, 0]]);
    return;
  }
  const { moving, kept } = divide(living, chunk, newcomer, revision);
  const opened = await openChunks(
    writing,
    universe,
    moving.map(([lowest, keys]) => [lowest, keys.length]),
  );
  const moves = new Map(
    moving.flatMap(([, keys], index) =>
      keys.map(([position], rank) => [position, positionAt(opened[index] ?? 0, rank)] as const),
    ),
  );
  const names =
    universe === MEMBERS
      ? await memberNames(writing, moves)
      : new Set([...(await spaceNames(writing, number, moves)), ...sets.known]);
  await sets.move(names, number, new Set(living.map(([position]) => position)), moves);
  await moveRows(writing, universe, number, moves);
  await closeChunk(writing, universe, number);
  if (kept !== undefined) await reopenChunk(writing, universe, number, kept);
  writing.hasSplit = true;
  forgetMoved(writing);
}

/**
 * Half of the keys move: those between which the new key is. All keys move if they fit into one new chunk, and if this
 * change opened the chunk. If the key continues a sequence, the chunk is divided at the end of that sequence.
 */
function divide(
  living: readonly Living[],
  { lowest, since }: LivingChunk,
  { key, behind }: Newcomer,
  revision: number,
): Division {
  if (isSparse(living)) return { moving: [[lowest, living]], kept: undefined };
  const below = living.filter(([, each]) => compareIds(each, key) < 0).length;
  const half = (behind === "latest" && below) || Math.ceil(living.length / 2);
  const [, second = lowest] = living[half] ?? [];
  const lower = [lowest, living.slice(0, half)] as const;
  const upper = [second, living.slice(half)] as const;
  if (since === revision) return { moving: [lower, upper], kept: undefined };
  const isLower = behind === "latest" ? half <= SLOTS / 2 : below <= half;
  return isLower ? { moving: [lower], kept: second } : { moving: [upper], kept: lowest };
}

function isSparse(living: readonly Living[]): boolean {
  return living.length <= SLOTS / 2;
}

const ROLES_AT = statement<[role: number]>(
  (dialect) => `SELECT DISTINCT m.role FROM member m WHERE ${isMoved(dialect, "m")}`,
);
const TEAMS_AT = statement<[team: string]>(
  (dialect) => `SELECT DISTINCT t.team FROM team_member t WHERE ${isMoved(dialect, "t")}`,
);
const GRANTS_AT = statement<[content: string, role: number]>(
  (dialect) => `SELECT DISTINCT g.content, g.role FROM user_grant g WHERE ${isMoved(dialect, "g")}`,
);

/** The sets with moved members, according to these members' rows. */
async function memberNames({ connection, generation }: Writing, moves: Moves): Promise<string[]> {
  const moved = [generation, [...moves.keys()]] as const;
  const roles = await connection.read(ROLES_AT, ...moved);
  const teams = await connection.read(TEAMS_AT, ...moved);
  const grants = await connection.read(GRANTS_AT, ...moved);
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

/** The stored sets that may have moved spaces. Any collection or team may have some, so all sets are scanned. */
async function spaceNames(
  { connection, generation }: Writing,
  chunk: number,
  moves: Moves,
): Promise<string[]> {
  const heads = await connection.read(SPACE_HEADS, generation);
  return heads.flatMap(([name, bits]) => {
    const head = headOf(bits);
    const isThere =
      "chunks" in head ? head.chunks.includes(chunk) : head.positions.some((position) => moves.has(position));
    return isThere ? [name] : [];
  });
}
