/**
 * Finds the changed records that caused differences in effective roles on one content: for the members of a chunk
 * ({@link causesIn}), and for one user ({@link causesOf}), who is the only slot of a set.
 */
import type { ContentKey } from "../../../domain/content.ts";
import {
  decide,
  type Decision,
  type Ladder,
  type Rule,
  type Step,
  type MemberRights,
} from "../../../domain/ladder.ts";
import { rank } from "../../../domain/role.ts";
import {
  addAll,
  addSlot,
  hasSlot,
  isNone,
  keepOnly,
  noSlots,
  removeAll,
  removeSlot,
  type Words,
} from "../../../sets/words.ts";
import type { QueryLadder } from "../../folds.ts";
import type { ChunkSlots } from "../../memory/sets.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import { accessFieldsOf } from "../../schema/record-change.ts";
import { type AccessChanges, type ChangedRecord, compareCauses } from "./log.ts";
import type { Candidate, RootFold } from "./plan.ts";

/** A changed record, and the members whose difference it causes. */
export interface Cause {
  readonly record: ChangedRecord;
  /** One slot, or a set of slots. */
  readonly whom: number | Words;
}

/** How the ladder of a content decides for some members, at one of the two revisions. */
interface Then {
  readonly ladder: Ladder;
  readonly decided: readonly Decided[];
}

/** The members whose roles are decided by the same rule on the same content. */
interface Decided {
  /** The index of the content on the ladder: -1 for the rule `admin`, and the ladder's length for `organization`. */
  readonly level: number;
  readonly content: ContentKey | undefined;
  readonly rule: Rule;
  /** The rank of the role if the rule is `team`, else 0. */
  readonly rank: number;
  readonly slots: Words;
}

/** A changed record that may be a cause. */
interface Suspect {
  readonly record: ChangedRecord;
  /** Only for the record of one user: the user's slot. */
  readonly user?: number;
  /** Only for a team grant: the team's members at both revisions. */
  readonly team?: { readonly earlier: Words | undefined; readonly later: Words | undefined };
}

/** What may have caused the differences on a content. */
interface Suspects {
  /** That the content itself was added, changed or removed. */
  readonly thing: ChangedRecord | undefined;
  /** That the user joined, left, or got another organization role; only for one user. */
  readonly person?: ChangedRecord | undefined;
  /** The records that changed what a content gives by its own permissions and default level. */
  at(content: ContentKey): Iterable<Suspect>;
}

/**
 * The causes of differences:
 *
 * - the changed records of what decides at the later revision;
 * - the changed records of what decided at the earlier revision, if that comes first on the ladder or gave a higher role
 *   there;
 * - the content that was moved, if both decide above it, on different contents;
 * - that the content was added, unless one of these records was added as late;
 * - if the user left or the content was removed, only that: the earlier of the two.
 */
class Causes {
  readonly #suspects: Suspects;
  readonly #found = new Map<ChangedRecord, number | Words>();

  constructor(suspects: Suspects, earlier: Then | undefined, later: Then | undefined, differing: Words) {
    this.#suspects = suspects;
    const { person, thing } = suspects;
    if (later === undefined) for (const gone of firstGone([person, thing])) this.#add(gone, differing);
    else this.#compare(earlier, later);
    if (later !== undefined && earlier === undefined && thing?.was === undefined) {
      this.#addContent(thing, differing);
    }
  }

  /** In the order of {@link compareCauses}. */
  get sorted(): Cause[] {
    const found = [...this.#found].map(([record, whom]) => ({ record, whom }));
    return found.sort((a, b) => compareCauses(a.record, b.record));
  }

  #compare(earlier: Then | undefined, later: Then): void {
    for (const decided of later.decided) this.#addRecords(decided, "becomes", later.ladder);
    if (earlier === undefined) return;
    const fork = forkOf(earlier.ladder, later.ladder);
    for (const was of earlier.decided) {
      const indexes = indexesOf(was.slots);
      for (const is of later.decided) {
        if (!indexes.some((index) => ((was.slots[index] ?? 0) & (is.slots[index] ?? 0)) !== 0)) continue;
        const slots = keepOnly(was.slots.slice(), is.slots);
        const isSamePlace = was.content === is.content;
        if (was.level >= fork && is.level >= fork && !isSamePlace)
          this.#addMoved(later.ladder[fork - 1]?.content, slots);
        else if (isSamePlace ? isAhead(was, is) : was.level < is.level) {
          this.#addRecords({ ...was, slots }, "was", earlier.ladder);
        }
      }
    }
  }

