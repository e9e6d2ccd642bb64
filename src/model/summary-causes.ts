/**
 * The causes of what a walk finds, content by content. Very many people differ on very many contents, so a cause is looked
 * for once for all who cannot be told apart: those whom the same changed contents and the same teams concern.
 */
import type { ChangedRecord } from "../domain/changed-record.ts";
import { DIRECTIONS } from "../domain/difference.ts";
import {
  type Climbs,
  commonKey,
  type Comparison,
  findCommon,
  idOfBoth,
  inTime,
  personOf,
} from "./comparison.ts";
import { AFTER, AFTER_ONLY, BEFORE_ONLY, STATES, TWO_ROLES } from "./candidates.ts";
import { type Kinds, type Visit, type Visitor, type Walk } from "./differences.ts";
import { listIn, PERMISSION } from "./lists.ts";
import { findTeam } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { ROLE } from "./code.ts";
import { accessOn } from "./paint.ts";
import { holderOf, saidAlone, saysIn, sitesAround } from "./sites.ts";

/** The maximum number of causes per content. */
export const MOST_CAUSES = 100;

/** The changed records by their places in the order of causes, and by content. */
export class Records {
  readonly all: readonly ChangedRecord[];
  /**
   * The changes of a content itself, of teams' permissions there, and of sites that say something there, by the content's
   * common number.
   */
  readonly on = new Map<number, readonly ChangedRecord[]>();
  readonly #places: ReadonlyMap<ChangedRecord, number>;

  constructor(comparison: Comparison) {
    const { changes } = comparison;
    this.all = changes.inOrder;
    this.#places = new Map(this.all.map((record, place) => [record, place]));
    for (const key of changes.changedContents) {
      const content = findCommon(comparison, key);
      if (content !== undefined) this.on.set(content, [...changes.on(key)]);
    }
    if (changes.links.size + changes.sites.size > 0) this.#addSites(comparison);
  }

  #addSites(comparison: Comparison): void {
    const { before, after, aligned, changes } = comparison;
    const around = new Map<number, Set<string>>();
    for (const [model, common] of [
      [before, aligned.contents.ofWas],
      [after, aligned.contents.ofNow],
    ] as const) {
      for (const [site, id] of model.sites.ids.entries()) {
        for (const space of saysIn(model, site) ? listIn(model.sites.spaces, site) : []) {
          const content = common[space] ?? 0;
          const known = around.get(content) ?? new Set();
          around.set(content, known.add(id));
        }
      }
    }
    for (const [content, sites] of around) {
      const key = commonKey(comparison, content);
      const found = [...sites].flatMap((site) => [...changes.ofSite(key, site)]);
      if (found.length > 0) this.on.set(content, [...(this.on.get(content) ?? []), ...found]);
    }
  }

  placeOf(record: ChangedRecord): number {
    return this.#places.get(record) ?? -1;
  }
}

/** How many people differ on each content, and the first causes, as the places of records. */
export class Totals {
  readonly counts: Uint32Array;
  readonly causes = new Map<number, number[]>();
  readonly #kinds: number;

  constructor(contents: number, kinds: number) {
    this.counts = new Uint32Array(kinds * contents);
    this.#kinds = kinds;
  }

  count(content: number, kind: number, people = 1): void {
    const at = this.#kinds * content + kind;
    this.counts[at] = (this.counts[at] ?? 0) + people;
  }

