import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/explanation/effect.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type Without, writeWithout } from "../../../domain/without.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { Reading } from "../../../store/reading.ts";
import { countsWithout } from "../../../store/listings/without/below.ts";
import { differenceWithout } from "../../../store/listings/without/difference.ts";
import { concernedBy } from "../../../store/listings/without/inheriting.ts";
import { type DifferenceRow, differenceRows } from "./rows.ts";

export interface Pair {
  readonly content: ContentKey;
  readonly row: DifferenceRow;
}

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
): Promise<Page<Pair, string>> {
  const concerned = await concernedBy(reading, without);
  const [begun, inner] = after?.split(SEPARATOR) ?? [];
  const first = Math.max(
    0,
    concerned.findIndex(({ position }) => position === begun),
  );
  const entries: Pair[] = [];
  let next: string | undefined;
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
    if (content === undefined || found === undefined || isNone(found)) continue;
    if (entries.length === limit) {
      next = `${position}${SEPARATOR}`;
      break;
    }
    const difference = await differenceWithout(reading, content, without);
    if (difference === undefined) continue;
    const behind = position === begun && inner !== "" ? inner : undefined;
    const request = { after: behind, limit: limit - entries.length };
    const page = await differenceRows(reading, content, difference, request);
    entries.push(...page.entries.map((row) => ({ content, row })));
    if (page.next !== undefined) next = `${position}${SEPARATOR}${page.next}`;
  }
  return next === undefined ? { entries } : { entries, next };
}

/** A character that occurs in no title and no id. */
const SEPARATOR = "\0";

function isNone({ lost, lowered, raised, gained }: Effect): boolean {
  return lost + lowered + raised + gained === 0;
}