  /** Adds the changed records of what decides at one of the two revisions. */
  #addRecords(
    { level, content, rule, rank: held, slots }: Decided,
    then: "was" | "becomes",
    levels: Ladder,
  ): void {
    const { person } = this.#suspects;
    if (content === undefined) return this.#add(person, slots);
    let another: ChangedRecord | undefined;
    for (const { record, team, user } of this.#suspects.at(content)) {
      if (record[then] === undefined) continue;
      if (user !== undefined) {
        const role = levels[level]?.teams.get(record.team ?? "");
        const isBehind =
          record.kind === "permission" ? rule === "direct" : role !== undefined && rank(role) === held;
        if (isBehind && hasSlot(slots, user)) this.#found.set(record, user);
      } else if (team === undefined) {
        if (rule !== "default" || !saysOtherLevel(record)) continue;
        another = record;
        this.#add(record, slots);
      } else if (rule === "team" && Number(record[then]) === held) {
        const whom = slots.slice();
        if (then === "was") keepOnly(whom, team.earlier);
        // The permission of a team says nothing about a user who left the team, unless it is gone, too.
        if (record.becomes !== undefined) keepOnly(whom, team.later);
        this.#add(record, whom);
      }
    }
    // Whoever joined, or became or ceased to be a guest, after the default level changed has the role because of that.
    if (rule !== "default" || person === undefined || !isOtherMember(person)) return;
    if (another === undefined || another.revision <= person.revision) this.#add(person, slots);
  }

  #addMoved(content: ContentKey | undefined, slots: Words): void {
    if (content === undefined) return;
    for (const { record, team, user } of this.#suspects.at(content)) {
      if (team === undefined && user === undefined) this.#add(record, slots);
    }
  }

  /** Adds that the content was added, for the slots that no other cause explains. */
  #addContent(thing: ChangedRecord | undefined, differing: Words): void {
    if (thing === undefined) return;
    const whom = differing.slice();
    for (const [{ was, revision }, slots] of this.#found) {
      // A record that was added explains a role alone if the content was there before or at once.
      if (was !== undefined || revision < thing.first) continue;
      if (typeof slots === "number") removeSlot(whom, slots);
      else removeAll(whom, slots);
    }
    this.#add(thing, whom);
  }

  #add(record: ChangedRecord | undefined, slots: Words): void {
    if (record === undefined || isNone(slots)) return;
    const known = this.#found.get(record);
    this.#found.set(record, addAll(slots.slice(), typeof known === "number" ? undefined : known));
  }
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
function isAhead(was: Decided, now: Decided): boolean {
  return (RULES.indexOf(was.rule) - RULES.indexOf(now.rule) || now.rank - was.rank) <= 0;
}

/** The number of contents with which both ladders begin, if they part because a content was moved; else infinity. */
function forkOf(from: Ladder, to: Ladder): number {
  const parting = from.findIndex(({ content }, index) => content !== to[index]?.content);
  const shared = parting === -1 ? from.length : parting;
  return shared === from.length && shared === to.length ? Number.POSITIVE_INFINITY : shared;
}

/** How the ladder of one content decides for one user, at one of the two revisions. */
export interface Climbed {
  readonly ladder: Ladder;
  readonly member: MemberRights;
  /** `undefined` if the user has no access. */
  readonly decision: Decision | undefined;
  /** What decided. */
  readonly last: Step | undefined;
}

/** Decides for a user on a ladder; `undefined` if the user is not a member or the content does not exist. */
export function climb(ladder: Ladder | undefined, member: MemberRights | undefined): Climbed | undefined {
  if (ladder === undefined || member === undefined) return undefined;
  let last: Step | undefined;
  const decision = decide(ladder, member, (step) => (last = step));
  return { ladder, member, decision, last };
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
  const [before, after] = [new Set(earlier?.member.teams), new Set(later?.member.teams)];
  const suspects: Suspects = {
    thing: changes.contents.get(content),
    person: changes.people.get(user),
    *at(on) {
      const thing = changes.contents.get(on);
      if (thing !== undefined) yield { record: thing };
      const direct = changes.of({ kind: "permission", member: user, content: on });
      if (direct !== undefined) yield { record: direct, user: 0 };
      const levels = [earlier, later].flatMap(
        (each) => each?.ladder.find(({ content: key }) => key === on) ?? [],
      );
      for (const team of before.union(after)) {
        if (!levels.some(({ teams }) => teams.has(team))) continue;
        const joined = changes.of({ kind: "teamMember", team, member: user });
        if (joined !== undefined) yield { record: joined, user: 0 };
        const given = changes.of({ kind: "permission", team, content: on });
        const isIn = (teams: ReadonlySet<string>) => (teams.has(team) ? ONE : undefined);
        if (given !== undefined) yield { record: given, team: { earlier: isIn(before), later: isIn(after) } };
      }
    },
  };
  const [had, has] = [decidedFor(earlier), decidedFor(later)];
  return new Causes(suspects, had, has, ONE).sorted.map(({ record }) => record);
}

