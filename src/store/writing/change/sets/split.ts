/**
 * Makes room for a key in a full chunk. The chunk is closed, and its current keys move to new chunks, with all rows
 * and sets that contain their positions. If keys arrive in ascending order, a new chunk is opened after it, and
 * nothing moves.
 */
import { headOf } from "../../../../sets/head.ts";
import { chunkOf, positionAt, SLOTS, slotOf } from "../../../../sets/position.ts";
import { addSlot, noSlots, slotsFrom, type Words } from "../../../../sets/words.ts";
import { roleOf } from "../../../../domain/role.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../../../schema/encoding.ts";
import { type Statement, statement } from "../../../engine/engine.ts";
import { HEADS } from "../../../sets/container-row.ts";
import { MEMBERS, memberSets, SPACES, type Universe } from "../../../schema/set-names.ts";
import { type LivingChunk, type Newcomer, openChunks } from "./places.ts";
import type { SetChanges } from "./set-changes.ts";
import type { Writing } from "../writing.ts";

/** SQL: whether a row of a table keyed by position is current and in the chunk; `$2` and `$3` are the bounds. */
function inChunk(alias: string): string {
  return `${alias}.generation = $1 AND ${alias}.until = ${FOREVER} AND ${alias}.position >= $2 AND ${alias}.position < $3`;
}

/** By universe: the table and the column with its keys. */
const KEYS = { [MEMBERS]: ["member", "id"], [SPACES]: ["space", "key"] } as const;

interface Statements {
  readonly count: Statement<[keys: number]>;
  readonly below: Statement<[keys: number]>;
  readonly keyAt: Statement<[key: string]>;
  readonly give: Statement<never>;
  readonly mapping: Statement<[from: number, to: number]>;
}

function statementsOf(universe: Universe): Statements {
  const [table, key] = KEYS[universe];
  return {
    count: statement(() => `SELECT count(*) FROM ${table} k WHERE ${inChunk("k")}`),
    below: statement(() => `SELECT count(*) FROM ${table} k WHERE ${inChunk("k")} AND k.${key} < $4`),
    keyAt: statement(
      () => `SELECT k.${key} FROM ${table} k WHERE ${inChunk("k")} ORDER BY k.${key} LIMIT 1 OFFSET $4 + 0`,
    ),
    // The first $4 keys get the positions from $5 on, the others those from $6 on.
    give: statement(
      () => `
        INSERT INTO place (generation, universe, key, position)
          SELECT generation, ${universe}, key,
              CASE WHEN rank < CAST($4 AS bigint) THEN CAST($5 AS bigint) + rank
                ELSE CAST($6 AS bigint) + rank - CAST($4 AS bigint) END
            FROM (SELECT k.generation, k.${key} AS key, row_number() OVER (ORDER BY k.${key}) - 1 AS rank
              FROM ${table} k WHERE ${inChunk("k")}) ranked`,
    ),
    mapping: statement(
      () => `
        SELECT k.position, p.position FROM ${table} k CROSS JOIN place p
          WHERE ${inChunk("k")} AND p.generation = $1 AND p.universe = ${universe} AND p.key = k.${key}
            AND p.position >= $4`,
    ),
  };
}

const OF = { [MEMBERS]: statementsOf(MEMBERS), [SPACES]: statementsOf(SPACES) } as const;

/** Copies the chunk's rows to the new positions, from `$4` on, with `since` `$5`. */
function copy(universe: Universe, table: string, columns: readonly string[]): Statement<never> {
  const [keys, key] = KEYS[universe];
  return statement(
    () => `
      INSERT INTO ${table} (generation, position, until, since, ${columns.join(", ")})
        SELECT t.generation, p.position, t.until, CAST($5 AS bigint), ${columns.map((each) => `t.${each}`).join(", ")}
          FROM ${table} t CROSS JOIN ${keys} k CROSS JOIN place p
          WHERE ${inChunk("t")} AND k.generation = $1 AND k.until = ${FOREVER} AND k.position = t.position
            AND p.generation = $1 AND p.universe = ${universe} AND p.key = k.${key} AND p.position >= $4`,
  );
}

/** Deletes rows that this change inserted, because nobody has read them, and ends earlier rows. */
function end(table: string): readonly Statement<never>[] {
  return [
    statement(() => `DELETE FROM ${table} WHERE ${inChunk(table)} AND since = $4`),
    statement(() => `UPDATE ${table} SET until = $4 WHERE ${inChunk(table)}`),
  ];
}

/** Tables keyed by position. All are copied before any row ends, because the copies read the table of keys. */
const MOVES: Readonly<
  Record<Universe, readonly (readonly [copy: Statement<never>, end: readonly Statement<never>[]])[]>
