/**
 * Compares effective roles between two revisions of an organization (docs/past.md): people who joined, left or
 * have another organization role, and for everybody else, the contents on which roles differ. Users whose own records
 * changed are compared one by one (users.ts), all others are painted (walk.ts); each pair of a user and a content is told
 * by pairs.ts.
 */
import { limit } from "../../../sets/limit.ts";
import { compareIds } from "../../../domain/id.ts";
import { type ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import type { Person } from "../../../domain/why.ts";
import type { Words } from "../../../sets/words.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import type { Reader } from "../../engine/engine.ts";
import { memberOf } from "../../directory/members.ts";
import { people } from "../../directory/person.ts";
import { type Direction, DIRECTIONS } from "../../../domain/difference.ts";
import type { Reading } from "../../reading.ts";
import { absent } from "../../report.ts";
import {
  type AccessChanges,
  type ChangedRecord,
  accessChanges,
  type TwoReadings,
  isUndone,
  inTime,
} from "./log.ts";
import { type DifferingRoles, UserDifferences } from "./users.ts";
import { type DifferenceCounts, addDifferences } from "./causes.ts";
import { type DifferenceFilter, isOfSome } from "./filter.ts";
import { type DiffRow, PairRows } from "./pairs.ts";
import { concernedBy, Walk } from "./walk.ts";

/** A user who joined or left, or whose organization role changed. `undefined` means not a member, `null` a guest. */
export interface PersonDifference extends DifferingRoles {
  readonly user: Person;
  readonly before: Role | null | undefined;
  readonly after: Role | null | undefined;
  readonly record: ChangedRecord;
}

/**
 * The differences of effective roles on one content, without those of users with a {@link PersonDifference}: of these,
 * only newcomers count, on contents where their role is not what their organization role or a default level gives.
 */
export interface ContentDifference extends DifferenceCounts {
  readonly content: ContentKey;
}

/** The contents and users of which the pairs are wanted; all of them by default. */
interface Wanted {
  readonly contents?: readonly ContentKey[] | undefined;
  readonly users?: readonly string[] | undefined;
}

/** Receives the fraction done, from 0 to 1. */
export type Progress = (part: number) => void;

/** The number of users, and the number of contents, per block. */
const PEOPLE = limit("diff.people", 500);
const CONTENTS = limit("diff.contents", 256);

export class Diff {
  readonly sides: TwoReadings;
  readonly changes: AccessChanges;
  readonly undone: boolean;
  readonly #filter: DifferenceFilter;
  readonly #users: UserDifferences;

  constructor(sides: TwoReadings, changes: AccessChanges, filter: DifferenceFilter) {
    this.sides = sides;
    this.changes = changes;
    this.undone = isUndone(sides);
    this.#filter = filter;
    this.#users = new UserDifferences(sides, changes, filter);
  }

  /** The difference between two revisions. `before` may be the later one. */
  static async of(
    reader: Reader,
    before: Reading,
    after: Reading,
    filter: DifferenceFilter = {},
  ): Promise<Diff> {
    const sides = { before, after };
    const [earlier, later] = inTime(sides, before.at, after.at);
    return new Diff(sides, await accessChanges(reader, earlier, later), filter);
  }

  /** The users who joined or left, or whose organization role changed, by user id. */
  async *people(progress: Progress = () => {}): AsyncGenerator<readonly PersonDifference[]> {
    const ids = [...this.changes.people.keys()].sort(compareIds);
    for (let from = 0; from < ids.length; from += PEOPLE) {
      const block = ids.slice(from, from + PEOPLE);
      const counted = await this.#users.rolesOf(block);
      const had = await people(this.sides.before, block);
      const has = await people(this.sides.after, block);
      yield block.flatMap((id) => {
        const record = this.changes.people.get(id);
        const user = has.get(id) ?? had.get(id);
        const roles = counted.get(id);
        if (record === undefined || user === undefined || roles === undefined) return [];
        if (roles.contents === 0 && isOfSome(this.#filter)) return [];
        const { before, after } = this.#organizationRoles(record);
        return [{ user, before, after, ...roles, record }];
      });
      progress(Math.min(1, (from + PEOPLE) / ids.length));
    }
  }

  /** The organization roles that a changed record of a member says, at both revisions. */
  #organizationRoles({ was, becomes }: ChangedRecord): Pick<PersonDifference, "before" | "after"> {
    const [before, after] = inTime(this.sides, roleIn(was), roleIn(becomes));
    return { before, after };
  }

  /** The contents on which roles differ, as a {@link ContentDifference} says: collections first, each kind by id. */
  async contents(progress: Progress = () => {}): Promise<ContentDifference[]> {
    const newcomers = [...this.changes.people].flatMap(([user, record]) => {
      const { before, after } = this.#organizationRoles(record);
      return before === undefined && after !== undefined ? user : [];
    });
    return this.#contentsOf(newcomers, progress);
  }

  /** Like {@link contents}, without newcomers. */
  async contentsOfOthers(progress: Progress = () => {}): Promise<ContentDifference[]> {
    return this.#contentsOf([], progress);
  }

  async #contentsOf(newcomers: readonly string[], progress: Progress): Promise<ContentDifference[]> {
    const walk = await this.#walk(await this.#concerned());
    const found = await walk.contents(progress);
    const { people, users } = this.changes;
    const others = [...users].filter((user) => !people.has(user));
    addDifferences(found, await this.#users.byContent([...others, ...newcomers]));
    return [...found]
      .map(([content, difference]) => ({ content, ...difference }))
      .sort((a, b) => compareIds(a.content, b.content));
  }

  /**
   * The users and contents with a difference, by content, then by user. `contents` and `users` restrict them. Throws a
   * CommandError for a user who is not a member at either revision.
   */
  async *pairs({ contents, users }: Wanted): AsyncGenerator<{
    readonly rows: readonly DiffRow[];
    readonly done: number;
    readonly of: number;
  }> {
    const rows = new PairRows(this.sides, this.changes, this.#filter);
    for (const user of users ?? []) await this.#expectMember(user);
    const among = contents && new Set(contents);
    const own = await this.#users.usersOn(users ?? this.changes.users, among);
    const others = users === undefined ? await this.#concerned(among) : [];
    const keys = [...new Set([...own.keys(), ...others])].sort(compareIds);
    for (let from = 0; from < keys.length; from += CONTENTS) {
      const block = keys.slice(from, from + CONTENTS);
      const slots = users === undefined ? await (await this.#walk(block)).slots() : NO_SLOTS;
      const candidates = (key: ContentKey) => ({
        slots: slots.get(key) ?? NO_SLOT,
        users: own.get(key) ?? [],
      });
      for await (const page of rows.of(block, candidates)) {
        yield { rows: page, done: from, of: keys.length };
      }
    }
    yield { rows: [], done: keys.length, of: keys.length };
  }

  async #expectMember(user: string): Promise<void> {
    for (const reading of [this.sides.after, this.sides.before]) {
      if ((await memberOf(reading, user)) !== undefined) return;
    }
    throw absent(this.sides.after, "member", user);
  }

  /** The contents on which users without changed records may differ; with `among`, of these contents. */
  async #concerned(among?: ReadonlySet<ContentKey>): Promise<ContentKey[]> {
    return among === undefined ? concernedBy(this.sides, this.changes) : [...among];
  }

  #walk(keys: readonly ContentKey[]): Promise<Walk> {
    return Walk.of(this.sides, this.changes, this.#filter, keys);
  }

  /**
   * The number of users who differ on any content, by direction as in {@link DIRECTIONS}. A user counts once per
   * direction. Stops at the time `until`, by `performance.now()`; `isWhole` is false then.
   */
  async users(until: number): Promise<{ readonly counts: readonly number[]; readonly isWhole: boolean }> {
    const counts = DIRECTIONS.map(() => 0);
    const count = (some: readonly number[]) => {
      for (const [index, each] of some.entries()) counts[index] = (counts[index] ?? 0) + each;
    };
    for await (const { compare } of this.#users.of([...this.changes.users])) {
      if (performance.now() > until) return { counts, isWhole: false };
      const directions = new Set<Direction>();
      compare((_, direction) => directions.add(direction));
      count(DIRECTIONS.map((direction) => Number(directions.has(direction))));
    }
    const walk = await this.#walk(this.changes.changedContents);
    for await (const users of walk.users()) {
      count(users);
      if (performance.now() > until) return { counts, isWhole: false };
    }
    return { counts, isWhole: true };
  }
}

const NO_SLOT: ReadonlyMap<number, Words> = new Map();
const NO_SLOTS: ReadonlyMap<ContentKey, ReadonlyMap<number, Words>> = new Map();

function roleIn(text: string | undefined): Role | null | undefined {
  return text === undefined ? undefined : decodeMemberRole(Number(text));
}
