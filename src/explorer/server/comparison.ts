/** Compares the roles of two people, or of one person and a fixed role, on the same spaces. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { type Words, addAll, addSlot, countSlots, keepOnly, noSlots, removeAll } from "../../sets/words.ts";
import type { CacheKind } from "../../store/cache/cache.ts";
import type { Member } from "../../store/directory/members.ts";
import { type SpaceRow, spacesAt } from "../../store/directory/rows/space-rows.ts";
import { spacesOfSite } from "../../store/directory/sites.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Access } from "../../store/listings/access.ts";
import { AccessDifference, type ComparedChunk } from "../../store/listings/difference.ts";
import { everywhere } from "../../store/listings/palette.ts";
import { accessOf } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { SPACES } from "../../store/schema/set-names.ts";
import { chunksOf } from "../../store/sets/chunks.ts";
import { descend } from "../../store/directory/below.ts";
import { inTurns } from "../../store/turns.ts";
import type { Filter, Presence } from "./query.ts";
import { type SideNames, deletedSpaces, filteredDifference } from "./filtered.ts";
import { groupByGroup } from "./list.ts";
import { positionsMatching } from "./search-index.ts";

/**
 * The groups in list order: spaces on which the roles differ, spaces on which they are equal and, only within a scope,
 * spaces to which neither person has access.
 */
const GROUPS = ["differ", "alike", "neither"] as const;
type Group = (typeof GROUPS)[number];

interface Compared extends SpaceRow {
  readonly group: Group;
}

type GroupCounts = Readonly<Record<Group, number>>;

export class Comparison {
  readonly #reading: Reading;
  readonly #difference: AccessDifference;
  readonly #scope: SpaceSet | undefined;
  readonly #groups: readonly Group[];

  constructor(
    reading: Reading,
    difference: AccessDifference,
    scope: SpaceSet | undefined,
    groups: readonly Group[],
  ) {
    this.#reading = reading;
    this.#difference = difference;
    this.#scope = scope;
    this.#groups = groups;
  }

  /**
   * A comparison with a filter. Its text and deletion apply to the spaces, its role and reason to the roles of either
   * person.
   */
  static async of(
    reading: Reading,
    names: SideNames,
    [one, other]: readonly [Access, Access],
    scope: SpaceSet | undefined,
    { q, deleted, ...filter }: Filter,
  ): Promise<Comparison> {
    const within = await narrowedScope(reading, scope, q, deleted);
    const whole = new AccessDifference(
      { reading, access: one },
      { reading, access: other },
      // Of a scope, spaces to which neither has access are listed, too.
      within === undefined ? {} : { within: (chunk) => within.has(chunk), isWhole: true },
    );
    const difference = await filteredDifference(reading, names, whole, { q: "", ...filter });
    // Without a scope, spaces to which neither has access are not listed; they have no role to filter by either.
    const isListed = scope !== undefined && difference === whole;
    const groups = GROUPS.filter((group) => isAccepted(group, filter) && (group !== "neither" || isListed));
    return new Comparison(reading, difference, within, groups);
  }

  /** A page of the spaces, sorted by group, creation time and id. */
  async page(request: PageRequest<string>): Promise<Page<Compared, string>> {
    return groupByGroup(
      request,
      this.#groups,
      ({ key }: Compared) => key,
      async (group, { after, limit }) => {
        const hits = await this.#difference.walk(after, limit + 1, (compared, chunk) =>
          this.#slotsIn(group, compared, chunk),
        );
        const rows = await spacesAt(
          this.#reading,
          hits.map(({ position }) => position),
        );
        const entries = hits.map(({ position }) => {
          const row = rows.get(position);
          if (row === undefined) throw new Error(`No space has position ${position}, which a set holds.`);
          return { ...row, group };
        });
        return pageOf(entries, limit, ({ key }) => key);
      },
    );
  }

  async counts(): Promise<GroupCounts> {
    const counts = { differ: 0, alike: 0, neither: 0 };
    for await (const number of inTurns(await this.#difference.chunks())) {
      await this.#difference.at(number, (compared) => {
        for (const group of this.#groups) counts[group] += countSlots(this.#slotsIn(group, compared, number));
      });
    }
    return counts;
  }

  #slotsIn(group: Group, { directions, same }: ComparedChunk, chunk: number): Words {
    const { lost, lowered, raised, gained } = directions;
    const alike = same();
    const scope = this.#scope?.get(chunk);
    const found = noSlots();
    for (let index = 0; index < found.length; index++) {
      const differ = (lost[index] ?? 0) | (lowered[index] ?? 0) | (raised[index] ?? 0) | (gained[index] ?? 0);
      const within = this.#scope === undefined ? -1 : (scope?.[index] ?? 0);
      const of = {
        differ,
        alike: alike[index] ?? 0,
        neither: ~(differ | (alike[index] ?? 0)),
      };
      found[index] = of[group] & within;
    }
    return found;
  }
}

