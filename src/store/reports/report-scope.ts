/** The contents and the users of a report. */
import { type ContentKey, contentKey, type ContentKind } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import type { ReportScope } from "../../domain/scope.ts";
import { compareIds } from "../../domain/id.ts";
import { holds } from "../schema/as-of.ts";
import { descend } from "../tree/descend.ts";
import { decodeContent } from "../schema/encoding.ts";
import { statement } from "../engine/engine.ts";
import { contents } from "../directory/inheritance.ts";
import type { Reading } from "../reading.ts";
import { spacesOfSite } from "../directory/sites.ts";

/** The number of contents whose ladders are loaded together. */
const CONTENTS = 256;

/** The number of contents in a report. Throws a CommandError if the scope names a record that does not exist. */
export async function countContents(reading: Reading, scope: ReportScope): Promise<number> {
  const named = await contentsNamed([reading], scope);
  return named?.length ?? reading.at.counts.collections + reading.at.counts.spaces;
}

/** A collection and everything in it: collections first, each kind sorted by id. */
export async function contentsBelow(reading: Reading, collection: ContentKey): Promise<ContentKey[]> {
  const found = [collection];
  for await (const some of descend(reading, collection, false)) {
    for (const { content } of some) found.push(content);
  }
  return found.sort(compareIds);
}

/**
 * The contents that a scope names in at least one of the readings: collections first, each kind sorted by id;
 * `undefined` for all contents. `onAbsent` receives a CommandError for each named record that exists in none of them.
 */
export async function contentsNamed(
  readings: readonly [Reading, ...Reading[]],
  { spaces = [], collections = [], sites = [] }: ReportScope,
  onAbsent = refuse,
): Promise<readonly ContentKey[] | undefined> {
  const names = [
    ...spaces.map((id) => ["space", id] as const),
    ...collections.map((id) => ["collection", id] as const),
    ...sites.map((id) => ["site", id] as const),
  ];
  if (names.length === 0) return undefined;
  const found = new Set<ContentKey>();
  const [latest] = readings;
  for (const [kind, id] of names) {
    const parts = await Promise.all(readings.map((reading) => contentsOf(reading, kind, id)));
    if (parts.every((keys) => keys === undefined)) onAbsent(absent(latest, kind, id));
    for (const keys of parts) for (const key of keys ?? []) found.add(key);
  }
  return [...found].sort(compareIds);
}

function refuse(error: CommandError): void {
  throw error;
}

/** The contents of a space, a collection or a site; `undefined` if it does not exist. */
async function contentsOf(
  reading: Reading,
  kind: ContentKind | "site",
  id: string,
): Promise<readonly ContentKey[] | undefined> {
  if (kind === "site") return spacesOfSite(reading, id);
  const key = contentKey(kind, id);
  if (!(await contents(reading, [key])).has(key)) return undefined;
  return kind === "space" ? [key] : contentsBelow(reading, key);
}

export function absent({ at }: Reading, kind: string, id: string): CommandError {
  return new CommandError(`There is no ${kind} ${JSON.stringify(id)} in organization ${at.organization}.`);
}

const NEXT = statement<[id: string]>(
  () => `SELECT c.id FROM content c WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

/** The contents of a report in blocks, in the order of the report. `onAbsent` is as of {@link contentsNamed}. */
export async function* contentBlocks(
  reading: Reading,
  scope: ReportScope,
  onAbsent = refuse,
): AsyncGenerator<ContentKey[]> {
  yield* blocksOf(reading, await contentsNamed([reading], scope, onAbsent));
}

/** Yields the contents `named` in blocks; all contents of the organization, by key, if `named` is `undefined`. */
export async function* blocksOf(
  reading: Reading,
  named: readonly ContentKey[] | undefined,
): AsyncGenerator<ContentKey[]> {
  if (named !== undefined) {
    for (let start = 0; start < named.length; start += CONTENTS) yield named.slice(start, start + CONTENTS);
    return;
  }
  for (let after = ""; ;) {
    const rows = await reading.read(NEXT, ...reading.asOf, after, CONTENTS);
    if (rows.length === 0) return;
    yield rows.map(([id]) => decodeContent(id));
    after = rows.at(-1)?.[0] ?? after;
  }
}
