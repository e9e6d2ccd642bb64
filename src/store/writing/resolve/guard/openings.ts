/** Finds closed contents that a change opens (contract, section 8). */
import type { ContentKey } from "../../../../domain/content.ts";
import { holds } from "../../../schema/as-of.ts";
import type { Reading } from "../../../reading.ts";
import { CLOSED, decodeContent, encodeDefaultLevel, INHERIT } from "../../../schema/encoding.ts";
import { accessFieldsOf, type RecordChange } from "../../../schema/record-change.ts";
import { statement } from "../../../engine/engine.ts";
import { spaceSets, SPACES } from "../../../schema/set-names.ts";
import { sizesOf } from "../../../sets/containers.ts";
import { childrenOf } from "../lookup/children.ts";

/** The fields that determine whether a content is closed. */
interface Level {
  readonly parent: ContentKey | undefined;
  readonly level: number;
}

type Levels = Map<ContentKey, Level>;

/** The contents that are closed at a revision, and that exist and are not closed after the given changes. */
export async function openedBy(at: Reading, changes: readonly RecordChange[]): Promise<ContentKey[]> {
  const becomes = new Map<ContentKey, Level | undefined>();
  const moved: ContentKey[] = [];
  for (const { kind, content, was, becomes: now } of changes) {
    if (content === undefined || (kind !== "collection" && kind !== "space")) continue;
    const [before, after] = [levelOf(was), levelOf(now)];
    becomes.set(content, after);
    if (before === undefined || after === undefined) continue;
    if (before.level !== after.level || before.parent !== after.parent) moved.push(content);
  }
  if (moved.length === 0) return [];
  const parents = [...becomes.values()].flatMap((after) => after?.parent ?? []);
  const before = await inheritance(at, [...moved, ...parents]);
  const closed = await allBelow(
    at,
    before,
    moved.filter((key) => isClosed(before, key)),
  );
  const after: Levels = new Map(before);
  for (const [key, level] of becomes) {
    if (level === undefined) after.delete(key);
    else after.set(key, level);
  }
  return closed.filter((key) => after.has(key) && !isClosed(after, key));
}

function levelOf(doc: string | undefined): Level | undefined {
  if (doc === undefined) return undefined;
  const { parent, defaultLevel } = accessFieldsOf(doc);
  return { parent, level: encodeDefaultLevel(defaultLevel) };
}

type Row = [id: string, parent: string | null, level: number];

const UP = statement<Row>(
  ({ texts }) => `
    WITH RECURSIVE up (id, parent, level) AS (
      SELECT c.id, c.parent, c.level FROM ${texts("$3", "wanted")} CROSS JOIN content c
        WHERE ${holds("c")} AND c.id = wanted.value
      UNION
      SELECT c.id, c.parent, c.level FROM up CROSS JOIN content c
        WHERE up.level = ${INHERIT} AND ${holds("c")} AND c.id = up.parent
    )
    SELECT id, parent, level FROM up`,
);

/** Loads contents, and the ancestors from which they inherit. */
async function inheritance(at: Reading, keys: readonly ContentKey[]): Promise<Levels> {
  return new Map((await at.read(UP, ...at.asOf, [...new Set(keys)])).map(decoded));
}

function decoded([id, parent, level]: Row): [ContentKey, Level] {
  return [decodeContent(id), { parent: parent === null ? undefined : decodeContent(parent), level }];
}

/** The given contents, and all contents that inherit from them. Adds the levels of these heirs to `levels`. */
async function allBelow(at: Reading, levels: Levels, from: readonly ContentKey[]): Promise<ContentKey[]> {
  const found = new Set(from);
  for (let next = from; next.length > 0;) {
    const inheriting = (await childrenOf(at, next)).filter(
      ({ child, level }) => level === INHERIT && !found.has(child),
    );
    for (const { child, parent, level } of inheriting) {
      found.add(child);
      levels.set(child, { parent, level });
    }
    next = inheriting.map(({ child }) => child);
  }
  return [...found];
}

/**
 * Whether the default level that applies to a content is `null`. `levels` must have all ancestors from which the
 * content inherits.
 */
function isClosed(levels: Levels, key: ContentKey): boolean {
  for (let level = levels.get(key); level !== undefined;) {
    if (level.level !== INHERIT) return level.level === CLOSED;
    level = level.parent === undefined ? undefined : levels.get(level.parent);
  }
  return false;
}

const COLLECTIONS = statement<Row>(
  () => `
    SELECT c.id, c.parent, c.level FROM content c
      WHERE ${holds("c")} AND c.id >= 'collection/' AND c.id < 'collection0'`,
);
/** The number of closed contents. Reads all collections. */
export async function closedContents(at: Reading): Promise<number> {
  const collections: Levels = new Map((await at.read(COLLECTIONS, ...at.asOf)).map(decoded));
  const [spaces = 0] = await sizesOf(at, SPACES, [spaceSets.ending("closed")]);
  return spaces + [...collections.keys()].filter((key) => isClosed(collections, key)).length;
}
