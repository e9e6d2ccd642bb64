/**
 * An organization as of a revision, in memory: arrays that nothing changes after they are filled. Every answer is a
 * function of a model.
 *
 * Members, teams, contents and sites have numbers from 0: members, teams and sites in the order of their ids as UTF-8
 * bytes, contents depth first, so that what is inside a content follows it as a range. A list says from one side what
 * another says from the other: the teams of a member and the members of a team. This file declares the arrays and finds
 * numbers; others go through the lists that it names.
 */
import { type ContentKey, contentKey, type DefaultLevel } from "../domain/content.ts";
import { type RecordKind, siteDocument } from "../domain/record-change.ts";
import { rank, type Role, roleOf } from "../domain/role.ts";
import type { Lists } from "./lists.ts";
import { firstFrom, textOf, type Texts } from "./texts.ts";

/** The rank of roles, in a byte: 0 is a guest's organization role, and what a closed content gives. */
export const NOTHING = 0;
export const ADMIN = rank("admin");
/** Beside the ranks: a default level that asks the parent. */
export const INHERIT = 7;

export interface Model {
  readonly organization: { readonly id: string; readonly title: string };
  readonly members: Members;
  readonly teams: Teams;
  readonly contents: Contents;
  readonly sites: Sites;
}

export interface Members {
  readonly count: number;
  readonly ids: Texts;
  /** The rank of the organization role; 0 for a guest. */
  readonly roles: Uint8Array;
  /** Users as sent, without defaults (`domain/document.ts`). */
  readonly profiles: Texts;
  readonly omitted: Uint16Array;
  /** Teams ascending, packed with 1 for an owner. */
  readonly teams: Lists;
  /** Contents ascending, packed with the rank of the direct permission. */
  readonly permissions: Lists;
}

export interface Teams {
  readonly count: number;
  readonly ids: readonly string[];
  /** Teams as sent, without the counts of members and spaces. */
  readonly texts: readonly string[];
  /** Members ascending. */
  readonly members: Lists;
  /** Contents ascending, packed with the rank of the team's permission. */
  readonly permissions: Lists;
}

export interface Contents {
  readonly count: number;
  readonly keys: Texts;
  /** All contents in the order of their keys: collections, then spaces, each by id. */
  readonly byKey: Uint32Array;
  readonly isSpace: Uint8Array;
  /** The collection around it, or -1. */
  readonly parents: Int32Array;
  /** What is inside content `x` are the contents after `x` up to `ends[x]`. */
  readonly ends: Uint32Array;
  /** The rank of the default level, 0 for a closed content, or {@link INHERIT}. */
  readonly levels: Uint8Array;
  /** Milliseconds since 1970; 0 for collections. */
  readonly created: Float64Array;
  /** Spaces and collections as sent, without defaults. */
  readonly texts: Texts;
  readonly omitted: Uint16Array;
  /** Teams packed with the rank of their permission: weakest first, of equal ones the smaller team last. */
  readonly teams: Lists;
  /** Members ascending, packed with the rank of their direct permission. */
  readonly users: Lists;
}

export interface Sites {
  readonly count: number;
  readonly ids: readonly string[];
  readonly titles: readonly string[];
  /** The rank of the default level, 0 for no access, or {@link INHERIT}: without a permission, the site says nothing. */
  readonly levels: Uint8Array;
  /** The spaces of a site, in the order of their ids. */
  readonly spaces: Lists;
  /**
   * Teams packed with the rank of their permission, 0 for no access: weakest first, of equal ones the smaller team last.
   */
  readonly teams: Lists;
  /** Members ascending, packed with the rank of their direct permission, 0 for no access. */
  readonly users: Lists;
}

type CarryOver = (before: Model, after: Model, changed: ReadonlySet<RecordKind>) => void;

const carriers: CarryOver[] = [];
const known: WeakMap<Model, unknown>[] = [];

/**
 * Something that is worked out from a whole model when it is first asked for, and kept as long as the model. `touchedBy`
 * are the kinds of records on which it depends; the next model takes it over if no record of these kinds differs. A
 * change of members, teams or contents may move their numbers.
 */
export function derived<T>(touchedBy: readonly RecordKind[], make: (model: Model) => T): (model: Model) => T {
  const values = new WeakMap<Model, T>();
  known.push(values);
  carriers.push((before, after, changed) => {
    const found = values.get(before);
    if (found !== undefined && !touchedBy.some((kind) => changed.has(kind))) values.set(after, found);
  });
  return (model) => {
    const found = values.get(model);
    if (found !== undefined) return found;
    const made = make(model);
    values.set(model, made);
    return made;
  };
}

/** All that was worked out from a model and is kept with it. */
export function* workedOut(model: Model): Generator<unknown> {
  for (const values of known) if (values.has(model)) yield values.get(model);
}

