/**
 * Compares effective roles between two revisions of an organization (docs/past.md): people who joined, left or
 * have another organization role, and for everybody else, the contents on which roles differ. Users whose own permissions
 * or memberships changed are compared one by one (users.ts), all others by sets (walk.ts); each pair of a user and a
 * content is told by pairs.ts.
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
import type { AlignedChunk } from "./alignment.ts";
import { MOST_SINGLE_USERS, UserDifferences } from "./users.ts";
import { type DifferenceCounts, addDifferences } from "./causes.ts";
import { type DifferenceFilter, isOfSome } from "./filter.ts";
import { type DiffRow, PairRows } from "./pairs.ts";
import type { Branch } from "./plan.ts";
import { type Compared, Walk, prepare } from "./walk.ts";

/** A user who joined or left, or whose organization role changed. `undefined` means not a member, `null` a guest. */
export interface PersonDifference {
  readonly user: Person;
  readonly before: Role | null | undefined;
  readonly after: Role | null | undefined;
  /** The number of contents on which the user's effective role differs. */
  readonly contents: number;
  readonly record: ChangedRecord;
}

/** The differences of effective roles on one content, without those of users with a {@link PersonDifference}. */
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
  readonly #mostSingle: number;
  #compared: Promise<Compared> | undefined;
  #others: Promise<Compared> | undefined;
  readonly #users: UserDifferences;

  constructor(
    sides: TwoReadings,
    changes: AccessChanges,
    filter: DifferenceFilter,
    mostSingle = MOST_SINGLE_USERS,
  ) {
    this.sides = sides;
    this.changes = changes;
    this.undone = isUndone(sides);
    this.#filter = filter;
    this.#mostSingle = mostSingle;
    this.#users = new UserDifferences(sides, changes, filter);
  }

  /** The difference between two revisions. `before` may be the later one. */
  static async of(
    reader: Reader,
    before: Reading,
    after: Reading,
    filter: DifferenceFilter = {},
    mostSingle = MOST_SINGLE_USERS,
  ): Promise<Diff> {
    const sides = { before, after };
    const [earlier, later] = inTime(sides, before.at, after.at);
    return new Diff(sides, await accessChanges(reader, earlier, later), filter, mostSingle);
  }

  /** The users who joined or left, or whose organization role changed, by user id. */
  async *people(progress: Progress = () => {}): AsyncGenerator<readonly PersonDifference[]> {
    const ids = [...this.changes.people.keys()].sort(compareIds);
    for (let from = 0; from < ids.length; from += PEOPLE) {
      const block = ids.slice(from, from + PEOPLE);
      const counted = await this.#users.contentsOf(block);
      const had = await people(this.sides.before, block);
      const has = await people(this.sides.after, block);
      yield block.flatMap((id) => {
        const record = this.changes.people.get(id);
        const user = has.get(id) ?? had.get(id);
        const contents = counted.get(id)?.length ?? 0;
        if (record === undefined || user === undefined || (contents === 0 && isOfSome(this.#filter)))
          return [];
        const [before, after] = inTime(this.sides, roleIn(record.was), roleIn(record.becomes));
        return [{ user, before, after, contents, record }];
      });
      progress(Math.min(1, (from + PEOPLE) / ids.length));
    }
  }

  /** The contents on which the roles of other users differ: collections first, each kind by id. */
  async contents(progress: Progress = () => {}): Promise<ContentDifference[]> {
    const single = this.#singleUsers();
    const walk = this.#walk(await this.#compareOthers(single), progress);
    await walk.run();
    const found = await this.#users.byContent(single);
    addDifferences(found, walk.differences());
    return [...found]
      .map(([content, difference]) => ({ content, ...difference }))
      .sort((a, b) => compareIds(a.content, b.content));
  }

  /**
   * The users with changed permissions or memberships, who are compared one by one, without those who joined or left or
   * have another organization role; none if they are too many for that.
   */
  #singleUsers(): readonly string[] {
    const { permissions, memberships } = this.changes;
    const users = new Set([...permissions, ...memberships].flatMap(({ member }) => member ?? []));
    return users.size > this.#mostSingle ? [] : [...users];
  }

  /**
   * The users and contents with a difference, by content, then by user. `contents` and `users` restrict them. Throws a
   * CommandError for a user who is not a member at either revision.
   */
  async *pairs(
    wanted: Wanted,
  ): AsyncGenerator<{ readonly rows: readonly DiffRow[]; readonly done: number; readonly of: number }> {
    const { plan } = await this.#compare();
    const rows = new PairRows(this.sides, this.changes, this.#filter);
    const { users } = wanted;
    for (const user of users ?? []) await this.#expectMember(user);
    const apart = users ?? [...this.changes.people.keys()];
    const keys = await this.#keysOf(wanted, apart);
    for (let from = 0; from < keys.length; from += CONTENTS) {
      const block = keys.slice(from, from + CONTENTS);
      const slots = users === undefined ? await this.slotsOn(block) : new Map<Branch, Slots>();
      const candidates = (key: ContentKey) => {
        const branch = plan.branchOf.get(key);
        return { slots: (branch && slots.get(branch)) ?? NO_SLOTS, users: apart };
      };
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

  /** The contents that may have differences, in the order of {@link pairs}. */
  async #keysOf({ contents, users }: Wanted, apart: readonly string[]): Promise<ContentKey[]> {
    const among = contents === undefined ? undefined : new Set(contents);
    const found = new Set<ContentKey>();
    if (users === undefined) {
      for (const key of (await this.#compare()).plan.branchOf.keys()) found.add(key);
    }
    for (let from = 0; from < apart.length; from += PEOPLE) {
      const differing = await this.#users.contentsOf(apart.slice(from, from + PEOPLE), among);
      for (const keys of differing.values()) for (const key of keys) found.add(key);
    }
    return [...found].filter((key) => among?.has(key) ?? true).sort(compareIds);
  }

  async slotsOn(keys: readonly ContentKey[]): Promise<ReadonlyMap<Branch, Slots>> {
    const { plan } = await this.#compare();
    const only = new Set(keys.flatMap((key) => plan.branchOf.get(key) ?? []));
    const found = new Map<Branch, Map<AlignedChunk, Words>>();
    if (only.size === 0) return found;
    const walk = this.#walk(
      await this.#compare(),
      () => {},
      only,
      (branch, chunk, differing) => {
        if (!only.has(branch)) return;
        const slots = found.get(branch) ?? new Map<AlignedChunk, Words>();
        found.set(branch, slots);
        slots.set(chunk, differing.slice());
      },
    );
    await walk.run();
    return found;
  }

  #walk(
    compared: Compared,
    progress: Progress = () => {},
    only?: ReadonlySet<Branch>,
    listener?: ConstructorParameters<typeof Walk>[0]["listener"],
  ): Walk {
    return new Walk({
      ...compared,
      filter: this.#filter,
      progress,
      ...(listener === undefined ? {} : { listener }),
      ...(only === undefined ? {} : { only }),
    });
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
    const single = this.#singleUsers();
    for await (const { compare } of this.#users.of([...this.changes.people.keys(), ...single])) {
      if (performance.now() > until) return { counts, isWhole: false };
      const directions = new Set<Direction>();
      compare((_, direction) => directions.add(direction));
      count(DIRECTIONS.map((direction) => Number(directions.has(direction))));
    }
    for await (const users of this.#walk(await this.#compareOthers(single)).users()) {
      count(users);
      if (performance.now() > until) return { counts, isWhole: false };
    }
    return { counts, isWhole: true };
  }

  #compare(): Promise<Compared> {
    return (this.#compared ??= prepare(this.sides, this.changes, []));
  }

  /** The comparison of all users except those who are compared one by one. */
  #compareOthers(users: readonly string[]): Promise<Compared> {
    if (users.length === 0) return this.#compare();
    return (this.#others ??= prepare(this.sides, this.changes.without(users), users));
  }
}

type Slots = ReadonlyMap<AlignedChunk, Words>;
const NO_SLOTS: Slots = new Map();

function roleIn(text: string | undefined): Role | null | undefined {
  return text === undefined ? undefined : decodeMemberRole(Number(text));
}
