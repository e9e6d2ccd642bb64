/** Compares effective roles between two revisions of an organization (contract, section 10). */
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
import {
  SINGLE_USER_LIMITS,
  type SingleUserLimits,
  UsersApart,
  addDifferences,
  compareFew,
  compareSingly,
  fewUsers,
  singleUsers,
} from "./users.ts";
import { type DifferenceFilter, isOfSome } from "./filter.ts";
import { type DiffRow, PairRows } from "./pairs.ts";
import { type Named, type ContentName, contentNames } from "./names.ts";
import type { Branch } from "./plan.ts";
import { type BranchDifference, type Compared, Walk, prepare } from "./walk.ts";

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
export interface ContentDifference extends BranchDifference {
  readonly content: ContentKey;
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
  readonly #limits: SingleUserLimits;
  /** The contents that were read so far, as of the later revision. */
  #known: ReadonlyMap<ContentKey, Named> = new Map();
  #compared: Promise<Compared> | undefined;
  #others: Promise<Compared> | undefined;
  readonly #apart: UsersApart;

  constructor(
    sides: TwoReadings,
    changes: AccessChanges,
    filter: DifferenceFilter,
    limits: SingleUserLimits = SINGLE_USER_LIMITS,
  ) {
    this.sides = sides;
    this.changes = changes;
    this.undone = isUndone(sides);
    this.#filter = filter;
    this.#limits = limits;
    this.#apart = new UsersApart(sides, filter);
  }

  /** The difference between two revisions. `before` may be the later one. */
  static async of(
    reader: Reader,
    before: Reading,
    after: Reading,
    filter: DifferenceFilter = {},
    limits: SingleUserLimits = SINGLE_USER_LIMITS,
  ): Promise<Diff> {
    const sides = { before, after };
    const [earlier, later] = inTime(sides, before.at, after.at);
    return new Diff(sides, await accessChanges(reader, earlier, later), filter, limits);
  }

  /** The users who joined or left, or whose organization role changed, by user id. */
  async *people(progress: Progress = () => {}): AsyncGenerator<readonly PersonDifference[]> {
    const ids = [...this.changes.people.keys()].sort(compareIds);
    for (let from = 0; from < ids.length; from += PEOPLE) {
      const block = ids.slice(from, from + PEOPLE);
      const counted = await this.#apart.contentsOf(block);
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
    const found = await this.#contents(progress);
    const differences = [...found].map(([content, difference]) => ({ content, ...difference }));
    return differences.sort((a, b) => compareIds(a.content, b.content));
  }

  async #contents(progress: Progress): Promise<ReadonlyMap<ContentKey, BranchDifference>> {
    const few = fewUsers(this.changes, this.#limits.few);
    if (few !== undefined) {
      const { differences, known } = await compareFew(this.sides, this.changes, few, this.#filter);
      this.#known = known;
      return differences;
    }
    const users = this.#usersApart();
    const compared = await this.#compareOthers(users);
    this.#known = new Map([...compared.forest.heirs].map(([key, { content }]) => [key, content]));
    const walk = this.#walk(compared, progress);
    await walk.run();
    const differences = await compareSingly(this.#apart, this.changes, users);
    addDifferences(differences, walk.differences());
    return differences;
  }

  /**
   * The users with changed records of their own, if they are compared one by one; none if they are too many for that.
   */
  #usersApart(): readonly string[] {
    // With a filter by cause, all users are compared by sets: only sets tell which users a changed record affects.
    if (this.#filter.causedBy !== undefined) return [];
    const users = singleUsers(this.changes);
    return users.length > this.#limits.many ? [] : users;
  }

  async names(keys: readonly ContentKey[]): Promise<ReadonlyMap<ContentKey, ContentName>> {
    return contentNames(this.sides, keys, this.#known);
  }

  /**
   * The users and contents with a difference, by content, then by user. `contents` and `users` restrict them. Throws a
   * CommandError for a user who is not a member at either revision.
   */
  async *pairs(wanted: {
    readonly contents?: readonly ContentKey[] | undefined;
    readonly users?: readonly string[] | undefined;
  }): AsyncGenerator<{ readonly rows: readonly DiffRow[]; readonly done: number; readonly of: number }> {
    const { alignment, plan } = await this.#compare();
    const rows = new PairRows(this.sides, this.changes, alignment, this.#filter);
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
  async #keysOf(
    {
      contents,
      users,
    }: {
      readonly contents?: readonly ContentKey[] | undefined;
      readonly users?: readonly string[] | undefined;
    },
    apart: readonly string[],
  ): Promise<ContentKey[]> {
    const among = contents === undefined ? undefined : new Set(contents);
    const found = new Set<ContentKey>();
    if (users === undefined) {
      for (const key of (await this.#compare()).plan.branchOf.keys()) found.add(key);
    }
    for (let from = 0; from < apart.length; from += PEOPLE) {
      const differing = await this.#apart.contentsOf(apart.slice(from, from + PEOPLE), among);
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
    const apart = this.#usersApart();
    for await (const { compare } of this.#apart.of([...this.changes.people.keys(), ...apart])) {
      if (performance.now() > until) return { counts, isWhole: false };
      const directions = new Set<Direction>();
      compare((_, direction) => directions.add(direction));
      count(DIRECTIONS.map((direction) => Number(directions.has(direction))));
    }
    for await (const users of this.#walk(await this.#compareOthers(apart)).users()) {
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
