/**
 * What filters a list leaves: of the difference between two accesses, what passes on either side; of contents in memory,
 * one by one.
 */
import { spaceOfKey } from "../../domain/content.ts";
import { positionAt } from "../../sets/position.ts";
import type { CacheKind } from "../../store/cache.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Access, NamedSet } from "../../store/listings/access.ts";
import type {
  AccessDifference,
  CountsByChunk,
  AccessWithFilter,
  AccessSide,
} from "../../store/listings/difference.ts";
import { guestSet } from "../../store/listings/subject.ts";
import { universeIndex } from "../../store/memory/universe.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { SPACES } from "../../store/schema/set-names.ts";
import { inTurns } from "../../store/turns.ts";
import { type Filter, groupOf, isFiltering, rolesOf } from "./query.ts";
import { positionsMatching } from "./search-index.ts";

const KIND: CacheKind<Access> = { name: "narrowed", bytes: ({ size }) => size };

/**
 * An access with a filter. `name` identifies the unfiltered access within the revision. The filter `role` is ignored:
 * the readers of the access apply it.
 */
function narrowedBy(reading: Reading, name: string, whole: Access, filter: Filter): Promise<Access> {
  const { role: _, sort: __, ...rest } = filter;
  if (!isFiltering(rest)) return Promise.resolve(whole);
  const key = `${name}?${JSON.stringify(Object.entries(rest).sort())}`;
  return reading.cache.once(KIND, reading.at, key, () => narrow(reading, whole, rest));
}

async function narrow(
  reading: Reading,
  whole: Access,
  { q, reasons, through, guests, deleted, ...rest }: Filter,
): Promise<Access> {
  const { universe } = whole;
  const within: NamedSet[] = [];
  const without: NamedSet[] = [];
  if (guests !== undefined) (guests === "only" ? within : without).push(await guestSet(reading));
  if (deleted !== undefined && universe === SPACES) {
    const { head } = await deletedSpaces(reading);
    (deleted === "only" ? within : without).push({ name: "deleted", head });
  }
  if (q !== "") {
    const head = await positionsMatching(reading, universe, q);
    if (head !== undefined) within.push({ name: "named", head });
  }
  const narrows = reasons.length > 0 || through !== undefined;
  return whole.narrowed({
    ...(narrows && {
      accepts: ({ rule, team }) =>
        (reasons.length === 0 || reasons.includes(groupOf(rule))) &&
        (through === undefined || team === through),
    }),
    within,
    without,
    roles: rolesOf(rest),
  });
}

const COUNTS: CacheKind<CountsByChunk> = { name: "narrowed-difference", bytes: () => 50_000 };

/** The names of the two accesses, each unique within the revision. A side without a name never passes a filter. */
export type SideNames = readonly [before: string, after: string | undefined];

/**
 * The difference of those slots that pass a filter on either side, so that a person counts who had a role through a
 * team or has one then. The filters by direction are the caller's.
 */
export async function filteredDifference(
  reading: Reading,
  [before, after]: SideNames,
  difference: AccessDifference,
  filter: Filter,
): Promise<AccessDifference> {
  const { changes: _, differs: __, ...rest } = filter;
  if (!isFiltering(rest)) return difference;
  const keptOf = async (
    name: string | undefined,
    { access }: AccessSide,
  ): Promise<AccessWithFilter | undefined> => {
    if (name === undefined) return undefined;
    return { access: await narrowedBy(reading, name, access, rest), role: rest.role };
  };
  const [had, has] = await Promise.all([keptOf(before, difference.before), keptOf(after, difference.after)]);
  const key = `${before} ${after ?? ""}?${JSON.stringify(Object.entries(rest).sort())}`;
  const counts = await reading.cache.once(COUNTS, reading.at, key, async () => new Map());
  return difference.narrowed(had, has, counts);
}

interface DeletedSpaces {
  readonly head: { readonly positions: Uint32Array };
  /** Deletion times by space id. */
  readonly dates: ReadonlyMap<string, string>;
}

const DELETED: CacheKind<DeletedSpaces> = {
  name: "deleted-spaces",
  bytes: ({ dates }) => 200 + 150 * dates.size,
};

const MARKED = statement<[position: number, key: string, text: string]>(
  () => `
    SELECT s.position, s.key, s.doc FROM space s
      WHERE ${holds("s")} AND s.position >= $3 AND s.position < $4 AND s.doc LIKE '%"deletedAt":%'
      ORDER BY s.position`,
);

export function deletedSpaces(reading: Reading): Promise<DeletedSpaces> {
  return reading.cache.once(DELETED, reading.at, "", async () => {
    const positions: number[] = [];
    const dates = new Map<string, string>();
    for await (const number of inTurns((await universeIndex(reading, SPACES)).chunks)) {
      const [from, to] = [positionAt(number, 0), positionAt(number + 1, 0)];
      for (const [position, key, text] of await reading.read(MARKED, ...reading.asOf, from, to)) {
        // The text may also occur in a title, so the condition above is only a preselection.
        const { deletedAt }: { deletedAt?: string } = JSON.parse(text);
        if (deletedAt === undefined) continue;
        positions.push(position);
        dates.set(spaceOfKey(key), deletedAt);
      }
    }
    return { head: { positions: Uint32Array.from(positions).sort() }, dates };
  });
}
