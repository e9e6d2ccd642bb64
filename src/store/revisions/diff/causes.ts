/**
 * Finds the changed records that caused differences in effective roles on one content: for one user ({@link causesOf}),
 * and for members of a chunk for whom the same rule decides at each revision ({@link causesFor}).
 */
import type { ContentKey } from "../../../domain/content.ts";
import { decide, type Decision, type Ladder, type Rule, type MemberRights } from "../../../domain/ladder.ts";
import { rank } from "../../../domain/role.ts";
import { addAll, isNone, keepOnly, removeAll, type Words } from "../../../sets/words.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import { accessFieldsOf } from "../../../domain/record-change.ts";
import { type AccessChanges, type ChangedRecord, compareCauses } from "./log.ts";

/** How the ladder of a content decides at one of the two revisions; the decision is `undefined` for no access. */
export interface Decided {
  readonly ladder: Ladder;
  readonly decision: Decision | undefined;
}

/** What may have caused the differences on a content. */
export interface Suspects {
  /** That the content itself was added, changed or removed. */
  readonly thing: ChangedRecord | undefined;
  /** That the user joined, left, or got another organization role; only for one user. */
  readonly person?: ChangedRecord | undefined;
  /** The records that changed what a content gives by its own permissions and default level. */
  at(content: ContentKey): Iterable<ChangedRecord>;
  /** The members of a team at each of the two revisions. */
  membersOf(team: string): { readonly earlier: Words | undefined; readonly later: Words | undefined };
}

/** The members whose difference each record causes. */
export type Causes = ReadonlyMap<ChangedRecord, Words>;

/** The rule that decides, and where. */
interface Place {
  /** The index of the content on the ladder: -1 for the rule `admin`, and the ladder's length for `organization`. */
  readonly level: number;
  readonly content: ContentKey | undefined;
  readonly rule: Rule;
  /** The rank of the role if the rule is `team`, else 0. */
  readonly rank: number;
}

/**
 * The causes of the differences of some members, for whom the same rule decides at each revision:
 *
 * - the changed records of what decides at the later revision;
 * - the changed records of what decided at the earlier revision, if that comes first on the ladder or gave a higher role
 *   there;
 * - the content that was moved, if both decide above it, on different contents;
 * - that the content was added, unless one of these records was added as late;
 * - if the user left or the content was removed, only that: the earlier of the two.
 */
export function causesFor(
  suspects: Suspects,
  earlier: Decided | undefined,
  later: Decided | undefined,
  slots: Words,
): Causes {
  const found = new Map<ChangedRecord, Words>();
  const { person, thing } = suspects;
  if (later === undefined) {
    for (const gone of firstGone([person, thing])) found.set(gone, slots);
    return found;
  }
  const is = placeOf(later);
  addRecords(found, suspects, is, "becomes", later.ladder, slots);
  if (earlier === undefined) {
    if (thing !== undefined && thing.was === undefined) addContent(found, thing, slots);
    return found;
  }
  const was = placeOf(earlier);
  const fork = forkOf(earlier.ladder, later.ladder);
  const isSame = was.content === is.content;
  if (was.level >= fork && is.level >= fork && !isSame) {
    const moved = later.ladder[fork - 1]?.content;
    for (const record of moved === undefined ? [] : suspects.at(moved)) {
      if (record.kind !== "permission" && record.member === undefined) add(found, record, slots);
    }
  } else if (isSame ? isAhead(was, is) : was.level < is.level) {
    addRecords(found, suspects, was, "was", earlier.ladder, slots);
  }
  return found;
}

