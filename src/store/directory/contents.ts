/** Loads contents, and the ancestors from which they inherit. */
import type { ContentKey } from "../../domain/content.ts";
import type { Level } from "../../domain/ladder.ts";
import { ROLES, type Role } from "../../domain/role.ts";
import { type Head, headOf, isEmpty } from "../../sets/head.ts";
import type { CacheKind } from "../cache.ts";
import { type Dialect, statement } from "../engine/engine.ts";
import { catchUp } from "../memory/catch-up.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import {
  INHERIT,
  MANY,
  decodeContent,
  decodeDefaultLevel,
  decodeTeamGrants,
  joinedTeamGrants,
} from "../schema/encoding.ts";
import { headColumn } from "../schema/set-names.ts";
import { giveTurn } from "../turns.ts";

export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** The roles of the content's team grants, by team id, ascending. */
  readonly teams: ReadonlyMap<string, Role>;
  readonly direct: DirectHeads;
}

/** The heads of the sets of users with a direct permission on a content; those that are not empty, weakest role first. */
export type DirectHeads = ReadonlyMap<Role, Head>;

/** The columns of a content. `direct` has the heads of the users with a direct permission, by role. */
type ContentColumns = [
  id: string,
  parent: string | null,
  title: string,
  level: number,
  teams: string,
  ...direct: (Uint8Array | null)[],
];

const COLUMNS = `c.id, c.parent, c.title, c.level,
    CASE WHEN c.teams <> '${MANY}' THEN c.teams ELSE (
      SELECT ${joinedTeamGrants("g")} FROM team_grant g WHERE ${holds("g")} AND g.content = c.id) END,
    ${ROLES.map((role) => `c.${headColumn(role)}`).join(", ")}`;

/**
 * SQL: the ids (`up.id`) of contents and of all ancestors from which they inherit, without duplicates. `contents` is a
 * FROM item with the alias `c` and its condition.
 */
function climb({ lookUp }: Dialect, contents: string): string {
  const step = `SELECT c.id, CASE WHEN c.level = ${INHERIT} THEN c.parent END`;
  return `
    WITH RECURSIVE up (id, above) AS (
      ${step} FROM ${contents}
      UNION
      ${step} FROM ${lookUp("up", "content", "c", `${holds("c")} AND c.id = up.above`)}
    )`;
}

/** SQL: the rows of the contents whose ids {@link climb} finds, as a FROM item with the alias `c` and its condition. */
function climbedTo({ lookUp }: Dialect): string {
  return lookUp("up", "content", "c", `${holds("c")} AND c.id = up.id`);
}

/** SQL: {@link climb} from the contents in the list `$3`. */
const climbFromContents = (dialect: Dialect) =>
  climb(
    dialect,
    dialect.lookUp(dialect.texts("$3", "wanted"), "content", "c", `${holds("c")} AND c.id = wanted.value`),
  );

/** Only used on a local database: see {@link laddersOf}. */
export const NAMED = statement<ContentColumns>(
  ({ texts }) => `
    SELECT ${COLUMNS} FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value`,
);
const CLIMBED = statement<ContentColumns>(
  (dialect) => `${climbFromContents(dialect)} SELECT ${COLUMNS} FROM ${climbedTo(dialect)}`,
);

/** The number of contents that one statement reads: a few milliseconds of work. */
const CONTENTS_PER_READ = 200;
const NO_TEAMS: ReadonlyMap<string, Role> = new Map();
export const NO_USERS: DirectHeads = new Map();

/** Loads contents, and the ancestors from which they inherit. Contents that do not exist are absent from the result. */
export async function contents(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (const ladder of (await laddersOf(reading, keys)).values()) {
    for (const level of ladder) if (!found.has(level.content)) found.set(level.content, level);
  }
  return found;
}

/** A content, then the ancestors from which it inherits, nearest first (docs/permissions.md). */
type ContentLadder = readonly [Content, ...Content[]];

const LADDERS: CacheKind<ContentLadder> = {
  name: "ladder",
  // The levels above are part of other ladders, too.
  bytes: ([{ teams, direct }]) => 600 + 60 * teams.size + sizeOf(direct),
  isTouched: (ladder, _, { contents: changed, given, haveMoved }) =>
    haveMoved || ladder.some(({ content }) => changed.has(content) || given.has(content)),
};

function sizeOf(direct: DirectHeads): number {
  return [...direct.values()].reduce(
    (sum, head) => sum + 200 + ("chunks" in head ? head.chunks : head.positions).byteLength,
    100,
  );
}

