/**
 * What filters a list leaves: of an access, as sets of positions; of the difference between two accesses, what passes on
 * either side; of contents in memory, one by one.
 */
import { type ContentKey, idOf } from "../../domain/content.ts";
import { type Order, type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Without, writeWithout } from "../../domain/without.ts";
import type { RoleCounts } from "../../domain/role.ts";
import type { Head } from "../../sets/head.ts";
import { positionAt } from "../../sets/position.ts";
import type { CacheKind } from "../../store/cache.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Access, NamedSet } from "../../store/listings/access.ts";
import { type ChunkCounts, chunkCountsOf, keyAt } from "../../store/listings/counts.ts";
import type {
  AccessDifference,
  CountsByChunk,
  AccessWithFilter,
  AccessSide,
} from "../../store/listings/difference.ts";
import { guestSet } from "../../store/listings/subject.ts";
import { differenceWithout } from "../../store/listings/without.ts";
import { universeIndex } from "../../store/memory/universe.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { spaceOfKey } from "../../store/schema/encoding.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import { SPACES } from "../../store/schema/set-names.ts";
import { inTurns } from "../../store/turns.ts";
import { type ByName, byName, pageByName } from "./by-name.ts";
import { matching } from "./list.ts";
import { type Filter, groupOf, isFiltering, rolesOf } from "./query.ts";
import { knownMatching, positionsMatching } from "./search-index.ts";

/**
 * A text with more than `COMMON` index entries is common. For a common text, up to `MOST_LOOKED_AT` rows are tested one
 * by one, before the set of all matches is built.
 */
const COMMON = 4_000;
const MOST_LOOKED_AT = 10_000;
const ENTRIES_PER_READ = 1_000;

const KIND: CacheKind<Access> = { name: "narrowed", bytes: ({ size }) => size };

/** How to read the sort key and the searchable texts of a list's rows. */
interface RowTexts<Row> {
  key(row: Row): string;
  id(row: Row): string;
  texts(row: Row): readonly string[];
}

/** Finds the positions that had no role at the last revision before a time (ISO 8601, UTC). */
type NewSince = (time: string) => Promise<Head>;

/** An access with a filter. `name` identifies the unfiltered access within the revision. */
export class FilteredAccess {
  readonly #reading: Reading;
  readonly #name: string;
  readonly #whole: Access;
  readonly #filter: Filter;
  readonly #newSince: NewSince | undefined;

  /** `newSince` is for lists with a filter by time. */
  constructor(reading: Reading, name: string, whole: Access, filter: Filter, newSince?: NewSince) {
    this.#reading = reading;
    this.#name = name;
    this.#whole = whole;
    this.#filter = filter;
    this.#newSince = newSince;
  }

