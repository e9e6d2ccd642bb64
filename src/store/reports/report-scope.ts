/** The contents and the users of a report. */
import { type ContentKey, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import { compareIds } from "../../domain/order.ts";
import type { Role } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import { descend } from "../tree/descend.ts";
import { decodeContent } from "../schema/encoding.ts";
import { statement } from "../engine/engine.ts";
import { contents } from "../directory/inheritance.ts";
import type { Reading } from "../reading.ts";
import { spacesOfSite } from "../directory/sites.ts";

/** Conditions that all rows of a report meet; without any, the report has everything. */
export interface ReportScope {
  readonly space?: string | undefined;
  /** The id of a collection; the report has this collection and everything in it. */
  readonly collection?: string | undefined;
  /** The id of a site; the report has its spaces. */
  readonly site?: string | undefined;
  readonly user?: string | undefined;
  /** The effective role of all rows. */
  readonly role?: Role | undefined;
  readonly guests?: boolean | undefined;
}

/** The number of contents whose ladders are loaded together. */
const CONTENTS = 256;

/** The number of contents in a report. Throws a CommandError if the scope names a record that does not exist. */
export async function countContents(reading: Reading, scope: ReportScope): Promise<number> {
  const named = await namedContents(reading, scope);
  return named?.length ?? reading.at.counts.collections + reading.at.counts.spaces;
}

async function namedContents(
  reading: Reading,
  { space, collection, site }: ReportScope,
): Promise<readonly ContentKey[] | undefined> {
  if (space !== undefined) return [await existing(reading, contentKey("space", space))];
  if (collection !== undefined)
    return contentsBelow(reading, await existing(reading, contentKey("collection", collection)));
  if (site === undefined) return undefined;
  const spaces = await spacesOfSite(reading, site);
  if (spaces === undefined) throw absent(reading, "site", site);
  return spaces;
}

async function existing(reading: Reading, key: ContentKey): Promise<ContentKey> {
  if ((await contents(reading, [key])).has(key)) return key;
  throw absent(reading, kindOf(key), idOf(key));
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
 * The contents that a scope names in at least one of the readings; `undefined` for all contents. Throws a CommandError
 * if the scope names a record that exists in none of them.
 */
export async function contentsNamed(
  readings: readonly Reading[],
  scope: ReportScope,
): Promise<readonly ContentKey[] | undefined> {
  const found = new Set<ContentKey>();
  let [missing, isAny]: [unknown, boolean] = [undefined, false];
  for (const reading of readings) {
    try {
      const named = await namedContents(reading, scope);
      if (named === undefined) return undefined;
      isAny = true;
      for (const key of named) found.add(key);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      missing = error;
    }
  }
  if (!isAny) throw missing;
  return [...found].sort(compareIds);
}

export function absent({ at }: Reading, kind: string, id: string): CommandError {
  return new CommandError(`There is no ${kind} ${JSON.stringify(id)} in organization ${at.organization}.`);
}

const NEXT = statement<[id: string]>(
  () => `SELECT c.id FROM content c WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

/** The contents of a report in blocks, in the order of the report. */
export async function* contentBlocks(reading: Reading, scope: ReportScope): AsyncGenerator<ContentKey[]> {
  yield* blocksOf(reading, await namedContents(reading, scope));
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