function decidedFor(climbed: Climbed | undefined): Then | undefined {
  if (climbed?.last === undefined) return undefined;
  const { ladder, last } = climbed;
  const { rule, role } = last;
  const content = last.level?.content;
  const level =
    rule === "admin"
      ? -1
      : content === undefined
        ? ladder.length
        : ladder.findIndex((each) => each.content === content);
  const held = rule === "team" && role !== undefined ? rank(role) : 0;
  return { ladder, decided: [{ level, content, rule, rank: held, slots: ONE }] };
}

/** A root at one revision. */
interface RootThen {
  /** `undefined` if the content does not exist. */
  readonly ladder: QueryLadder | undefined;
  /** The sets of the chunk. */
  readonly sets: ChunkSlots;
}

/** The causes of the differing slots of a chunk, in the order of causes. */
export function causesIn(
  { content, candidates, records }: RootFold,
  chunk: number,
  [earlier, later]: readonly [earlier: RootThen, later: RootThen],
  differing: Words,
): Cause[] {
  const here = candidates.filter(
    ({ user }) => user === undefined || (user.chunk === chunk && hasSlot(differing, user.slot)),
  );
  const [only] = here;
  if (only !== undefined && records === 1)
    return [{ record: only.record, whom: only.user?.slot ?? differing }];
  const byContent = Map.groupBy(here, ({ at }) => at);
  const suspects: Suspects = {
    thing: here.find(({ record }) => record.content === content && record.kind !== "permission")?.record,
    at: (on) => (byContent.get(on) ?? []).map((each) => suspectOf(each, earlier.sets, later.sets)),
  };
  return new Causes(suspects, decidedIn(earlier, differing), decidedIn(later, differing), differing).sorted;
}

function suspectOf({ record, team, user }: Candidate, had: ChunkSlots, has: ChunkSlots): Suspect {
  if (user !== undefined) return { record, user: user.slot };
  return team === undefined
    ? { record }
    : { record, team: { earlier: had[team.earlier], later: has[team.later] } };
}

/** The indexes of the words that have slots: few words, and most steps of a ladder have none of them. */
function indexesOf(slots: Words): number[] {
  return [...slots.keys()].filter((index) => slots[index] !== 0);
}

/** Divides slots by what decides their roles at a revision. */
function decidedIn({ ladder, sets }: RootThen, slots: Words): Then | undefined {
  if (ladder === undefined) return undefined;
  const indexes = indexesOf(slots);
  const { levels, steps } = ladder;
  const places = new Map(levels.map(({ content }, level) => [content, level]));
  const left = slots.slice();
  const found = new Map<string, Decided>();
  const decided = (rule: Rule, level: number, place: number): Words => {
    const name = `${rule} ${level} ${place}`;
    const made = found.get(name) ?? {
      level,
      content: levels[level]?.content,
      rule,
      rank: place,
      slots: noSlots(),
    };
    found.set(name, made);
    return made.slots;
  };
  for (const { set, result, source } of steps) {
    const members = sets[set];
    if (members === undefined || source === undefined) continue;
    let into: Words | undefined;
    for (const index of indexes) {
      const own = (members[index] ?? 0) & (left[index] ?? 0);
      if (own === 0) continue;
      const level =
        "content" in source ? places.get(source.content) : source.rule === "admin" ? -1 : levels.length;
      into ??= decided(source.rule, level ?? -1, source.rule === "team" ? result : 0);
      into[index] = (into[index] ?? 0) | own;
      left[index] = (left[index] ?? 0) & ~own;
    }
  }
  // Nothing gives the others a role: the last content is closed, or they are guests.
  const last = levels.length - 1;
  const isOpen = levels[last]?.defaultLevel === "inherit";
  addAll(isOpen ? decided("organization", levels.length, 0) : decided("default", last, 0), left);
  return { ladder: levels, decided: [...found.values()] };
}

/** The slots that at least one of the changed records affects. */
export function affectedBy(causes: readonly Cause[]): Words {
  const all = noSlots();
  for (const { whom } of causes) {
    if (typeof whom === "number") addSlot(all, whom);
    else addAll(all, whom);
  }
  return all;
}

/** Whether a changed record is a cause for a slot in `all` that is not in `without`. */
export function concerns({ whom }: Cause, all: Words, without?: Words): boolean {
  if (typeof whom === "number") {
    return hasSlot(all, whom) && (without === undefined || !hasSlot(without, whom));
  }
  for (let index = 0; index < all.length; index++) {
    if (((all[index] ?? 0) & (whom[index] ?? 0) & ~(without?.[index] ?? 0)) !== 0) return true;
  }
  return false;
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