  /** The filtered access. It ignores the filter `role`, which the readers of the access apply. */
  access(filter = this.#filter): Promise<Access> {
    const { role: _, sort: __, ...rest } = filter;
    if (!isFiltering(rest)) return Promise.resolve(this.#whole);
    const key = `${this.#name}?${JSON.stringify(Object.entries(rest).sort())}`;
    return this.#reading.cache.once(KIND, this.#reading.at, key, () => this.#narrow(rest));
  }

  async #narrow({ q, reasons, through, guests, deleted, since, ...rest }: Filter): Promise<Access> {
    const { universe } = this.#whole;
    const within: NamedSet[] = [];
    const without: NamedSet[] = [];
    if (guests !== undefined) (guests === "only" ? within : without).push(await guestSet(this.#reading));
    if (deleted !== undefined && universe === SPACES) {
      const { head } = await deletedSpaces(this.#reading);
      (deleted === "only" ? within : without).push({ name: "deleted", head });
    }
    if (q !== "") {
      const head = await positionsMatching(this.#reading, universe, q);
      if (head !== undefined) within.push({ name: "named", head });
    }
    if (since !== undefined && this.#newSince !== undefined) {
      within.push({ name: "new", head: await this.#newSince(since) });
    }
    const narrows = reasons.length > 0 || through !== undefined;
    return this.#whole.narrowed({
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

  async page<Row>(
    request: PageRequest<string>,
    read: (access: Access, request: PageRequest<string>) => Promise<Page<Row, string>>,
    rows: RowTexts<Row>,
  ): Promise<Page<Row, string>> {
    const { q, sort } = this.#filter;
    const { universe } = this.#whole;
    if (sort === "name") return pageByName(await this.#byName(), await this.access(), request, read, rows.id);
    if (q !== "" && knownMatching(this.#reading, universe, q) === undefined) {
      const few = await positionsMatching(this.#reading, universe, q, COMMON);
      const found = few === undefined ? await this.#test(request, read, rows) : undefined;
      if (found !== undefined) return found;
    }
    return read(await this.access(), request);
  }

  /**
   * Reads a page for a common text by testing rows, which is usually faster than building the set of all matches.
   * Returns `undefined` if {@link MOST_LOOKED_AT} rows do not fill the page.
   */
  async #test<Row>(
    { after, limit }: PageRequest<string>,
    read: (access: Access, request: PageRequest<string>) => Promise<Page<Row, string>>,
    { key, texts }: RowTexts<Row>,
  ): Promise<Page<Row, string> | undefined> {
    const query = queryOf(this.#filter.q);
    const others = await this.access({ ...this.#filter, q: "" });
    const found: Row[] = [];
    let from = after;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += ENTRIES_PER_READ) {
      const { entries, next } = await read(others, { after: from, limit: ENTRIES_PER_READ });
      found.push(...entries.filter((row) => matches(texts(row), query)));
      if (found.length > limit || next === undefined) return pageOf(found, limit, key);
      from = next;
    }
    return undefined;
  }

  async #byName(): Promise<ByName> {
    const { role, sort: _, ...rest } = this.#filter;
    const key = `${this.#name}?${JSON.stringify(Object.entries({ role, ...rest }).sort())}`;
    return byName(this.#reading, key, await this.access(), role);
  }

  /** The number of rows with each role; ignores the filters `role` and `least`. */
  async counts(): Promise<RoleCounts> {
    return (await this.#counted()).counts.totals;
  }

  async #counted(): Promise<{ readonly access: Access; readonly counts: ChunkCounts }> {
    const { role: _, least: __, sort: ___, ...rest } = this.#filter;
    const key = `${this.#name}?${JSON.stringify(Object.entries(rest).sort())}`;
    const access = await this.access(rest);
    return {
      access,
      counts: await chunkCountsOf(this.#reading, isFiltering(rest) ? key : this.#name, access),
    };
  }

  /**
   * The key of the row with number `row`, which counts from 0; the order is by key or, if `isByRole`, strongest role
   * first, then by key. `undefined` after the last row.
   */
  async keyOf(row: number, order: Order, isByRole: boolean): Promise<string | undefined> {
    if (this.#filter.sort === "name") return (await this.#byName()).keys[row];
    const { access, counts } = await this.#counted();
    const roles = rolesOf(this.#filter);
    if (!isByRole) return keyAt(this.#reading, access, counts, roles, row, order);
    let left = row;
    for (const role of roles) {
      if (left < counts.totals[role])
        return `${role}/${await keyAt(this.#reading, access, counts, [role], left, order)}`;
      left -= counts.totals[role];
    }
    return undefined;
  }

  async total(): Promise<number> {
    const counts = await this.counts();
    return rolesOf(this.#filter).reduce((sum, role) => sum + counts[role], 0);
  }
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
    const narrowed = new FilteredAccess(reading, name, access, rest);
    return { access: await narrowed.access(), role: rest.role };
  };
  const [had, has] = await Promise.all([keptOf(before, difference.before), keptOf(after, difference.after)]);
  const key = `${before} ${after ?? ""}?${JSON.stringify(Object.entries(rest).sort())}`;
  const counts = await reading.cache.once(COUNTS, reading.at, key, async () => new Map());
  return difference.narrowed(had, has, counts);
}

/** The difference on a content without a source, of those people who pass a filter now or then. */
export async function filteredWithout(
  reading: Reading,
  key: ContentKey,
  without: Without,
  filter: Filter,
): Promise<AccessDifference | undefined> {
  const whole = await differenceWithout(reading, key, [without]);
  return whole && filteredDifference(reading, [key, `${key} ${writeWithout(without)}`], whole, filter);
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

/** Tests whether a content passes the filters `q` and `deleted`. */
export async function keeps(
  reading: Reading,
  { q, deleted }: Filter,
): Promise<(key: ContentKey, title: string) => boolean> {
  const isNamed = matching(q);
  const dates = deleted === undefined ? undefined : (await deletedSpaces(reading)).dates;
  return (key, title) =>
    isNamed(title) &&
    (dates === undefined || (key.startsWith("space/") && dates.has(idOf(key))) === (deleted === "only"));
}
