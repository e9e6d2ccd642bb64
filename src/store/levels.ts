import type { Ladder, Level } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { type Role, ROLES, roleOf } from "../domain/role.ts";
import { decodeContent, decodeDefaultLevel, INHERIT } from "./codes.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

/** A content as it lies in a snapshot: a rung of the ladder, and how large its sources are. */
export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** How many users hold each role directly here. */
  readonly direct: Readonly<Record<Role, number>>;
  /** How many members the teams have that hold a permission here. */
  readonly teamSizes: ReadonlyMap<string, number>;
  /** About how many bytes this takes in memory. */
  readonly bytes: number;
}

/** The columns of a content that its level of the ladder is made of. */
export type LevelRow = [
  parent: string | null,
  title: string,
  defaultLevel: number,
  direct: string,
  teams: string,
];

type ContentRow = [id: string, ...LevelRow];

const COLUMNS = "c.id, c.parent, c.title, c.default_level, c.direct, c.teams";

const NAMED = statement<ContentRow>(
  ({ texts }) => `
    SELECT ${COLUMNS} FROM ${texts("$2", "wanted")} CROSS JOIN content c
      WHERE c.snapshot = $1 AND c.id = wanted.value`,
);

/** The contents asked for and all that they inherit from, each once. */
const CLIMB = statement<ContentRow>(
  ({ texts }) => `
    WITH RECURSIVE up (id, above) AS (
      SELECT c.id, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
        FROM ${texts("$2", "wanted")} CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = wanted.value
      UNION
      SELECT c.id, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
        FROM up CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = up.above
    )
    SELECT ${COLUMNS} FROM up CROSS JOIN content c WHERE c.snapshot = $1 AND c.id = up.id`,
);

/** Loads contents and everything that they inherit from; those that do not exist are absent from the result. */
export async function contents(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  const missing = keys.filter((key) => !collect(reading, key, found));
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

function keep(reading: Reading, rows: readonly ContentRow[], found: Map<ContentKey, Content>): void {
  for (const [id, ...level] of rows) {
    const key = decodeContent(id);
    const content = reading.cache.content(reading.at, key) ?? contentOf(key, level);
    reading.cache.keepContent(reading.at, content);
    found.set(key, content);
  }
}

/** Puts a cached content and its levels above into `found`; false where one of them is not in the cache. */
function collect(reading: Reading, start: ContentKey, found: Map<ContentKey, Content>): boolean {
  for (let key: ContentKey | undefined = start; key !== undefined && !found.has(key);) {
    const content = reading.cache.content(reading.at, key);
    if (content === undefined) return false;
    found.set(key, content);
    key = above(content);
  }
  return true;
}

function above(content: Content | undefined): ContentKey | undefined {
  return content?.defaultLevel === "inherit" ? content.parent : undefined;
}

/** The ladder of a loaded content (contract, section 3): itself, then what it inherits from. */
export function ladderOf(start: Content, loaded: ReadonlyMap<ContentKey, Content>): Content[] {
  const ladder = [start];
  for (let key = above(start); key !== undefined;) {
    const level = loaded.get(key);
    if (level === undefined)
      throw new Error(`${key}, which ${start.content} inherits from, is not in the snapshot.`);
    ladder.push(level);
    key = above(level);
  }
  return ladder satisfies Ladder;
}

/** A content as a row tells it. */
export function contentOf(content: ContentKey, row: LevelRow): Content {
  const [parent, title, defaultLevel, direct, teams] = row;
  const roles = new Map<string, Role>();
  const teamSizes = new Map<string, number>();
  for (const entry of teams === "" ? [] : teams.split(",")) {
    const [team = "", place, members] = entry.split(" ");
    roles.set(team, roleOf(Number(place)));
    teamSizes.set(team, Number(members));
  }
  return {
    content,
    title,
    parent: parent === null ? undefined : decodeContent(parent),
    defaultLevel: decodeDefaultLevel(defaultLevel),
    teams: roles,
    teamSizes,
    direct: countsOf(direct),
    bytes: 500 + 8 * teams.length,
  };
}

/** Reads "0 3 0 0 1 0": how many of each role, weakest first. */
export function countsOf(text: string): Record<Role, number> {
  const numbers = text.split(" ").map(Number);
  const [read = 0, comment = 0, edit = 0, review = 0, create = 0, admin = 0] = numbers;
  return { read, comment, edit, review, create, admin };
}

/** How many direct permissions there are, whatever their role. */
export function total(counts: Readonly<Record<Role, number>>): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}
