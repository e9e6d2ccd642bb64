/** Loads contents with everything from which they inherit. */
import type { Ladder } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Role, ROLES } from "../../domain/role.ts";
import { type Head, headOf } from "../../sets/head.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import { decodeContent, decodeDefaultLevel, decodeTeamGrants, INHERIT } from "../schema/encoding.ts";
import type { Content } from "./content.ts";
import { type Dialect, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { memberSets } from "../schema/set-names.ts";
import type { ContainerRow } from "../sets/container-row.ts";
import { containersAtStart, heads } from "../sets/set-store.ts";
import { inBlocks } from "../turns.ts";

/** A content's columns; its team grants are encoded for {@link decodeTeamGrants}. */
export type ContentRow = [
  id: string,
  parent: string | null,
  title: string,
  level: number,
  teams: string | null,
];

const COLUMNS = `c.id, c.parent, c.title, c.level, (
      SELECT string_agg('"' || g.team || '",' || g.role, ',' ORDER BY g.team) FROM team_grant g
        WHERE ${holds("g")} AND g.content = c.id)`;

/**
 * SQL: the ids (`up.id`) of some contents and of everything from which they inherit, without duplicates. `contents`
 * is a FROM item `c` with its condition.
 */
export function climb({ lookUp }: Dialect, contents: string): string {
  const step = `SELECT c.id, CASE WHEN c.level = ${INHERIT} THEN c.parent END`;
  return `
    WITH RECURSIVE up (id, above) AS (
      ${step} FROM ${contents}
      UNION
      ${step} FROM ${lookUp("up", "content", "c", `${holds("c")} AND c.id = up.above`)}
    )`;
}

/** SQL: the rows (`c`) of the contents that {@link climb} found. */
export function climbedTo({ lookUp }: Dialect): string {
  return lookUp("up", "content", "c", `${holds("c")} AND c.id = up.id`);
}

/** SQL: `climb` from the contents in `$3`. */
const climbFromContents = (dialect: Dialect) =>
  climb(
    dialect,
    dialect.lookUp(dialect.texts("$3", "wanted"), "content", "c", `${holds("c")} AND c.id = wanted.value`),
  );
/** SQL: `climb` from the spaces of the site `$3`. */
const climbFromSite = (dialect: Dialect) =>
  climb(
    dialect,
    dialect.lookUp(
      `(SELECT s.space FROM site_space s WHERE ${holds("s")} AND s.site = $3) s`,
      "content",
      "c",
      `${holds("c")} AND c.id = 'space/' || s.space`,
    ),
  );

/** Only used on a local database. */
export const NAMED = statement<ContentRow>(
  ({ texts }) => `
    SELECT ${COLUMNS} FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value`,
);
const CLIMBED = statement<ContentRow>(
  (dialect) => `${climbFromContents(dialect)} SELECT ${COLUMNS} FROM ${climbedTo(dialect)}`,
);
const CLIMBED_OF_SITE = statement<ContentRow>(
  (dialect) => `${climbFromSite(dialect)} SELECT ${COLUMNS} FROM ${climbedTo(dialect)}`,
);

/** SQL: the names (`name.value`) of all sets in the ladders of some contents. */
const namesOf = (beginning: string) => `
    ${beginning}, name (value) AS (
      ${[null, ...ROLES].map((role) => `SELECT '${memberSets.withRole(role)}'`).join(" UNION ALL ")}
      ${ROLES.map((role) => `UNION ALL SELECT 'direct/' || up.id || '/${role}' FROM up`).join(" ")}
      UNION SELECT 'team/' || g.team || '/' FROM up CROSS JOIN team_grant g WHERE ${holds("g")} AND g.content = up.id
    )`;

const SETS = statement<ContainerRow>(
  (dialect) => `${namesOf(climbFromContents(dialect))} ${containersAtStart("name", "$4")}`,
);
const SET_HEADS = statement<ContainerRow>(
  (dialect) => `${namesOf(climbFromContents(dialect))} ${heads("name")}`,
);

/** For a site with more sets than this, members are decided by their rows. */
const MOST_SETS = 64;
const FEW = `(SELECT value FROM name WHERE (SELECT count(*) FROM name) <= ${MOST_SETS}) name`;
const SETS_OF_SITE = statement<ContainerRow>(
  (dialect) => `${namesOf(climbFromSite(dialect))} ${containersAtStart(FEW, "$4")}`,
);

/** The number of contents whose ladders one statement reads. */
const BLOCK = 1000;

/** The heads of all sets in the ladders of some contents. */
export async function headsOfLadders(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<string, Head>> {
  const found = new Map<string, Head>();
  for await (const block of inBlocks(keys, BLOCK)) {
    for (const [, name, bits] of await reading.read(SET_HEADS, ...reading.asOf, block)) {
      if (bits !== null) found.set(name, headOf(bits));
    }
  }
  return found;
}

/** The containers of all sets in a content's ladder, read without first reading the ladder: see NamedSets.keep. */
export function setsOfLadder(
  reading: Reading,
  key: ContentKey,
  after: string | undefined,
): Promise<ContainerRow[]> {
  return reading.read(SETS, ...reading.asOf, [key], after ?? "");
}

/** The same for the spaces of a site; empty if there are too many sets. */
export function setsOfSite(
  reading: Reading,
  site: string,
  after: string | undefined,
): Promise<ContainerRow[]> {
  return reading.read(SETS_OF_SITE, ...reading.asOf, site, after ?? "");
}

const KIND: CacheKind<Content> = { name: "content", bytes: ({ teams }) => 500 + 60 * teams.size };

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** Loads contents and everything from which they inherit. Contents that do not exist are absent from the result. */
export async function contents(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  const missingFrom = (starts: readonly ContentKey[]) =>
    starts.flatMap((key) => collect(reading, key, found) ?? []);
  let missing = missingFrom(keys);
  // The ancestors are mostly cached, so the contents are read first. On a remote database, one wait for both is
  // faster.
  const wanted = new Set(reading.remote ? [] : keys);
  const starts = new Set(missing.filter((key) => wanted.has(key)));
  if (starts.size > 0) {
    const named = keep(reading, await reading.read(NAMED, ...reading.asOf, [...starts]), found);
    const higher = missing.filter((key) => !starts.has(key));
    missing = [...higher, ...missingFrom(named.flatMap((content) => above(content) ?? []))];
  }
  if (missing.length > 0) {
    keep(reading, await reading.read(CLIMBED, ...reading.asOf, [...new Set(missing)]), found);
  }
  return found;
}

/** Only used on a local database. */
export const CONTENT_THERE = statement<[there: number]>(
  () => `SELECT 1 FROM content c WHERE ${holds("c")} AND c.id = $3`,
);

/** Whether a content exists. With `isRead`, or if the database is remote, its ladder is cached for the listing. */
export async function contentExists(reading: Reading, key: ContentKey, isRead = false): Promise<boolean> {
  if (isRead || reading.remote) return (await contents(reading, [key])).has(key);
  return (await reading.read(CONTENT_THERE, ...reading.asOf, key)).length > 0;
}

/** Loads the spaces of a site and everything from which they inherit, without first reading the list of spaces. */
export async function contentsOfSite(reading: Reading, site: string): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  keep(reading, await reading.read(CLIMBED_OF_SITE, ...reading.asOf, site), found);
  return found;
}

/** Caches loaded contents, and adds them to `found`. */
function keep(
  reading: Reading,
  rows: readonly ContentRow[],
  found: Map<ContentKey, Content>,
): readonly Content[] {
  return rows.map((row) => {
    const key = decodeContent(row[0]);
    const content = reading.cache.get(KIND, reading.at, key) ?? contentOf(row);
    reading.cache.keep(KIND, reading.at, key, content);
    found.set(key, content);
    return content;
  });
}

export function contentOf([id, parent, title, level, teams]: ContentRow): Content {
  return {
    content: decodeContent(id),
    title,
    parent: parent === null ? undefined : decodeContent(parent),
    defaultLevel: decodeDefaultLevel(level),
    teams: teams === null ? NO_TEAMS : decodeTeamGrants(teams),
  };
}

/** Adds a cached content and its ancestors to `found`. Returns the first one that is not in the cache. */
function collect(
  reading: Reading,
  start: ContentKey,
  found: Map<ContentKey, Content>,
): ContentKey | undefined {
  for (let key: ContentKey | undefined = start; key !== undefined && !found.has(key);) {
    const content = reading.cache.get(KIND, reading.at, key);
    if (content === undefined) return key;
    found.set(key, content);
    key = above(content);
  }
  return undefined;
}

function above(content: Content): ContentKey | undefined {
  return content.defaultLevel === "inherit" ? content.parent : undefined;
}

/** The ladder of a loaded content (contract, section 3): the content itself, then everything from which it inherits. */
export function ladderOf(start: Content, loaded: ReadonlyMap<ContentKey, Content>): readonly Content[] {
  const ladder = [start];
  for (let key = above(start); key !== undefined;) {
    const level = loaded.get(key);
    if (level === undefined)
      throw new Error(`${key}, which ${start.content} inherits from, is not in the revision.`);
    ladder.push(level);
    key = above(level);
  }
  return ladder satisfies Ladder;
}