function placeOf({ ladder, decision }: Decided): Place {
  const last = ladder.length - 1;
  if (decision === undefined) {
    // Nothing gives a role: the last content is closed, or the member is a guest.
    const isOpen = ladder[last]?.defaultLevel === "inherit";
    return isOpen
      ? { level: ladder.length, content: undefined, rule: "organization", rank: 0 }
      : { level: last, content: ladder[last]?.content, rule: "default", rank: 0 };
  }
  const { rule, role, level } = decision;
  if (level === undefined) {
    return { level: rule === "admin" ? -1 : ladder.length, content: undefined, rule, rank: 0 };
  }
  const { content } = level;
  const index = ladder.findIndex((each) => each.content === content);
  return { level: index, content, rule, rank: rule === "team" ? rank(role) : 0 };
}

/** Adds the changed records of what decides at one of the two revisions. */
function addRecords(
  found: Map<ChangedRecord, Words>,
  suspects: Suspects,
  { level, content, rule, rank: held }: Place,
  then: "was" | "becomes",
  ladder: Ladder,
  slots: Words,
): void {
  const { person } = suspects;
  if (content === undefined) {
    if (person !== undefined) add(found, person, slots);
    return;
  }
  let another: ChangedRecord | undefined;
  for (const record of suspects.at(content)) {
    const { kind, member, team } = record;
    if (record[then] === undefined) continue;
    if (member !== undefined) {
      const role = ladder[level]?.teams.get(team ?? "");
      const isBehind = kind === "permission" ? rule === "direct" : role !== undefined && rank(role) === held;
      if (isBehind) add(found, record, slots);
    } else if (team === undefined) {
      if (rule !== "default" || !saysOtherLevel(record)) continue;
      another = record;
      add(found, record, slots);
    } else if (rule === "team" && Number(record[then]) === held) {
      const { earlier, later } = suspects.membersOf(team);
      const whom = then === "was" ? common(slots, earlier) : slots;
      // The permission of a team says nothing about a user who left the team, unless it is gone, too.
      add(found, record, record.becomes === undefined ? whom : common(whom, later));
    }
  }
  // Whoever joined, or became or ceased to be a guest, after the default level changed has the role because of that.
  if (rule !== "default" || person === undefined || !isOtherMember(person)) return;
  if (another === undefined || another.revision <= person.revision) add(found, person, slots);
}

/** Adds that the content was added, for the slots that no other cause explains. */
function addContent(found: Map<ChangedRecord, Words>, thing: ChangedRecord, slots: Words): void {
  const whom = slots.slice();
  for (const [{ was, revision }, some] of found) {
    // A record that was added explains a role alone if the content was there before or at once.
    if (was === undefined && revision >= thing.first) removeAll(whom, some);
  }
  add(found, thing, whom);
}

const NOBODY: Words = new Uint32Array();

/** The slots in both sets. */
function common(slots: Words, others: Words | undefined): Words {
  if (others === undefined) return NOBODY;
  return others === slots ? slots : keepOnly(slots.slice(), others);
}

function add(found: Map<ChangedRecord, Words>, record: ChangedRecord, slots: Words): void {
  if (isNone(slots)) return;
  const known = found.get(record);
  found.set(record, known === undefined ? slots : addAll(slots.slice(), known));
}

function firstGone(records: readonly (ChangedRecord | undefined)[]): ChangedRecord[] {
  const gone = records
    .filter((record) => record !== undefined)
    .filter(({ becomes }) => becomes === undefined);
  const first = Math.min(...gone.map(({ revision }) => revision));
  return gone.filter(({ revision }) => revision === first);
}

/** A default level gives nothing to guests. */
function isOtherMember({ was, becomes }: ChangedRecord): boolean {
  const isGuest = (role: string) => decodeMemberRole(Number(role)) === null;
  return was === undefined || becomes === undefined || isGuest(was) !== isGuest(becomes);
}

function saysOtherLevel({ was, becomes }: ChangedRecord): boolean {
  if (was === undefined || becomes === undefined) return true;
  return accessFieldsOf(was).defaultLevel !== accessFieldsOf(becomes).defaultLevel;
}

/** The order of the rules, of which all but the first and the last apply at each content. */
const RULES: readonly Rule[] = ["admin", "direct", "team", "default", "organization"];

