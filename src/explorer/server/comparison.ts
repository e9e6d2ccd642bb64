/**
 * Compares the roles of two people on the same spaces, or those of one person with their role on the whole collection
 * or site.
 */
import { contentKey } from "../../domain/content.ts";
import { pageOf } from "../../domain/page.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { type Words, addSlot, countSlots, noSlots } from "../../sets/words.ts";
import { absent } from "../../operations/authorize.ts";
import type { CacheKind } from "../../store/cache.ts";
import { type Member, memberOf } from "../../store/directory/members.ts";
import { type SpaceDetails as SpaceAt, spacesAt } from "../../store/directory/space-rows.ts";
import { spacesOfSite } from "../../store/directory/sites.ts";
import { statement } from "../../store/engine/engine.ts";
import { AccessDifference, type ComparedChunk } from "../../store/listings/difference.ts";
import { everywhere } from "../../store/listings/palette.ts";
import { accessOf } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { SPACES } from "../../store/schema/set-names.ts";
import { descend } from "../../store/directory/below.ts";
import { inTurns } from "../../store/turns.ts";
import type { CompareRow } from "../wire/lists.ts";
import { deletedSpaces, filteredDifference } from "./filtered.ts";
import { type ListOpener, groupByGroup, mapped } from "./list.ts";
import { spaceRows } from "./nodes.ts";
import type { Filter, SubjectName } from "./query.ts";
import { positionsMatching } from "./search-index.ts";
import { heldOn } from "./spaces.ts";
import type { States } from "./states.ts";
import { roleOn } from "./why.ts";

/**
 * The groups in list order: spaces on which the roles differ, spaces on which they are equal and, only within a scope,
 * spaces to which neither person has access.
 */
const GROUPS = ["differ", "alike", "neither"] as const;
type CompareGroup = (typeof GROUPS)[number];

/**
 * Compares the roles of `before` and `after` on each space, or on each of a collection or site; sorted by group, creation
 * time and id. Throws 404 for a user who is not a member, and for a missing site.
 */
export function comparedSpaces(
  { before, after }: States,
  scope: SubjectName | undefined,
  filter: Filter,
): ListOpener<CompareRow> {
  return async (reading, viewer) => {
    const one = await existing(reading, before.user ?? "");
    const spaces = scope && (await spacesIn(reading, scope, filter));
    if (scope !== undefined && spaces === undefined) throw absent(scope.kind, scope.id);
    const other = after.user === undefined ? undefined : await existing(reading, after.user);
    const compared = await compare(reading, one, other ?? scope, spaces, filter);
    const { differ, alike, neither } = await countsOf(compared);
    const total = differ + alike + neither;
    return {
      total,
      count: async () => ({ total }),
      async page(request) {
        const page = await groupByGroup(
          request,
          compared.groups,
          ({ key }: SpaceAt) => key,
          async (group, { after: behind, limit }) => {
            const found = await spacesOfGroup(reading, compared, group, behind, limit + 1);
            return pageOf(found, limit, ({ key }) => key);
          },
        );
        const keys = page.entries.map(({ id }) => contentKey("space", id));
        const [rows, ones, others] = await Promise.all([
          spaceRows(reading, viewer, keys),
          heldOn(reading, one.id, keys),
          other === undefined ? undefined : heldOn(reading, other.id, keys),
        ]);
        return mapped(page, ({ id, group }): CompareRow[] => {
          const key = contentKey("space", id);
          const row = rows.get(key);
          if (row === undefined) return [];
          const held = { one: ones.get(key) ?? null, ...(others && { other: others.get(key) ?? null }) };
          return [{ ...row, differs: group === "differ", ...held }];
        });
      },
    };
  };
}

async function existing(reading: Reading, user: string): Promise<Member> {
  const member = await memberOf(reading, user);
  if (member === undefined) throw absent("member", user);
  return member;
}

interface Comparison {
  readonly difference: AccessDifference;
  readonly spaces: SpaceSet | undefined;
  readonly groups: readonly CompareGroup[];
}

/**
 * Compares one person with another one, or with their own role on the whole of `other`. With `spaces`, the filter's text
 * and deletion were applied to them; its role and reason apply to the roles of either side.
 */
