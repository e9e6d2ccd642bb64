import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/difference.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type Without, writeWithout } from "../../../domain/without.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { Reading } from "../../../store/reading.ts";
import { countsWithout } from "../../../store/listings/without/below.ts";
import { concernedBy } from "../../../store/listings/without/inheriting.ts";
import { inTurns } from "../../../store/turns.ts";
import { directionsOf, type Filter, isNarrow } from "../filters/filter.ts";
import { narrowedWithout } from "../filters/narrowed-difference.ts";
import { type DifferenceRow, differenceRows } from "./rows.ts";

export interface Pair {
  readonly content: ContentKey;
  readonly row: DifferenceRow;
}

/** The time after which a page ends early, in milliseconds. */
const PATIENCE = 2_000;

/** The number of contents whose differences are counted together. Contents without a difference are then skipped. */
const BLOCK = 200;

const KIND: CacheKind<ReadonlyMap<ContentKey, Effect>> = { name: "pairs", bytes: ({ size }) => 200 * size };

/**
 * Everybody whose role differs when a source is removed, on every content that the source affects. Sorted by content
 * (collections before spaces, each kind by title), then as {@link differenceRows}.
 */
export async function pairsWithout(
  reading: Reading,
  without: Without,
  { after, limit }: PageRequest<string>,
  filter: Filter,
): Promise<Page<Pair, string>> {
  const concerned = await concernedBy(reading, without);
  const [begun, inner] = after?.split(SEPARATOR) ?? [];
  const first = Math.max(
    0,
    concerned.findIndex(({ position }) => position === begun),
  );
  const entries: Pair[] = [];
  let next: string | undefined;
  const until = performance.now() + PATIENCE;
  for (let place = first; place < concerned.length && next === undefined; place++) {
    const block = Math.floor(place / BLOCK);
    const counts = await reading.cache.once(KIND, reading.at, `${block} ${writeWithout(without)}`, () =>
      countsWithout(
        reading,
        without,
        concerned.slice(block * BLOCK, (block + 1) * BLOCK).map(({ content }) => content),
      ),
    );
    const { content, position } = concerned[place] ?? {};
    const found = content && counts.get(content);
    if (content === undefined || found === undefined || isNone(found, filter)) continue;
    // A filter may leave few rows on very many contents; then the page ends early.
    if (entries.length === limit || (place > first && performance.now() > until)) {
      next = `${position}${SEPARATOR}`;
      break;
    }
    const difference = await narrowedWithout(reading, content, without, filter);
    if (difference === undefined) continue;
    const behind = position === begun && inner !== "" ? inner : undefined;
    const request = { after: behind, limit: limit - entries.length };
    const page = await differenceRows(reading, content, difference, request, directionsOf(filter));
    entries.push(...page.entries.map((row) => ({ content, row })));
    if (page.next !== undefined) next = `${position}${SEPARATOR}${page.next}`;
  }
  return next === undefined ? { entries } : { entries, next };
}

/** A character that occurs in no title and no id. */
const SEPARATOR = "\0";

function isNone(effect: Effect, filter: Filter): boolean {
  return directionsOf(filter).every((direction) => effect[direction] === 0);
}

/** The number of pairs per direction, by content. */
export async function countsOfPairs(
  reading: Reading,
  without: Without,
  filter: Filter,
): Promise<readonly Effect[]> {
  const keys = (await concernedBy(reading, without)).map(({ content }) => content);
  const { changes: _, ...rest } = filter;
  const whole = await countsWithout(reading, without, keys);
  if (!isNarrow(rest)) return [...whole.values()];
  const counts: Effect[] = [];
  for await (const [key, effect] of inTurns([...whole])) {
    const difference = isNone(effect, filter)
      ? undefined
      : await narrowedWithout(reading, key, without, rest);
    if (difference !== undefined) counts.push(await difference.counts());
  }
  return counts;
}
