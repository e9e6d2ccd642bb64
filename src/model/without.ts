/** What an organization would be without some sources of access, and whose roles would be others then. */
import { type ContentKey, type DefaultLevel, idOf, kindOf } from "../domain/content.ts";
import { directionOf } from "../domain/difference-filter.ts";
import { DIRECTIONS, type Effect, sourcePhrase } from "../domain/difference.ts";
import type { Phrase } from "../domain/reason.ts";
import { levelIn } from "../domain/changed-record.ts";
import { keyOfRecord, type RecordChange } from "../domain/record-change.ts";
import { type Role, roleOf } from "../domain/role.ts";
import type { Removal, Without } from "../domain/without.ts";
import { differences } from "./differences.ts";
import { listIn, lowerBound, PERMISSION, valueIn } from "./lists.ts";
import {
  findContent,
  findMember,
  findSite,
  findTeam,
  INHERIT,
  keyOf,
  levelOf,
  memberId,
  type Model,
  siteText,
} from "./model.ts";
import { next } from "./next.ts";
import { ROLE } from "./code.ts";
import { accessOn, paint } from "./paint.ts";
import { personIn, titlesIn } from "./records.ts";
import { sitesOfTeam } from "./sites.ts";
import { inheritsFromAbove, spacesOfSite } from "./spaces.ts";
import { textOf } from "./texts.ts";
import { type ByTitle, contentsByTitle } from "./titles.ts";

/** An organization with and without some sources. Both models have the same members, teams and contents. */
export interface WhatIf {
  readonly before: Model;
  readonly after: Model;
  /** The contents on which the sources are set. */
  readonly roots: readonly number[];
  /** Only members of these lists can have other roles; absent if everybody can. */
  readonly members: readonly Uint32Array[] | undefined;
}

/** What if these sources were removed, and those in `gone` had been removed before? */
export function* withoutSources(
  model: Model,
  removed: readonly Removal[],
  gone: readonly Removal[] = [],
): Generator<void, WhatIf> {
  const before = gone.length === 0 ? model : yield* next(model, recordsOf(model, gone));
  const after = yield* next(before, recordsOf(before, removed));
  const roots = new Set(removed.flatMap((each) => contentsOf(model, each)));
  const isOfAll = removed.some(
    (each) =>
      each.of === "default" || each.of === "closing" || (each.of === "site" && typeof each.what === "string"),
  );
  const members = removed.map((each) => membersOf(model, each));
  return { before, after, roots: [...roots], members: isOfAll ? undefined : members };
}

/** The contents on which a source is set: only these, and the contents that inherit from them, are affected. */
function contentsOf(model: Model, removal: Removal): number[] {
  if ("content" in removal) {
    const content = findContent(model, removal.content);
    return content === undefined ? [] : [content];
  }
  if (removal.of === "site") {
    const site = findSite(model, removal.site);
    return site === undefined ? [] : Array.from(spacesOfSite(model, site));
  }
  const team = findTeam(model, removal.team);
  if (team === undefined) return [];
  const own = Array.from(listIn(model.teams.permissions, team), (entry) => entry >>> PERMISSION);
  const onSites = sitesOfTeam(model, team).flatMap((entry) => [...spacesOfSite(model, entry >>> PERMISSION)]);
  return [...new Set([...own, ...onSites])];
}

/** The members whom a permission concerns. */
function membersOf(model: Model, removal: Removal): Uint32Array {
  const whom = removal.of === "site" ? removal.what : removal;
  if (typeof whom === "string") return new Uint32Array(0);
  if ("user" in whom) return Uint32Array.from([findMember(model, whom.user) ?? []].flat());
  const team = "team" in whom ? findTeam(model, whom.team) : undefined;
  return team === undefined ? new Uint32Array(0) : listIn(model.teams.members, team);
}

/**
 * The records that removals change, each once. A team that is not there any more gives nothing: its memberships may
 * stay.
 */
function recordsOf(model: Model, removed: readonly Removal[]): RecordChange[] {
  const changes = new Map<string, RecordChange>();
  for (const removal of removed) {
    for (const change of siteRecordsOf(model, removal)) changes.set(keyOfRecord(change), change);
    if (removal.of === "site") continue;
    for (const x of contentsOf(model, removal)) {
      const content = keyOf(model, x);
      if (removal.of === "default" || removal.of === "closing") {
        const level = removal.of === "closing" ? null : "inherit";
        changes.set(content, withLevel(model, x, content, level));
        continue;
      }
      const rank = rankOf(model, removal, x);
      if (rank === undefined) continue;
      const grantee = removal.of === "user" ? { member: removal.user } : { team: removal.team };
      const name = `${content} ${JSON.stringify(grantee)}`;
      changes.set(name, { kind: "permission", content, ...grantee, was: String(rank), becomes: undefined });
    }
  }
  return [...changes.values()];
}