async function compare(
  reading: Reading,
  one: Member,
  other: Member | SubjectName | undefined,
  spaces: SpaceSet | undefined,
  filter: Filter,
): Promise<Comparison> {
  const isPerson = other !== undefined && "position" in other;
  const [before, after] = await Promise.all([
    accessOf(reading, one),
    isPerson
      ? accessOf(reading, other)
      : everywhere(other === undefined ? null : await roleOn(reading, other, one.id)),
  ]);
  const whole = new AccessDifference(
    { reading, access: before },
    { reading, access: after },
    // Of a scope, spaces to which neither has access are listed, too.
    spaces === undefined ? {} : { within: (chunk) => spaces.has(chunk), isWhole: true },
  );
  const names = [`member/${one.id}`, isPerson ? `member/${other.id}` : undefined] as const;
  const onRoles = spaces === undefined ? filter : { ...filter, q: "", deleted: undefined };
  const difference = await filteredDifference(reading, names, whole, onRoles);
  // Without a scope, spaces to which neither has access are not listed; they have no role to filter by either.
  const hasNeither = spaces !== undefined && difference === whole;
  const { differs } = filter;
  const groups = GROUPS.filter(
    (group) =>
      (differs === undefined || (group === "differ") === (differs === "only")) &&
      (group !== "neither" || hasNeither),
  );
  return { difference, spaces, groups };
}

async function spacesOfGroup(
  reading: Reading,
  compared: Comparison,
  group: CompareGroup,
  after: string | undefined,
  count: number,
): Promise<(SpaceAt & { readonly group: CompareGroup })[]> {
  const hits = await compared.difference.walk(after, count, (each, chunk) =>
    slotsIn(compared, group, each, chunk),
  );
  const positions = hits.map(({ position }) => position);
  const rows = await spacesAt(reading, positions);
  return positions.map((position) => {
    const row = rows.get(position);
    if (row === undefined) throw new Error(`No space has position ${position}, which a set holds.`);
    return { ...row, group };
  });
}

async function countsOf(compared: Comparison): Promise<Readonly<Record<CompareGroup, number>>> {
  const counts = { differ: 0, alike: 0, neither: 0 };
  for await (const number of inTurns(await compared.difference.chunks())) {
    await compared.difference.at(number, (each) => {
      for (const group of compared.groups)
        counts[group] += countSlots(slotsIn(compared, group, each, number));
    });
  }
  return counts;
}

function slotsIn(
  { spaces }: Comparison,
  group: CompareGroup,
  { directions, same }: ComparedChunk,
  chunk: number,
): Words {
  const { lost, lowered, raised, gained } = directions;
  const alike = same();
  const scope = spaces?.get(chunk);
  const found = noSlots();
  for (let index = 0; index < found.length; index++) {
    const differ = (lost[index] ?? 0) | (lowered[index] ?? 0) | (raised[index] ?? 0) | (gained[index] ?? 0);
    const within = spaces === undefined ? -1 : (scope?.[index] ?? 0);
    const of = {
      differ,
      alike: alike[index] ?? 0,
      neither: ~(differ | (alike[index] ?? 0)),
    };
    found[index] = of[group] & within;
  }
  return found;
}

/** The slots of some spaces, by chunk number. */
type SpaceSet = ReadonlyMap<number, Words>;

const POSITIONS = statement<[position: number]>(
  ({ texts }) => `
    SELECT c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const KIND: CacheKind<readonly number[]> = { name: "scope", bytes: ({ length }) => 100 + 8 * length };

/** The spaces of a site, or below a collection at any depth, that pass a filter; `undefined` if there is no such site. */
async function spacesIn(
  reading: Reading,
  scope: SubjectName,
  { q, deleted }: Filter,
): Promise<SpaceSet | undefined> {
  const positions = await positionsIn(reading, scope);
  if (positions === undefined) return undefined;
  const named = q === "" ? undefined : new Set((await positionsMatching(reading, SPACES, q))?.positions);
  const marked = deleted && new Set((await deletedSpaces(reading)).head.positions);
  const found = new Map<number, Words>();
  for (const position of positions) {
    if (named?.has(position) === false || (marked && marked.has(position) !== (deleted === "only"))) continue;
    const words = found.get(chunkOf(position)) ?? noSlots();
    found.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return found;
}

async function positionsIn(
  reading: Reading,
  { kind, id }: SubjectName,
): Promise<readonly number[] | undefined> {
  if (kind === "collection") {
    const key = contentKey("collection", id);
    return reading.cache.once(KIND, reading.at, key, async () => {
      const positions: number[] = [];
      for await (const some of descend(reading, [key], false)) {
        for (const { position } of some) if (position !== null) positions.push(position);
      }
      return positions;
    });
  }
  const spaces = await spacesOfSite(reading, id);
  const rows = spaces && (await reading.read(POSITIONS, ...reading.asOf, spaces));
  return rows?.map(([position]) => position);
}