/** Compares two people on all spaces, or on the spaces of a scope. */
export async function compareMembers(
  reading: Reading,
  one: Member,
  other: Member,
  scope: SpaceSet | undefined,
  filter: Filter,
): Promise<Comparison> {
  const both = await Promise.all([accessOf(reading, one), accessOf(reading, other)]);
  return Comparison.of(reading, [`member/${one.id}`, `member/${other.id}`], both, scope, filter);
}

/** Whether a filter accepts a group. */
function isAccepted(group: Group, { differs }: Pick<Filter, "differs">): boolean {
  return differs === undefined || (group === "differ") === (differs === "only");
}

/** Compares one person on the spaces of a scope with one fixed role on all of them; the role `null` is no access. */
export async function compareWithRole(
  reading: Reading,
  one: Member,
  role: Role | null,
  scope: SpaceSet,
  filter: Filter,
): Promise<Comparison> {
  const both = [await accessOf(reading, one), everywhere(role)] as const;
  return Comparison.of(reading, [`member/${one.id}`, undefined], both, scope, filter);
}

/** The slots of some spaces, by chunk number. */
type SpaceSet = ReadonlyMap<number, Words>;

const POSITIONS = statement<[position: number]>(
  ({ texts }) => `
    SELECT c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const KIND: CacheKind<SpaceSet> = { name: "scope", bytes: ({ size }) => 600 * size };

/** All spaces of a site, or below a collection at any depth; `undefined` if the site does not exist. */
export async function spacesIn(
  reading: Reading,
  { kind, id }: { readonly kind: "collection" | "site"; readonly id: string },
): Promise<SpaceSet | undefined> {
  if (kind === "collection") {
    const key = contentKey("collection", id);
    return reading.cache.once(KIND, reading.at, key, async () => {
      const positions: number[] = [];
      for await (const some of descend(reading, key, false)) {
        for (const { position } of some) if (position !== null) positions.push(position);
      }
      return setOf(positions);
    });
  }
  const spaces: readonly ContentKey[] | undefined = await spacesOfSite(reading, id);
  const rows = spaces && (await reading.read(POSITIONS, ...reading.asOf, spaces));
  return rows && setOf(rows.map(([position]) => position));
}

/** The spaces of a scope that pass a filter; without a scope, all of these. `undefined` without a scope and a filter. */
async function narrowedScope(
  reading: Reading,
  scope: SpaceSet | undefined,
  q: string,
  deleted: Presence | undefined,
): Promise<SpaceSet | undefined> {
  let found = scope;
  if (q !== "")
    found = among(found, setOf((await positionsMatching(reading, SPACES, q))?.positions ?? []), true);
  if (deleted !== undefined) {
    const { positions } = (await deletedSpaces(reading)).head;
    const all = found ?? (await everySpace(reading));
    found = among(all, setOf(positions), deleted === "only");
  }
  return found;
}

/** The spaces of a set that are in another one, or that are not. */
function among(set: SpaceSet | undefined, other: SpaceSet, isIn: boolean): SpaceSet {
  if (set === undefined) return other;
  const found = new Map<number, Words>();
  for (const [chunk, words] of set) {
    const some = noSlots();
    addAll(some, words);
    const others = other.get(chunk);
    found.set(chunk, isIn ? keepOnly(some, others) : removeAll(some, others));
  }
  return found;
}

/** All spaces of a revision. */
async function everySpace(reading: Reading): Promise<SpaceSet> {
  const chunks = await chunksOf(reading, SPACES);
  return new Map(chunks.map(({ number }) => [number, noSlots().fill(-1)]));
}

function setOf(positions: Iterable<number>): SpaceSet {
  const found = new Map<number, Words>();
  for (const position of positions) {
    const words = found.get(chunkOf(position)) ?? noSlots();
    found.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return found;
}
