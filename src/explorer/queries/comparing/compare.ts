/** Compares the roles of two people, or of one person and a fixed role, on the same spaces. */
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import type { Role } from "../../../domain/role.ts";
import { type Words, countSlots, noSlots } from "../../../sets/words.ts";
import type { Filter } from "../filters/filter.ts";
import { narrowedDifference, type SideNames } from "../filters/narrowed-difference.ts";
import { groupByGroup } from "../lists/group-by-group.ts";
import { AccessDifference, type ComparedChunk } from "../../../store/listings/difference.ts";
import { accessOf } from "../../../store/listings/subject.ts";
import { type Access } from "../../../store/listings/access.ts";
import type { Member } from "../../../store/directory/members.ts";
import type { Reading } from "../../../store/reading.ts";
import { everywhere } from "../../../store/listings/palette.ts";
import { type SpaceRow, spacesAt } from "../../../store/directory/rows/space-rows.ts";
import { narrowedScope, type SpaceSet } from "./scope.ts";
import { inTurns } from "../../../store/turns.ts";

/**
 * The groups in list order: spaces on which the roles differ, spaces on which they are equal and, only within a scope,
 * spaces to which neither person has access.
 */
const GROUPS = ["differ", "alike", "neither"] as const;
export type Group = (typeof GROUPS)[number];

export interface Compared extends SpaceRow {
  readonly group: Group;
}

export type GroupCounts = Readonly<Record<Group, number>>;

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
    const difference = await narrowedDifference(reading, names, whole, { q: "", ...filter });
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
