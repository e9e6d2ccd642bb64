/**
 * The rows of a diff: one for each user and content whose effective role differs, with both decisions and the causes.
 */
import { limit } from "../../../sets/limit.ts";
import { compareIds } from "../../../domain/id.ts";
import { type ContentKey, idOf, kindOf } from "../../../domain/content.ts";
import { type ContentRef, type Titles, plain, reasonOf } from "../../../domain/reason.ts";
import { type Rule, decide } from "../../../domain/ladder.ts";
import { rank, type Role } from "../../../domain/role.ts";
import type { Person } from "../../../domain/why.ts";
import { positionAt, slotOf } from "../../../sets/position.ts";
import { hasSlot, slotsFrom, type Words } from "../../../sets/words.ts";
import { type Content, ancestryOf, withAncestors, ladderOf } from "../../directory/contents.ts";
import type { Direction } from "../../../domain/difference.ts";
import { membersAt } from "../../directory/member-rows.ts";
import { type Member, wholeMembers } from "../../directory/members.ts";
import { personOf } from "../../directory/person.ts";
import { titlesFor } from "../../directory/titles.ts";
import { type AccessChanges, type ChangedRecord, type TwoReadings, inTime } from "./log.ts";
import { type Climbed, climb, causesOf } from "./causes.ts";
import { type DifferenceFilter, keptDirection } from "./filter.ts";

/** A role, and why the user has it, in a few words. */
export interface Held {
  readonly role: Role;
  readonly reason: string;
  readonly rule: Rule;
}

export interface DiffRow {
  readonly content: ContentRef;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
  readonly user: Person;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
  readonly direction: Direction;
  readonly causes: readonly ChangedRecord[];
}

/** The users who may differ on a content: some as slots by chunk of the later revision, others by id. */
export interface Candidates {
  readonly slots: ReadonlyMap<number, Words>;
  readonly users: readonly string[];
}

const USERS = limit("diff.users-of-pairs", 1000);

export class PairRows {
  readonly #sides: TwoReadings;
  readonly #changes: AccessChanges;
  readonly #filter: DifferenceFilter;

  constructor(sides: TwoReadings, changes: AccessChanges, filter: DifferenceFilter) {
    this.#sides = sides;
    this.#changes = changes;
    this.#filter = filter;
  }

  /** The rows of the given contents in the given order, and of each content by user id. */
  async *of(
    keys: readonly ContentKey[],
    candidates: (key: ContentKey) => Candidates,
  ): AsyncGenerator<readonly DiffRow[]> {
    const [before, after] = await Promise.all([
      side(this.#sides.before, keys),
      side(this.#sides.after, keys),
    ]);
    for (const key of keys) {
      const ids = await this.#idsOf(candidates(key));
      for (let from = 0; from < ids.length; from += USERS) {
        const block = ids.slice(from, from + USERS);
        const [had, has] = await Promise.all([
          wholeMembers(this.#sides.before, block),
          wholeMembers(this.#sides.after, block),
        ]);
        yield block.flatMap(
          (id) =>
            this.#rowOf(id, key, { ...before, member: had.get(id) }, { ...after, member: has.get(id) }) ?? [],
        );
      }
    }
  }

  async #idsOf({ slots, users }: Candidates): Promise<string[]> {
    const found = [...users];
    for (const [number, words] of slots) {
      const positions = [...slotsFrom(words)].map((slot) => positionAt(number, slot));
      for (const [position, id] of (await membersAt(this.#sides.after, positions)).values()) {
        if (hasSlot(words, slotOf(position))) found.push(id);
      }
    }
    return [...new Set(found)].sort(compareIds);
  }

  /** Whether the summary counts a difference on its content: see `ContentDifference`. */
  #isCounted(user: string, had: Member | undefined, has: Climbed | undefined): boolean {
    if (!this.#changes.people.has(user)) return true;
    return had === undefined && has !== undefined && has.decision?.role !== usualRole(has);
  }

  #rowOf(user: string, key: ContentKey, before: SideOfRow, after: SideOfRow): DiffRow | undefined {
    const had = climbOf(key, before);
    const has = climbOf(key, after);
    const known = after.member ?? before.member;
    const content = after.loaded.get(key) ?? before.loaded.get(key);
    if (known === undefined || content === undefined) return undefined;
    const direction = keptDirection(
      this.#filter,
      rankOf(had),
      rankOf(has),
      [before, after].some(({ member }) => member?.role === null),
    );
    if (direction === undefined) return undefined;
    if (this.#filter.counted === true && !this.#isCounted(user, before.member, has)) return undefined;
    const loaded = after.loaded.has(key) ? after.loaded : before.loaded;
    const causes = causesOf(this.#changes, { user, content: key }, ...inTime(this.#sides, had, has));
    const { causedBy } = this.#filter;
    if (causedBy !== undefined && !causes.some(causedBy)) return undefined;
    return {
      content: { kind: kindOf(key), id: idOf(key), title: content.title },
      path: ancestryOf(content, loaded)
        .slice(1)
        .map(({ title }) => title)
        .toReversed(),
      user: personOf(known),
      before: heldOf(key, had, before.titles),
      after: heldOf(key, has, after.titles),
      direction,
      causes,
    };
  }
}

/** The role that an organization role and the default levels give without a permission. */
function usualRole({ ladder, member }: Climbed): Role | undefined {
  return decide(ladder, { role: member.role, teams: [], direct: new Map() })?.role;
}

interface Side {
  readonly loaded: ReadonlyMap<ContentKey, Content>;
  readonly titles: Titles;
}
interface SideOfRow extends Side {
  readonly member: Member | undefined;
}

async function side(reading: TwoReadings["before"], keys: readonly ContentKey[]): Promise<Side> {
  const loaded = await withAncestors(reading, keys);
  return { loaded, titles: await titlesFor(reading, loaded) };
}

function climbOf(key: ContentKey, { loaded, member }: SideOfRow): Climbed | undefined {
  const content = loaded.get(key);
  return climb(content === undefined ? undefined : ladderOf(content, loaded), member);
}

function rankOf(climbed: Climbed | undefined): number {
  return climbed?.decision === undefined ? 0 : rank(climbed.decision.role);
}

function heldOf(key: ContentKey, climbed: Climbed | undefined, titles: Titles): Held | undefined {
  const decision = climbed?.decision;
  if (decision === undefined) return undefined;
  const { role, rule } = decision;
  return { role, reason: plain(reasonOf(key, decision, titles).because), rule };
}