/** The records of sites that a removal changes. */
function* siteRecordsOf(model: Model, removal: Removal): Generator<RecordChange> {
  const { sites, teams } = model;
  if (removal.of === "team") {
    const team = findTeam(model, removal.team);
    for (const entry of team === undefined ? [] : sitesOfTeam(model, team)) {
      const site = sites.ids[entry >>> PERMISSION];
      yield { kind: "permission", site, team: removal.team, was: String(entry & ROLE), becomes: undefined };
    }
  }
  if (removal.of !== "site") return;
  const { site: id, what } = removal;
  const site = findSite(model, id);
  if (site === undefined) return;
  const isAll = what === "everything";
  if ((isAll || what === "default") && sites.levels[site] !== INHERIT) {
    const levels = sites.levels.slice().fill(INHERIT, site, site + 1);
    const [was, becomes] = [siteText(sites, site), siteText({ ...sites, levels }, site)];
    yield { kind: "site", site: id, was, becomes };
  }
  const isMeant = (name: "team" | "user", grantee: string) =>
    isAll || (typeof what === "object" && name in what && Object.values(what).includes(grantee));
  for (const entry of listIn(sites.teams, site)) {
    const team = teams.ids[entry >>> PERMISSION] ?? "";
    if (isMeant("team", team))
      yield { kind: "permission", site: id, team, was: String(entry & ROLE), becomes: undefined };
  }
  for (const entry of listIn(sites.users, site)) {
    const member = memberId(model, entry >>> PERMISSION);
    if (isMeant("user", member))
      yield { kind: "permission", site: id, member, was: String(entry & ROLE), becomes: undefined };
  }
}

/** The rank that a removed permission gives on a content; `undefined` if there is none. */
function rankOf(
  model: Model,
  removal: Exclude<Removal, { of: "site" }>,
  content: number,
): number | undefined {
  if (removal.of === "default" || removal.of === "closing") return undefined;
  if (removal.of === "user") {
    const member = findMember(model, removal.user);
    return member === undefined ? undefined : valueIn(model.members.permissions, member, content, PERMISSION);
  }
  const team = findTeam(model, removal.team);
  return team === undefined ? undefined : valueIn(model.teams.permissions, team, content, PERMISSION);
}

function withLevel(
  { contents, ...model }: Model,
  x: number,
  content: ContentKey,
  defaultLevel: DefaultLevel,
): RecordChange {
  const was = textOf(contents.texts, x);
  const fields: object = JSON.parse(was);
  const parent = contents.parents[x] ?? -1;
  const becomes = JSON.stringify({
    ...fields,
    ...(parent < 0 ? {} : { parent: idOf(keyOf({ contents, ...model }, parent)) }),
    ...(contents.isSpace[x] === 1 && { createdAt: new Date(contents.created[x] ?? 0).toISOString() }),
    defaultLevel,
  });
  return { kind: kindOf(content), content, was, becomes };
}

export const NONE: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };

function added(one: Effect, other: Effect): Effect {
  const sum = { ...NONE };
  for (const direction of DIRECTIONS) sum[direction] = one[direction] + other[direction];
  return sum;
}

/** The index among {@link DIRECTIONS} of a difference, by `rank before << 3 | rank after`; -1 for none. */
const DIRECTION = Int8Array.from({ length: 64 }, (_, at) => {
  const direction = directionOf(at >> 3, at & ROLE);
  return direction === undefined ? -1 : DIRECTIONS.indexOf(direction);
});

/** How many members are painted until others get a turn. */
const WINDOW = 1 << 16;
/** How many are counted together on all roots: these may be many. */
const PART = 1 << 12;

/** The windows of members in which somebody may have another role. */
function windowsOf(
  { before, members }: WhatIf,
  width = WINDOW,
): { readonly from: number; readonly to: number }[] {
  const { count } = before.members;
  const found: { readonly from: number; readonly to: number }[] = [];
  for (let from = 0; from < count; from += width) {
    const to = Math.min(count, from + width);
    const isIn = (list: Uint32Array) => (list[lowerBound(list, 0, list.length, from)] ?? count) < to;
    if (members === undefined || members.some(isIn)) found.push({ from, to });
  }
  return found;
}

/** Nobody else gets a turn while they are used. */
const sheets = { was: new Uint8Array(WINDOW), is: new Uint8Array(WINDOW) };

/** Compares one content: calls `each` with the members who have another role, ascending. */
function* compareOn(
  whatIf: WhatIf,
  content: number,
  each: (member: number, direction: number) => void,
  windows = windowsOf(whatIf),
): Generator<void> {
  const { before, after } = whatIf;
  const had = accessOn(before, content);
  const has = accessOn(after, content);
  const { was, is } = sheets;
  for (const { from, to } of windows) {
    paint(before, had, from, to, was);
    paint(after, has, from, to, is);
    for (let at = 0; at < to - from; at++) {
      if (was[at] === is[at]) continue;
      const direction = DIRECTION[(((was[at] ?? 0) & ROLE) << 3) | ((is[at] ?? 0) & ROLE)] ?? -1;
      if (direction >= 0) each(from + at, direction);
    }
    yield;
  }
}

