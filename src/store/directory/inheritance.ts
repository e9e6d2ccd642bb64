/** Contents and everything from which they inherit. */
import type { Ladder } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Role, ROLES } from "../../domain/role.ts";
import { type Head, headOf } from "../../sets/head.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import { decodeContent, decodeDefaultLevel, decodeTeamGrants, INHERIT } from "../schema/encoding.ts";
import type { Content } from "./content.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { memberSets } from "../schema/set-names.ts";
import type { ContainerRow } from "../sets/container-row.ts";
import { containersAtStart, heads } from "../sets/set-store.ts";

/** A content with its team permissions as {@link decodeTeamGrants} takes them. */
type ContentRow = [id: string, parent: string | null, title: string, level: number, teams: string | null];

const COLUMNS = `c.id, c.parent, c.title, c.level, (
      SELECT string_agg('"' || g.team || '",' || g.role, ',' ORDER BY g.team) FROM team_grant g
        WHERE ${holds("g")} AND g.content = c.id)`;

/** SQL: the contents in `$3` and everything from which they inherit, each once, as `up.id`. */
const CLIMB = (texts: string) => {
  const step = `SELECT c.id, CASE WHEN c.level = ${INHERIT} THEN c.parent END`;
  return `
    WITH RECURSIVE up (id, above) AS (
      ${step} FROM ${texts} CROSS JOIN content c WHERE ${holds("c")} AND c.id = wanted.value
      UNION
      ${step} FROM up CROSS JOIN content c WHERE ${holds("c")} AND c.id = up.above
    )`;
};

/** Asked where reads do not wait alone. */
export const NAMED = statement<ContentRow>(
  ({ texts }) => `
    SELECT ${COLUMNS} FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value`,
);
const CLIMBED = statement<ContentRow>(
  ({ texts }) => `
    ${CLIMB(texts("$3", "wanted"))}
    SELECT ${COLUMNS} FROM up CROSS JOIN content c WHERE ${holds("c")} AND c.id = up.id`,
);

/** SQL: the names of all sets in the ladders of some contents, as `name.value`. */
const NAMES = (texts: string) => `
    ${CLIMB(texts)}, name (value) AS (
      ${[null, ...ROLES].map((role) => `SELECT '${memberSets.withRole(role)}'`).join(" UNION ALL ")}
      ${ROLES.map((role) => `UNION ALL SELECT 'direct/' || up.id || '/${role}' FROM up`).join(" ")}
      UNION SELECT 'team/' || g.team || '/' FROM up CROSS JOIN team_grant g WHERE ${holds("g")} AND g.content = up.id
    )`;

const SETS = statement<ContainerRow>(
  ({ texts }) => `${NAMES(texts("$3", "wanted"))} ${containersAtStart("name", "$4")}`,
);
const SET_HEADS = statement<ContainerRow>(({ texts }) => `${NAMES(texts("$3", "wanted"))} ${heads("name")}`);

/** The heads of all sets in the ladders of some contents. */
export async function headsOfLadders(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<string, Head>> {
  const rows = await reading.read(SET_HEADS, ...reading.asOf, keys);
  return new Map(rows.flatMap(([, name, bits]) => (bits === null ? [] : [[name, headOf(bits)]])));
}

/** The sets in the ladder of a content, read without waiting for the ladder: see NamedSets.keep. */
export function setsOfLadder(
  reading: Reading,
  key: ContentKey,
  after: string | undefined,
): Promise<ContainerRow[]> {
  return reading.read(SETS, ...reading.asOf, [key], after ?? "");
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
  // What many inherit from is mostly known. Where each read waits, it is read again rather than found out.
  const starts = reading.remote ? [] : missing.filter((key) => keys.includes(key));
  if (starts.length > 0) {
    const named = keep(reading, await reading.read(NAMED, ...reading.asOf, starts), found);
    const higher = missing.filter((key) => !starts.includes(key));
    missing = [...higher, ...missingFrom(named.flatMap((content) => above(content) ?? []))];
  }
  if (missing.length > 0) {
    keep(reading, await reading.read(CLIMBED, ...reading.asOf, [...new Set(missing)]), found);
  }
  return found;
}

/** Whether a content exists. What it inherits from is read only where each read waits: a listing may need it next. */
export async function contentExists(reading: Reading, key: ContentKey): Promise<boolean> {
  if (reading.remote) return (await contents(reading, [key])).has(key);
  if (reading.cache.get(KIND, reading.at, key) !== undefined) return true;
  return keep(reading, await reading.read(NAMED, ...reading.asOf, [key]), new Map()).length > 0;
}

/** Remembers contents that were read, and puts them into `found`. */
function keep(
  reading: Reading,
  rows: readonly ContentRow[],
  found: Map<ContentKey, Content>,
): readonly Content[] {
  return rows.map(([id, parent, title, level, teams]) => {
    const key = decodeContent(id);
    const content: Content = reading.cache.get(KIND, reading.at, key) ?? {
      content: key,
      title,
      parent: parent === null ? undefined : decodeContent(parent),
      defaultLevel: decodeDefaultLevel(level),
      teams: teams === null ? NO_TEAMS : decodeTeamGrants(teams),
    };
    reading.cache.keep(KIND, reading.at, key, content);
    found.set(key, content);
    return content;
  });
}

/** Adds a cached content and its levels to `found`. Returns the first of them that is not in the cache. */
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