  of(content: number): number[] {
    return Array.from(this.counts.subarray(this.#kinds * content, this.#kinds * (content + 1)));
  }

  addCauses(content: number, places: readonly number[]): void {
    let known = this.causes.get(content);
    if (known === undefined) this.causes.set(content, (known = []));
    for (const place of places) addFirst(known, place);
  }
}

/** Adds a number to the first {@link MOST_CAUSES} of many, ascending. */
function addFirst(known: number[], place: number): void {
  let [from, to] = [0, known.length];
  if (from === to || (known[to - 1] ?? 0) < place) {
    if (to < MOST_CAUSES) known.push(place);
    return;
  }
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((known[middle] ?? 0) < place) from = middle + 1;
    else to = middle;
  }
  if (known[from] === place) return;
  known.splice(from, 0, place);
  if (known.length > MOST_CAUSES) known.pop();
}

export interface Finding {
  readonly comparison: Comparison;
  readonly records: Records;
  readonly totals: Totals;
  readonly climbs: Climbs;
  readonly kinds: Kinds;
}

/** How many codes there are. */
const CODES = 256;

/** Some causes, as the places of records, and whether one of them passes the filter. */
interface Causes {
  readonly places: readonly number[];
  readonly isWanted: boolean;
}

function causesIn({ comparison, records, climbs }: Finding, content: number, person: number): Causes {
  const found = climbs.causes(content, personOf(comparison, person));
  const { causedBy } = comparison.filter;
  return {
    places: found.map((record) => records.placeOf(record)),
    isWanted: causedBy === undefined || found.some(causedBy),
  };
}

/** The contents around the visited one that were visited, too. */
interface Level {
  readonly end: number;
}

function leave<T extends Level>(stack: T[], content: number, left?: (level: T) => void): void {
  for (let top = stack.at(-1); top !== undefined && content >= top.end; top = stack.at(-1)) {
    stack.pop();
    left?.(top);
  }
}

/** What caused the differences on a changed content, and on what inherits from there. */
interface Source {
  /** The causes of each label. */
  readonly causes: readonly Causes[];
  /** The label of each person of the window; `undefined` if all have the first. */
  readonly labels: Uint32Array | undefined;
}

interface Shared extends Level {
  readonly source: Source | undefined;
  readonly isOwner: boolean;
  readonly differ: number;
  /** How many people differ, by label and kind; counted when it is asked for. */
  counts: Uint32Array | undefined;
}

/**
 * Counts people without changed records of their own. They differ because of a content that changed, or on which a
 * team's permission did, as on all contents that inherit from there without deciding for them.
 */
export class SharedCauses implements Visitor {
  readonly #finding: Finding;
  #walk: Walk | undefined;
  #stack: Shared[] = [];
  /** Memory for labels that nobody uses any more. */
  #free: Uint32Array[] = [];
  #groups = new Uint32Array(0);
  #marks = new Uint32Array(0);

  constructor(finding: Finding) {
    this.#finding = finding;
  }

  open(walk: Walk): void {
    const length = walk.to - walk.from;
    this.#walk = walk;
    this.#stack = [];
    this.#free = [];
    this.#groups = new Uint32Array(length);
    this.#marks = new Uint32Array(length);
  }

  visit(visit: Visit): number {
    const { content, end, isWanted, isFresh, differ } = visit;
    const stack = this.#stack;
    leave(stack, content, ({ source: left, isOwner: owned }) => {
      if (owned && left?.labels !== undefined) this.#free.push(left.labels);
    });
    const isOwner = differ > 0 && this.#finding.records.on.has(content);
    const above = isFresh ? undefined : stack.at(-1);
    const source = isOwner ? this.#sourceOf(visit) : differ === 0 ? undefined : above?.source;
    // Nobody else begins to differ on a content that did not change: as many people are the same people.
    const isAsAbove = !isOwner && above?.differ === differ;
    const level: Shared = { end, source, isOwner, differ, counts: isAsAbove ? above.counts : undefined };
    stack.push(level);
    const work = isOwner && source?.labels !== undefined ? STEPS_OF_GROUPS * visit.sheet.length : 1;
    return isWanted && source !== undefined ? work + this.#count(visit, source, level) : work;
  }

  /** Returns the steps that it took. */
  #count({ content, sheet, counts, differ }: Visit, { causes, labels }: Source, level: Shared): number {
    const { totals, kinds, comparison } = this.#finding;
    const [first] = causes;
    if (labels === undefined) {
      if (first?.isWanted !== true) return 1;
      this.#countAll(content, counts);
      totals.addCauses(content, first.places);
      return 1;
    }
    let steps = 1;
    const isOfAll = comparison.filter.causedBy === undefined;
    if (isOfAll) this.#countAll(content, counts);
    if (level.counts === undefined) {
      level.counts = new Uint32Array(KINDS * causes.length);
      steps = labelled(level.counts, sheet, kinds, labels, differ, isOfAll ? causes.length : undefined);
    }
    for (const [label, { places, isWanted }] of causes.entries()) {
      if (!isWanted) continue;
      let isThere = false;
      for (let kind = 0; kind < KINDS; kind++) {
        const people = level.counts[KINDS * label + kind] ?? 0;
        if (people === 0) continue;
        isThere = true;
        if (!isOfAll) totals.count(content, kind, people);
      }
      if (isThere) totals.addCauses(content, places);
    }
    return steps;
  }