/** How many members have another role on a content. */
export function* effectOn(whatIf: WhatIf, content: number): Generator<void, Effect> {
  const counts = DIRECTIONS.map(() => 0);
  yield* compareOn(whatIf, content, (_, direction) => {
    counts[direction] = (counts[direction] ?? 0) + 1;
  });
  return effectFrom(counts);
}

/** Who has another role on a content: for each member 0, or 1 and the index of the direction. */
export function* differingOn(whatIf: WhatIf, content: number): Generator<void, Uint8Array> {
  const found = new Uint8Array(whatIf.before.members.count);
  yield* compareOn(whatIf, content, (member, direction) => (found[member] = 1 + direction));
  return found;
}

/** The effect from the counts by direction. */
export function effectFrom(counts: readonly number[]): Effect {
  const effect = { ...NONE };
  for (const [index, direction] of DIRECTIONS.entries()) effect[direction] = counts[index] ?? 0;
  return effect;
}

/** How many members have another role, by content. */
export function* effectsOnAll({ before, after }: WhatIf): Generator<void, (content: number) => Effect> {
  const { sums } = yield* differences(before, after);
  return (content) =>
    effectFrom(Array.from(sums.subarray(DIRECTIONS.length * content, DIRECTIONS.length * (content + 1))));
}

/** The people so far who have another role somewhere: in the first `done` of all parts of the organization. */
export interface CountedPeople {
  readonly counts: Effect;
  readonly done: number;
  readonly of: number;
}

/**
 * Counts the people who lose access, get a lower or higher role, or gain access on some content. A person counts once per
 * direction. Compares only the contents on which a source is set, because contents that inherit from them affect no
 * further people. Yields what is counted so far, where others may have a turn.
 */
export function* peopleIn(whatIf: WhatIf, from = 0): Generator<CountedPeople | undefined, CountedPeople> {
  const windows = whatIf.roots.length === 0 ? [] : windowsOf(whatIf, PART);
  let counts = NONE;
  let done = from;
  for (const window of windows.slice(from)) {
    const seen = new Uint8Array(window.to - window.from);
    for (const root of whatIf.roots) {
      const see = (member: number, direction: number) => {
        seen[member - window.from] = (seen[member - window.from] ?? 0) | (1 << direction);
      };
      for (const _ of compareOn(whatIf, root, see, [window])) yield undefined;
    }
    const people = DIRECTIONS.map((_, direction) =>
      seen.reduce((sum, bits) => sum + ((bits >> direction) & 1), 0),
    );
    counts = added(counts, effectFrom(people));
    done++;
    yield { counts, done, of: windows.length };
  }
  return { counts, done, of: windows.length };
}

/** The contents that a source affects, by title: those on which it is set, and those that inherit from them. */
export function* affectedBy(model: Model, without: Without): Generator<void, ByTitle> {
  const { count, ends } = model.contents;
  const marks = new Uint8Array(count);
  for (const root of contentsOf(model, without)) {
    // What is marked already was marked together with all that inherits from it.
    if (marks[root] === 1) continue;
    marks[root] = 1;
    for (let x = root + 1; x < (ends[root] ?? 0);) {
      if (inheritsFromAbove(model, x)) marks[x++] = 1;
      else x = ends[x] ?? x + 1;
    }
  }
  const all = yield* contentsByTitle(model);
  return { ...all, order: all.order.filter((x) => marks[x] === 1) };
}

export interface NamedSource {
  readonly without: Without;
  /** The role or default level that the source gives. Absent for a team, whose grants may have several roles. */
  readonly gives?: Role | DefaultLevel;
  /** The source in words, for example “team Docs’s edit on collection Handbook”. */
  readonly phrase: Phrase;
}

/** A source; `undefined` if it does not exist. A default level of `inherit` is not a source. */
export function sourceIn(model: Model, without: Without): NamedSource | undefined {
  const gives = givenBy(model, without);
  if (gives === undefined) return undefined;
  const user = (id: string) => {
    const member = findMember(model, id);
    return member === undefined ? id : personIn(model, member).displayName;
  };
  const phrase = sourcePhrase(without, gives === "" ? undefined : gives, { ...titlesIn(model), user });
  return gives === "" ? { without, phrase } : { without, gives, phrase };
}

/** The role or default level that a source gives; "" for an existing team; `undefined` if the source does not exist. */
function givenBy(model: Model, without: Without): Role | DefaultLevel | "" | undefined {
  if (without.of === "team") return findTeam(model, without.team) === undefined ? undefined : "";
  if (without.of === "site") {
    const [first] = siteRecordsOf(model, without);
    if (first?.was === undefined) return undefined;
    if (without.what === "everything") return "";
    if (without.what === "default") return levelIn(first.was);
    return first.was === "0" ? null : roleOf(Number(first.was));
  }
  const content = findContent(model, without.content);
  if (content === undefined) return undefined;
  if (without.of === "default") {
    const level = levelOf(model, content);
    return level === "inherit" ? undefined : level;
  }
  const rank = rankOf(model, without, content);
  return rank === undefined ? undefined : roleOf(rank);
}
