/** Filters the difference between two accesses. */
import type { ContentKey } from "../../../domain/content.ts";
import { type Without, writeWithout } from "../../../domain/without.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { AccessDifference, DifferenceCounts, Kept, Side } from "../../../store/listings/difference.ts";
import { differenceWithout } from "../../../store/listings/without/difference.ts";
import type { Reading } from "../../../store/reading.ts";
import { type Filter, isNarrow } from "./filter.ts";
import { Narrowed } from "./narrow.ts";

const COUNTS: CacheKind<DifferenceCounts> = { name: "narrowed-difference", bytes: () => 50_000 };

/** The names of the two accesses, each unique within the revision. A side without a name never passes a filter. */
export type SideNames = readonly [before: string, after: string | undefined];

/**
 * The difference of those slots that pass a filter on either side, so that a person counts who had a role through a
 * team or has one then. The filters by direction are the caller's.
 */
export async function narrowedDifference(
  reading: Reading,
  [before, after]: SideNames,
  difference: AccessDifference,
  filter: Filter,
): Promise<AccessDifference> {
  const { changes: _, differs: __, ...rest } = filter;
  if (!isNarrow(rest)) return difference;
  const keptOf = async (name: string | undefined, { access }: Side): Promise<Kept | undefined> => {
    if (name === undefined) return undefined;
    const narrowed = new Narrowed(reading, name, access, rest);
    return { access: await narrowed.access(), role: rest.role };
  };
  const [had, has] = await Promise.all([keptOf(before, difference.before), keptOf(after, difference.after)]);
  const key = `${before} ${after ?? ""}?${JSON.stringify(Object.entries(rest).sort())}`;
  const counts = await reading.cache.once(COUNTS, reading.at, key, async () => new Map());
  return difference.narrowed(had, has, counts);
}

/** The difference on a content without a source, of those people who pass a filter now or then. */
export async function narrowedWithout(
  reading: Reading,
  key: ContentKey,
  without: Without,
  filter: Filter,
): Promise<AccessDifference | undefined> {
  const whole = await differenceWithout(reading, key, without);
  return whole && narrowedDifference(reading, [key, `${key} ${writeWithout(without)}`], whole, filter);
}