/** The ladders of the given contents. Contents that do not exist are absent from the result. */
async function laddersOf(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, ContentLadder>> {
  await catchUp(reading);
  const { cache, at } = reading;
  const found = new Map<ContentKey, ContentLadder>();
  const isMissing = (key: ContentKey) => {
    const ladder = found.get(key) ?? cache.get(LADDERS, at, key);
    if (ladder !== undefined) found.set(key, ladder);
    return ladder === undefined;
  };
  const missing = keys.filter(isMissing);
  if (missing.length === 0) return found;
  const read: Content[] = [];
  let climbed = missing;
  // A local database reads the contents first, because their ancestors are usually cached. A remote database reads both
  // in one statement, because each statement costs a round trip.
  if (!reading.remote) {
    for (let start = 0; start < missing.length; start += CONTENTS_PER_READ) {
      if (start > 0) await giveTurn();
      const block = missing.slice(start, start + CONTENTS_PER_READ);
      read.push(...(await reading.read(NAMED, ...reading.asOf, block)).map(contentOf));
    }
    climbed = read.flatMap((content) => above(content) ?? []).filter(isMissing);
  }
  if (climbed.length > 0) {
    read.push(...(await reading.read(CLIMBED, ...reading.asOf, [...new Set(climbed)])).map(contentOf));
  }
  addLadders(reading, read, found);
  return found;
}

/**
 * Adds the ladders of contents to `found`, and caches them. `found` already has the ladders of all ancestors that are
 * not in `contents`.
 */
function addLadders(
  reading: Reading,
  contents: readonly Content[],
  found: Map<ContentKey, ContentLadder>,
): void {
  const { cache, at } = reading;
  const loaded = new Map(contents.map((content) => [content.content, content]));
  const add = (start: Content): ContentLadder => {
    const key = above(start);
    let ladder = found.get(start.content) ?? cache.get(LADDERS, at, start.content);
    if (ladder === undefined) {
      const higher = key && (found.get(key) ?? add(levelIn(loaded, key, start)));
      ladder = higher === undefined ? [start] : [start, ...higher];
      cache.keep(LADDERS, at, start.content, ladder);
    }
    found.set(start.content, ladder);
    return ladder;
  };
  for (const content of contents) add(content);
}

/** The ladder of a content; `undefined` if the content does not exist. */
export async function ladderFor(reading: Reading, key: ContentKey): Promise<ContentLadder | undefined> {
  const { cache, at } = reading;
  await catchUp(reading);
  const known = cache.get(LADDERS, at, key);
  return known ?? cache.share(LADDERS, at, key, async () => (await laddersOf(reading, [key])).get(key));
}

function contentOf([id, parent, title, level, teams, ...heads]: ContentColumns): Content {
  return {
    content: decodeContent(id),
    title,
    parent: parent === null ? undefined : decodeContent(parent),
    defaultLevel: decodeDefaultLevel(level),
    teams: teams === "" ? NO_TEAMS : decodeTeamGrants(teams),
    direct: decodeDirect(heads),
  };
}

function decodeDirect(heads: readonly (Uint8Array | null)[]): DirectHeads {
  let direct: Map<Role, Head> | undefined;
  for (const [index, role] of ROLES.entries()) {
    const bits = heads[index] ?? null;
    const head = bits === null ? undefined : headOf(bits);
    if (head !== undefined && !isEmpty(head)) (direct ??= new Map()).set(role, head);
  }
  return direct ?? NO_USERS;
}

function above(content: Content): ContentKey | undefined {
  return content.defaultLevel === "inherit" ? content.parent : undefined;
}

function levelIn(loaded: ReadonlyMap<ContentKey, Content>, key: ContentKey, start: Content): Content {
  const level = loaded.get(key);
  if (level === undefined)
    throw new Error(`${key}, which ${start.content} inherits from, is not in the revision.`);
  return level;
}

/**
 * Loads contents and all their ancestors, even those from which they do not inherit. Contents that do not exist are
 * absent from the result.
 */
export async function withAncestors(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (let wanted = keys; wanted.length > 0;) {
    const loaded = await contents(reading, wanted);
    for (const [key, content] of loaded) found.set(key, content);
    const parents = new Set([...loaded.values()].flatMap(({ parent }) => parent ?? []));
    wanted = [...parents].filter((key) => !found.has(key));
  }
  return found;
}

/** A content, followed by all its ancestors, nearest first. `loaded` has all of them. */
export function ancestryOf(
  start: Content,
  loaded: ReadonlyMap<ContentKey, Content>,
): [Content, ...Content[]] {
  const ancestry: [Content, ...Content[]] = [start];
  for (let key = start.parent; key !== undefined;) {
    const level = loaded.get(key);
    if (level === undefined) throw new Error(`${key}, above ${start.content}, is not in the revision.`);
    ancestry.push(level);
    key = level.parent;
  }
  return ancestry;
}