  #countAll(content: number, counts: Int32Array): void {
    const { totals, kinds } = this.#finding;
    for (let code = 0; code < counts.length; code++) {
      const [people, kind] = [counts[code] ?? 0, kinds[code] ?? -1];
      if (kind >= 0 && people > 0) totals.count(content, kind, people);
    }
  }

  /** Who differs on a changed content for the same reasons. */
  #sourceOf(visit: Visit): Source {
    const { comparison, records, kinds } = this.#finding;
    const { content, sheet } = visit;
    const suspects = this.#suspectsOn(content);
    const [only, ...others] = suspects;
    const { causedBy } = comparison.filter;
    if (only !== undefined && others.length === 0) {
      const isWanted = causedBy === undefined || causedBy(only);
      return { labels: undefined, causes: [{ places: [records.placeOf(only)], isWanted }] };
    }
    const count = this.#group(content, sheet, suspects);
    const groups = this.#groups;
    const labels = this.#free.pop() ?? new Uint32Array(sheet.length);
    const causes: Causes[] = [];
    const known = new Int32Array(count).fill(-1);
    for (let place = 0; place < sheet.length; place++) {
      if ((kinds[sheet[place] ?? 0] ?? -1) < 0) continue;
      const group = groups[place] ?? 0;
      let label = known[group] ?? -1;
      if (label < 0) {
        label = causes.push(causesIn(this.#finding, content, this.#personAt(place))) - 1;
        known[group] = label;
      }
      labels[place] = label;
    }
    return { labels, causes };
  }

  #personAt(place: number): number {
    const walk = this.#walk;
    return walk?.candidates[walk.from + place] ?? 0;
  }

  /** The changes of the contents on the ladder of the later state, or of the content itself if it is gone there. */
  #suspectsOn(content: number): ChangedRecord[] {
    const { comparison, records } = this.#finding;
    const { before, after, aligned } = comparison;
    const { was, now, ofWas, ofNow } = aligned.contents;
    const sides = [
      { model: before, own: was[content] ?? ABSENT, common: ofWas },
      { model: after, own: now[content] ?? ABSENT, common: ofNow },
    ] as const;
    const [, { model, own, common }] = inTime(comparison, ...sides);
    if (own === ABSENT) return [...(records.on.get(content) ?? [])];
    return accessOn(model, own).levels.flatMap((level) => records.on.get(common[level] ?? 0) ?? []);
  }

  /**
   * Divides the people of the window into groups, and returns how many there are. In one group are people for whom the
   * same content decides in each state, in the same way, and who are members of the same teams whose permissions changed.
   */
  #group(content: number, sheet: Uint8Array, suspects: readonly ChangedRecord[]): number {
    const { before, after, aligned } = this.#finding.comparison;
    const { was, now, ofWas, ofNow } = aligned.contents;
    const sides = [
      { model: before, own: was[content] ?? ABSENT, common: ofWas, states: BEFORE_ONLY },
      { model: after, own: now[content] ?? ABSENT, common: ofNow, states: AFTER_ONLY },
    ].map(({ model, own, common, states }) => ({
      states,
      ladder: own === ABSENT ? [] : accessOn(model, own).levels.map((level) => common[level] ?? 0),
    }));
    const marks = new Map<number, number>();
    for (const level of sides.flatMap(({ ladder }) => ladder))
      if (!marks.has(level)) marks.set(level, 2 * marks.size + 1);
    this.#groups.fill(0);
    let count = 1;
    const walk = this.#walk;
    for (const { saying } of walk?.saidOn(content) ?? [])
      count = divide(this.#groups, count, saying.codes, CODES);
    for (const codes of this.#saidBySites(content, suspects))
      count = divide(this.#groups, count, codes, CODES);
    for (const { ladder, states } of sides) {
      this.#marks.fill(0);
      for (const level of ladder.toReversed()) this.#decide(level, states, marks.get(level) ?? 0);
      count = divide(this.#groups, count, this.#marks, 2 * marks.size + 1);
    }
    count = divide(this.#groups, count, sheet, CODES);
    for (const team of new Set(suspects.flatMap(({ team: id }) => id ?? []))) {
      this.#marks.fill(0);
      this.#markTeam(team);
      count = divide(this.#groups, count, this.#marks, 2);
    }
    return count;
  }

  /** What each of the sites around a content says to the people of the window, in each state, if a site is suspected. */
  *#saidBySites(content: number, suspects: readonly ChangedRecord[]): Generator<Uint32Array> {
    const { before, after, aligned } = this.#finding.comparison;
    const { contents, people } = aligned;
    if (suspects.every(({ site }) => site === undefined)) return;
    for (const [model, own, numbers] of [
      [before, contents.was[content] ?? ABSENT, people.was],
      [after, contents.now[content] ?? ABSENT, people.now],
    ] as const) {
      for (const site of sitesAround(model, own)) {
        yield this.#groups.map((_, place) => {
          const member = numbers[this.#personAt(place)] ?? ABSENT;
          return member === ABSENT ? 0 : saidAlone(model, holderOf(model, member), site);
        });
      }
    }
  }

  /** Marks those to whom a content gives something in a state; with the next mark, if it does so directly. */
  #decide(content: number, states: number, mark: number): void {
    const [walk, marks] = [this.#walk, this.#marks];
    if (walk === undefined) return;
    for (const entry of walk.givenOn(content)) {
      if ((entry & states) === 0) continue;
      for (const place of walk.membersOf(entry >>> (PERMISSION + STATES))) marks[place - walk.from] = mark;
    }
    for (const entry of walk.usersOn(content)) {
      const role = states === BEFORE_ONLY ? entry & ROLE : (entry >> AFTER) & ROLE;
      if (role !== 0) marks[(entry >>> TWO_ROLES) - walk.from] = mark + 1;
    }
  }

  #markTeam(id: string): void {
    const { before, after, aligned } = this.#finding.comparison;
    const [was, now] = [findTeam(before, id), findTeam(after, id)];
    const team = now === undefined ? aligned.teams.ofWas[was ?? 0] : aligned.teams.ofNow[now];
    const walk = this.#walk;
    if (walk === undefined || team === undefined) return;
    for (const place of walk.membersOf(team)) this.#marks[place - walk.from] = 1;
  }
}

const KINDS = DIRECTIONS.length;
/** How many steps finding the groups of a window takes, for each person. */
const STEPS_OF_GROUPS = 8;

/** Divides each of `count` groups by marks below `most`, and returns how many groups there are then. */
function divide(groups: Uint32Array, count: number, marks: Uint32Array | Uint8Array, most: number): number {
  const next = new Int32Array(count * most).fill(-1);
  let divided = 0;
  for (let place = 0; place < groups.length; place++) {
    const at = (groups[place] ?? 0) * most + (marks[place] ?? 0);
    let group = next[at] ?? -1;
    if (group < 0) next[at] = group = divided++;
    groups[place] = group;
  }
  return divided;
}

/**
 * Counts who differ by label and kind, until all of `labels` are found if a number of them is given. Returns the number
 * of steps.
 */
function labelled(
  counts: Uint32Array,
  sheet: Uint8Array,
  kinds: Kinds,
  labels: Uint32Array,
  differ: number,
  most: number | undefined,
): number {
  let unseen = most ?? 0;
  let left = differ;
  let place = 0;
  for (; left > 0; place++) {
    const kind = kinds[sheet[place] ?? 0] ?? -1;
    if (kind < 0) continue;
    left--;
    const at = KINDS * (labels[place] ?? 0) + kind;
    const known = counts[at] ?? 0;
    counts[at] = known + 1;
    if (known > 0 || most === undefined) continue;
    const first = at - kind;
    const others =
      (counts[first] ?? 0) + (counts[first + 1] ?? 0) + (counts[first + 2] ?? 0) + (counts[first + 3] ?? 0);
    if (others === 1 && --unseen === 0) break;
  }
  return place;
}

/** A content that was visited, and what it replaced. */
interface Passed extends Level {
  readonly content: number;
  /** The content whose causes count for whom nothing below gives something. */
  readonly beginning: number;
  /** Whether a content on its ladders changed, or a team's permission there. */
  readonly isConcerned: boolean;
  readonly stamped: readonly (readonly [place: number, stamp: number])[];
}

/** How many steps finding the causes of a person on a content takes. */
const STEPS_OF_CAUSES = 5_000;
/** How many causes of a person on a content are kept. */
const MOST_KEPT = 1_000_000;

/** Counts people with changed records of their own, and newcomers, person by person. */
export class OwnCauses implements Visitor {
  readonly #finding: Finding;
  #walk: Walk | undefined;
  #stack: Passed[] = [];
  /** The last content that gives a person of the window something itself, on the way to the visited one, plus 1. */
  #stamps = new Uint32Array(0);
  /** The only record that can be a cause for a person where contents and teams' permissions are as before. */
  #only: (Causes | undefined)[] = [];
  readonly #kept = new Map<number, Causes>();
  #sought = 0;

  constructor(finding: Finding) {
    this.#finding = finding;
  }

  open(walk: Walk): void {
    this.#walk = walk;
    this.#stack = [];
    this.#stamps = new Uint32Array(walk.to - walk.from);
    this.#kept.clear();
    const { comparison, records } = this.#finding;
    const { changes, filter } = comparison;
    this.#only = Array.from(walk.candidates.subarray(walk.from, walk.to), (person) => {
      const both = personOf(comparison, person);
      const id = idOfBoth(comparison, both);
      const [only, ...others] = changes.own.get(id) ?? [];
      if (only === undefined || others.length > 0 || changes.people.has(id)) return undefined;
      return { places: [records.placeOf(only)], isWanted: filter.causedBy?.(only) ?? true };
    });
  }

  visit({ content, end, isWanted, isFresh, differ, sheet }: Visit): number {
    const stack = this.#stack;
    leave(stack, content, ({ stamped }) => {
      for (const [place, stamp] of stamped.toReversed()) this.#stamps[place] = stamp;
    });
    const walk = this.#walk;
    if (walk === undefined) return 0;
    const isThing = this.#finding.records.on.get(content)?.some(({ kind }) => kind !== "permission") === true;
    const above = isFresh || isThing ? undefined : stack.at(-1);
    const beginning = above?.beginning ?? content;
    const isConcerned = (above?.isConcerned ?? this.#isConcernedAbove(content)) || this.#isChanged(content);
    const stamped: [number, number][] = [];
    if (differ > 0) {
      walk.eachGiven(content, (at) => {
        const place = at - walk.from;
        stamped.push([place, this.#stamps[place] ?? 0]);
        this.#stamps[place] = content + 1;
      });
    }
    stack.push({ content, end, beginning, isConcerned, stamped });
    let steps = 4 * stamped.length;
    if (!isWanted) return steps;
    const { kinds, totals } = this.#finding;
    for (let left = differ, place = 0; left > 0; place++) {
      steps++;
      const kind = kinds[sheet[place] ?? 0] ?? -1;
      if (kind < 0) continue;
      left--;
      steps += 4;
      const own = isConcerned ? undefined : this.#only[place];
      const { places, isWanted: isCounted } = own ?? this.#causesAt(place, beginning);
      if (!isCounted) continue;
      totals.count(content, kind);
      totals.addCauses(content, places);
    }
    steps += STEPS_OF_CAUSES * this.#sought;
    this.#sought = 0;
    return steps;
  }

  #causesAt(place: number, beginning: number): Causes {
    const walk = this.#walk;
    const stamp = (this.#stamps[place] ?? 0) - 1;
    const content = Math.max(stamp, beginning);
    const key = place * this.#finding.comparison.aligned.contents.count + content;
    let found = this.#kept.get(key);
    if (found === undefined) {
      this.#sought++;
      found = causesIn(this.#finding, content, walk?.candidates[walk.from + place] ?? 0);
      if (this.#kept.size === MOST_KEPT) this.#kept.clear();
      this.#kept.set(key, found);
    }
    return found;
  }

  #isChanged(content: number): boolean {
    return this.#finding.records.on.has(content);
  }

  /** Whether a content above one that takes nothing from the common parent changed, on one of its ladders. */
  #isConcernedAbove(content: number): boolean {
    const { before, after, aligned } = this.#finding.comparison;
    const { was, now, ofWas, ofNow } = aligned.contents;
    const [p, q] = [was[content] ?? ABSENT, now[content] ?? ABSENT];
    return (
      (p !== ABSENT && accessOn(before, p).levels.some((x) => this.#isChanged(ofWas[x] ?? 0))) ||
      (q !== ABSENT && accessOn(after, q).levels.some((x) => this.#isChanged(ofNow[x] ?? 0)))
    );
  }
}
