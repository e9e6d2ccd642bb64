import type { Ladder } from "../domain/access.ts";
import { type ContentKey, kindOf } from "../domain/content.ts";
import { type Role, ROLES } from "../domain/role.ts";
import { decodeContent, INHERIT } from "./codes.ts";
import { Content, type LevelRow } from "./content.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

export type ContentRow = [id: string, ...LevelRow];

const COLUMNS = "c.id, c.parent, c.title, c.default_level, c.direct, c.teams";

const NAMED = statement<ContentRow>(
  ({ texts }) => `
    SELECT ${COLUMNS} FROM ${texts("$2", "wanted")} CROSS JOIN content c
      WHERE c.snapshot = $1 AND c.id = wanted.value`,
);

/**
 * The contents that `start`, a FROM item, names in a column `value`, and all that they inherit from, each once. `$1`
 * is the snapshot.
 */
export function climbing(start: string): string {
  const step = `SELECT c.id, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END`;
  return `
    WITH RECURSIVE up (id, above) AS (
      ${step} FROM ${start} wanted CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = wanted.value
      UNION
      ${step} FROM up CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = up.above
    )
    SELECT ${COLUMNS}
      FROM up CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = up.id`;
}

const CLIMB = statement<ContentRow>(({ texts }) =>
  climbing(`(SELECT named.value FROM ${texts("$2", "named")})`),
);

/** Loads contents and everything that they inherit from; those that do not exist are absent from the result. */
export async function contents(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  const missing = keys.filter((key) => !collect(reading, key, found));
  if (reading.distant) {
    if (missing.length > 0) keep(reading, await reading.read(CLIMB, reading.snapshot, missing), found);
    return found;
  }
  if (missing.length > 0) keep(reading, await reading.read(NAMED, reading.snapshot, missing), found);
  await loadAbove(
    reading,
    missing.flatMap((key) => found.get(key) ?? []),
    found,
  );
  return found;
}

/** Adds to `found` all that `starts` inherit from. It is shared by many contents and mostly in the cache. */
export async function loadAbove(
  reading: Reading,
  starts: readonly Content[],
  found: Map<ContentKey, Content>,
): Promise<void> {
  const parents = new Set(starts.flatMap((start) => above(start) ?? []));
  const unknown = [...parents].filter((key) => !collect(reading, key, found));
  if (unknown.length > 0) keep(reading, await reading.read(CLIMB, reading.snapshot, unknown), found);
}

/** Remembers contents that were read and puts them into `found`. */
export function keep(reading: Reading, rows: readonly ContentRow[], found: Map<ContentKey, Content>): void {
  for (const [id, ...level] of rows) {
    const key = decodeContent(id);
    const content = reading.cache.content(reading.at, key) ?? new Content(key, level);
    reading.cache.keepContent(reading.at, content);
    found.set(key, content);
  }
}

/** Puts a cached content and its levels above into `found`; false where one of them is not in the cache. */
function collect(reading: Reading, start: ContentKey, found: Map<ContentKey, Content>): boolean {
  for (let key: ContentKey | undefined = start; key !== undefined && !found.has(key);) {
    const content = reading.cache.content(reading.at, key);
    if (content === undefined) return false;
    const ladder = ladders.get(content);
    if (ladder !== undefined) {
      for (const level of ladder) found.set(level.content, level);
      return true;
    }
    found.set(key, content);
    key = above(content);
  }
  return true;
}

function above(content: Content | undefined): ContentKey | undefined {
  return content?.defaultLevel === "inherit" ? content.parent : undefined;
}

/** What is above a collection is the same for all that lies in it, so it is looked up once. */
const ladders = new WeakMap<Content, readonly Content[]>();

/** The ladder of a loaded content (contract, section 3): itself, then what it inherits from. */
export function ladderOf(start: Content, loaded: ReadonlyMap<ContentKey, Content>): readonly Content[] {
  const known = ladders.get(start);
  if (known !== undefined) return known;
  const key = above(start);
  const parent = key === undefined ? undefined : loaded.get(key);
  if (key !== undefined && parent === undefined)
    throw new Error(`${key}, which ${start.content} inherits from, is not in the snapshot.`);
  const ladder = parent === undefined ? [start] : [start, ...ladderOf(parent, loaded)];
  if (kindOf(start.content) === "collection") ladders.set(start, ladder);
  return ladder satisfies Ladder;
}

/** The ladder of a content that was just read, where all that it inherits from is in the cache. */
export function ladderInCache(reading: Reading, start: Content): readonly Content[] | undefined {
  const key = above(start);
  if (key === undefined) return [start];
  const parent = reading.cache.content(reading.at, key);
  const ladder = parent === undefined ? undefined : ladders.get(parent);
  return ladder === undefined ? undefined : [start, ...ladder];
}

/** How many direct permissions there are, whatever their role. */
export function total(counts: Readonly<Record<Role, number>>): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}