/** Whether a rule comes before another one on the same content, or is the same and gave as high a role. */
function isAhead(was: Place, now: Place): boolean {
  return (RULES.indexOf(was.rule) - RULES.indexOf(now.rule) || now.rank - was.rank) <= 0;
}

/** The number of contents with which both ladders begin, if they part because a content was moved; else infinity. */
function forkOf(from: Ladder, to: Ladder): number {
  const parting = from.findIndex(({ content }, index) => content !== to[index]?.content);
  const shared = parting === -1 ? from.length : parting;
  return shared === from.length && shared === to.length ? Number.POSITIVE_INFINITY : shared;
}

/** How the ladder of one content decides for one user, at one of the two revisions. */
export interface Climbed extends Decided {
  readonly member: MemberRights;
}

/** Decides for a user on a ladder; `undefined` if the user is not a member or the content does not exist. */
export function climb(ladder: Ladder | undefined, member: MemberRights | undefined): Climbed | undefined {
  return ladder && member && { ladder, member, decision: decide(ladder, member) };
}

/** One user, as a set. */
const ONE: Words = Uint32Array.of(1);

/** The causes of the difference of one user on a content, in the order of {@link compareCauses}. */
export function causesOf(
  changes: AccessChanges,
  { user, content }: { readonly user: string; readonly content: ContentKey },
  earlier: Climbed | undefined,
  later: Climbed | undefined,
): ChangedRecord[] {
  const own = changes.own.get(user) ?? [];
  const isIn = (climbed: Climbed | undefined, team: string) => climbed?.member.teams.includes(team) === true;
  const suspects: Suspects = {
    thing: changes.contents.get(content),
    person: changes.people.get(user),
    *at(on) {
      for (const record of own) if (record.kind === "teamMember" || record.content === on) yield record;
      yield* changes.on(on);
    },
    membersOf: (team) => ({
      earlier: isIn(earlier, team) ? ONE : undefined,
      later: isIn(later, team) ? ONE : undefined,
    }),
  };
  return [...causesFor(suspects, earlier, later, ONE).keys()].sort(compareCauses);
}

/** The maximum number of causes per content. */
export const MOST_CAUSES = 100;

/** The first {@link MOST_CAUSES} of all causes on a content, in the order of causes. */
export class FirstCauses {
  readonly #records: ChangedRecord[] = [];

  get size(): number {
    return this.#records.length;
  }

  get all(): readonly ChangedRecord[] {
    return this.#records;
  }

  has(record: ChangedRecord): boolean {
    return this.#records[this.#placeOf(record)] === record;
  }

  /** Whether {@link MOST_CAUSES} are known that come before a record. */
  isAfterAll(record: ChangedRecord): boolean {
    const last = this.#records[MOST_CAUSES - 1];
    return last !== undefined && compareCauses(last, record) < 0;
  }

  add(record: ChangedRecord): void {
    if (this.isAfterAll(record)) return;
    const place = this.#placeOf(record);
    if (this.#records[place] === record) return;
    this.#records.splice(place, 0, record);
    this.#records.length = Math.min(this.#records.length, MOST_CAUSES);
  }

  /** The number of known causes that come before a record. */
  #placeOf(record: ChangedRecord): number {
    let [from, to] = [0, this.#records.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.#records[middle];
      if (other !== undefined && compareCauses(other, record) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** How many users differ on a content by direction, and the first causes. */
export interface DifferenceCounts {
  readonly counts: number[];
  readonly causes: FirstCauses;
}

/** Adds the differences of other users to `found`. */
export function addDifferences(
  found: Map<ContentKey, DifferenceCounts>,
  others: Iterable<readonly [ContentKey, DifferenceCounts]>,
): void {
  for (const [key, { counts, causes }] of others) {
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, { counts, causes });
      continue;
    }
    for (const [index, count] of counts.entries()) known.counts[index] = (known.counts[index] ?? 0) + count;
    for (const cause of causes.all) known.causes.add(cause);
  }
}
