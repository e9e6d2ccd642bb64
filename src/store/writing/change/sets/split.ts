/**
 * Makes room for a key in a full chunk. Half of the chunk's current keys move to a new chunk, with all rows and sets
 * that contain their positions; the others stay. If keys arrive in ascending order, a new chunk is opened after the full
 * one, and nothing moves.
 */
import { headOf } from "../../../../sets/head.ts";
import { positionAt, SLOTS } from "../../../../sets/position.ts";
import { compareIds } from "../../../../domain/id.ts";
import { roleOf } from "../../../../domain/role.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../../../schema/encoding.ts";
import { type Statement, statement } from "../../../engine/engine.ts";
import { HEADS } from "../../../sets/containers.ts";
import { MEMBERS, memberSets, SPACES, type Universe } from "../../../schema/set-names.ts";
import { flushRows, forgetMoved } from "../rows.ts";
import { isMoved, type Moves, moveRows } from "./moved-rows.ts";
import { closeChunk, type LivingChunk, openChunks, reopenChunk } from "./open-chunks.ts";
import type { Newcomer } from "./places.ts";
import type { SetChanges } from "./set-changes.ts";
import type { Writing } from "../writing.ts";

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