/**
 * As {@link derived}, for what takes long: it is worked out in turns. Callers at the same time share the work: whoever
 * has a turn does the next part, and all get the result. With `keep`, what was worked out before a change that touches it
 * is given to `make`, which takes over what is still right.
 */
export function derivedInTurns<T, Last = never>(
  touchedBy: readonly RecordKind[],
  make: (model: Model, last: Last | undefined) => Generator<void, T>,
  keep?: (model: Model, made: T) => Last,
): (model: Model) => Generator<void, T> {
  const states = new WeakMap<Model, { work?: Generator<void, T>; made?: readonly [T]; last?: Last }>();
  known.push(states);
  carriers.push((before, after, changed) => {
    const state = states.get(before);
    if (state === undefined) return;
    if (!touchedBy.some((kind) => changed.has(kind))) states.set(after, state);
    else if (state.made !== undefined && keep !== undefined)
      states.set(after, { last: keep(before, state.made[0]) });
    else if (state.last !== undefined) states.set(after, { last: state.last });
  });
  return function* (model) {
    const state = states.get(model) ?? {};
    states.set(model, state);
    while (state.made === undefined) {
      state.work ??= make(model, state.last);
      const step = state.work.next();
      if (step.done !== true) {
        yield;
        continue;
      }
      state.made = [step.value];
      // Both may hold an earlier model.
      delete state.last;
      delete state.work;
    }
    return state.made[0];
  };
}

/**
 * What is kept for a number, or made now. Beyond `most` values, the one that was used longest ago goes: for what is large
 * and not wanted for every number.
 */
export function keptLast<T>(kept: Map<number, T>, number: number, most: number, make: () => T): T {
  const value = kept.get(number) ?? make();
  kept.delete(number);
  kept.set(number, value);
  if (kept.size <= most) return value;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    break;
  }
  return value;
}

/** Gives the next model what was worked out from the one before, where no record of the `changed` kinds touches it. */
export function carryOver(before: Model, after: Model, changed: ReadonlySet<RecordKind>): void {
  for (const carry of carriers) carry(before, after, changed);
}

export function findMember({ members: { ids, count } }: Model, id: string): number | undefined {
  const found = firstFrom(ids, id);
  return found < count && textOf(ids, found) === id ? found : undefined;
}

export function memberId({ members }: Model, member: number): string {
  return textOf(members.ids, member);
}

/** The organization role of a member; `null` for a guest. */
export function organizationRole({ members }: Model, member: number): Role | null {
  const found = members.roles[member] ?? NOTHING;
  return found === NOTHING ? null : roleOf(found);
}

export function findContent({ contents }: Model, key: ContentKey): number | undefined {
  const found = contents.byKey[firstFrom(contents.keys, key, contents.byKey)];
  return found !== undefined && textOf(contents.keys, found) === key ? found : undefined;
}

export function keyOf({ contents }: Model, content: number): ContentKey {
  const key = textOf(contents.keys, content);
  return contentKey(
    contents.isSpace[content] === 1 ? "space" : "collection",
    key.slice(key.indexOf("/") + 1),
  );
}

export function levelOf({ contents }: Model, content: number): DefaultLevel {
  return levelOfRank(contents.levels[content] ?? INHERIT);
}

export function levelOfRank(level: number): DefaultLevel {
  return level === INHERIT ? "inherit" : level === NOTHING ? null : roleOf(level);
}

/** A default level as a model has it. */
export function rankOfLevel(level: DefaultLevel): number {
  return level === "inherit" ? INHERIT : level === null ? NOTHING : rank(level);
}

/** A content and the collections around it, nearest first. */
export function* withAncestors({ contents }: Model, content: number): Generator<number> {
  for (let x = content; x >= 0; x = contents.parents[x] ?? -1) yield x;
}

export function findTeam({ teams }: Model, id: string): number | undefined {
  return there(teams.ids, firstId(teams.ids, id), id);
}

/** What a site says, as the log has it. */
export function siteText({ titles, levels }: Pick<Sites, "titles" | "levels">, site: number): string {
  return siteDocument({ title: titles[site] ?? "", defaultLevel: levelOfRank(levels[site] ?? INHERIT) });
}

export function findSite({ sites }: Model, id: string): number | undefined {
  return there(sites.ids, firstId(sites.ids, id), id);
}

function there(ids: readonly string[], at: number, id: string): number | undefined {
  return ids[at] === id ? at : undefined;
}

/**
 * The first index in ascending `ids` whose id is at least `wanted`. Ids of teams and sites are ASCII, so their order by
 * UTF-16 units is that by bytes.
 */
export function firstId(ids: readonly string[], wanted: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