> = {
  [MEMBERS]: [
    [copy(MEMBERS, "team_member", ["team", "role"]), end("team_member")],
    [copy(MEMBERS, "user_grant", ["content", "role"]), end("user_grant")],
    [copy(MEMBERS, "member", ["id", "role", "teams", "grants", "doc", "omitted"]), end("member")],
  ],
  [SPACES]: [[copy(SPACES, "space", ["key", "doc", "omitted", "parent", "level", "teams"]), end("space")]],
};

/** Rows of contents contain the positions of spaces. A space's id follows fifteen digits and a slash in its key. */
const END_CONTENTS = statement<never>(
  () => `
    UPDATE content SET until = $4
      WHERE generation = $1 AND until = ${FOREVER}
        AND id IN (SELECT 'space/' || substr(s.key, 17) FROM space s WHERE ${inChunk("s")})
        AND position >= $2 AND position < $3`,
);
const COPY_CONTENTS = statement<never>(
  () => `
    INSERT INTO content (generation, id, until, since, parent, title, level, depth, position, doc, look)
      SELECT c.generation, c.id, ${FOREVER}, c.until, c.parent, c.title, c.level, c.depth, p.position, c.doc, c.look
        FROM space s CROSS JOIN content c CROSS JOIN place p
        WHERE ${inChunk("s")} AND c.generation = $1 AND c.id = 'space/' || substr(s.key, 17) AND c.until = $5
          AND c.position = s.position
          AND p.generation = $1 AND p.universe = ${SPACES} AND p.key = s.key AND p.position >= $4`,
);
const CLOSE = statement<never>(
  () => `
    UPDATE chunk SET until = $4 WHERE generation = $1 AND universe = $2 AND chunk = $3 AND until = ${FOREVER}`,
);

/**
 * Closes a chunk and opens two in its place, or one if fewer than half of its slots are in use. A key after all
 * others gets a new chunk instead. If the key continues a sequence, the chunk is divided at the end of that sequence.
 */
export async function splitChunk(
  writing: Writing,
  sets: SetChanges,
  universe: Universe,
  { number, lowest }: LivingChunk,
  { key, behind }: Newcomer,
): Promise<void> {
  const { connection, generation, revision } = writing;
  const bounds = [generation, positionAt(number, 0), positionAt(number + 1, 0)] as const;
  const of = OF[universe];
  const [counted] = await connection.read(of.count, ...bounds);
  const living = counted?.[0] ?? 0;
  const isSparse = living < SLOTS / 2;
  if (behind === "all" && !isSparse) {
    await openChunks(writing, universe, [[key, 0]]);
    return;
  }
  const [below] = behind === "latest" ? await connection.read(of.below, ...bounds, key) : [];
  const first = isSparse ? living : below?.[0] || Math.ceil(living / 2);
  const [second] = first === living ? [] : await connection.read(of.keyAt, ...bounds, first);
  const opened = await openChunks(writing, universe, [
    [lowest, first],
    ...(second === undefined ? [] : [[second[0], living - first] as const]),
  ]);
  const [from = 0, then = from] = opened.map((each) => positionAt(each, 0));
  await connection.write(of.give, ...bounds, first, from, then);
  const names = universe === MEMBERS ? await memberNames(writing, bounds) : await spaceNames(writing, number);
  const mapping = new Map(await connection.read(of.mapping, ...bounds, from));
  await sets.readMany(names, number);
  for (const name of names) await moveSet(sets, name, number, mapping);
  if (universe === SPACES) {
    await connection.write(END_CONTENTS, ...bounds, revision);
    await connection.write(COPY_CONTENTS, ...bounds, from, revision);
  }
  for (const [copied] of MOVES[universe]) await connection.write(copied, ...bounds, from, revision);
  for (const ended of MOVES[universe].flatMap(([, each]) => each)) {
    await connection.write(ended, ...bounds, revision);
  }
  await connection.write(CLOSE, generation, universe, number, revision);
  writing.hasSplit = true;
}

async function moveSet(
  sets: SetChanges,
  name: string,
  chunk: number,
  mapping: ReadonlyMap<number, number>,
): Promise<void> {
  const words = await sets.inChunk(name, chunk);
  const to = new Map<number, Words>();
  for (const slot of slotsFrom(words)) {
    const position = mapping.get(positionAt(chunk, slot));
    if (position === undefined) throw new Error(`The set ${name} holds ${chunk}/${slot}, where nobody is.`);
    const into = to.get(chunkOf(position)) ?? noSlots();
    addSlot(into, slotOf(position));
    to.set(chunkOf(position), into);
  }
  if (to.size === 0) return;
  await sets.addAll(name, to);
  await sets.removeAll(name, new Map([[chunk, words.slice()]]));
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

/** The sets with members of a chunk, according to these members' rows. */
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

/** The sets with spaces of a chunk. Any collection or team may have some, so all sets are scanned. */
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
