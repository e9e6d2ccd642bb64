/**
 * Finds the changed records that caused a difference in one user's effective role on one content. `causes-of-sets.ts`
 * finds them for sets of users.
 */
import {
  decide,
  type Decision,
  type Ladder,
  type Rule,
  type Step,
  type Subject,
  teamsAt,
} from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import { type AccessChanges, type ChangedRecord, compareCauses } from "./log.ts";
import { accessFieldsOf } from "../../schema/record-change.ts";

/** How the ladder of one content decides for one user, at one of the two revisions. */
export interface Climbed {
  readonly member: Subject;
  /** `undefined` if the user has no access. */
  readonly decision: Decision | undefined;
  /** The steps that `decide` reported. The last one decided. */
  readonly steps: readonly Step[];
}

/**
 * Decides for a user on a ladder, and records the steps; `undefined` if the user is not a member or the content does
 * not exist.
 */
export function climb(ladder: Ladder | undefined, member: Subject | undefined): Climbed | undefined {
  if (ladder === undefined || member === undefined) return undefined;
  const steps: Step[] = [];
  const decision = decide(ladder, member, (step) => steps.push(step));
  return { member, decision, steps };
}

/** The user and the content of a difference. */
export interface Pair {
  readonly user: string;
  readonly content: ContentKey;
}

/**
 * The causes of a difference, in the order of {@link compareCauses}:
 *
 * - the changed records of what decides at the later revision;
 * - the changed records of what decided at the earlier revision, if that comes first on the ladder or gave a higher role
 *   there;
 * - the content that was moved, if both decide above it, on different contents;
 * - that the content was added, unless one of these records was added as late;
 * - if the user left or the content was removed, only that: the earlier of the two.
 */
export function causesOf(
  changes: AccessChanges,
  { user, content }: Pair,
  earlier: Climbed | undefined,
  later: Climbed | undefined,
): ChangedRecord[] {
  const person = changes.people.get(user);
  const thing = changes.contents.get(content);
  if (later === undefined) return firstGone([person, thing]);
  const found = new Set(recordsAt(changes, user, later.steps.at(-1), later.member));
  if (earlier !== undefined) {
    for (const record of takenAway(changes, user, earlier, later)) found.add(record);
  } else if (thing?.was === undefined) {
    if (thing !== undefined && ![...found].some((record) => explains(record, thing))) found.add(thing);
  }
  return [...found].sort(compareCauses);
}

function firstGone(records: readonly (ChangedRecord | undefined)[]): ChangedRecord[] {
  const gone = records
    .filter((record) => record !== undefined)
    .filter(({ becomes }) => becomes === undefined);
  const first = Math.min(...gone.map(({ revision }) => revision));
  return gone.filter(({ revision }) => revision === first);
}

/** Whether a record that was added explains a role on an added content alone: the content was there before or at once. */
export function explains({ was, revision }: ChangedRecord, content: ChangedRecord): boolean {
  return was === undefined && revision >= content.first;
}

/** The changed records of the source that decides at a step. */
function recordsAt(
  changes: AccessChanges,
  user: string,
  step: Step | undefined,
  member: Subject,
): ChangedRecord[] {
  if (step === undefined) return [];
  const { rule, level, role: given } = step;
  const content = level?.content;
  const person = changes.people.get(user);
  switch (rule) {
    case "admin":
    case "organization":
      return known([person]);
    case "direct":
      return known([changes.of({ kind: "permission", member: user, content })]);
    case "team": {
      const teams =
        level === undefined ? [] : teamsAt(level, member.teams).filter(({ role }) => role === given);
      return known(
        teams.flatMap(({ id: team }) => [
          changes.of({ kind: "permission", team, content }),
          changes.of({ kind: "teamMember", team, member: user }),
        ]),
      );
    }
    case "default":
      return defaultCauses(content === undefined ? undefined : changes.contents.get(content), person);
  }
}

/**
 * The changed records at a default level: the content's, if its level changed, and the person's, if they joined, or
 * became or ceased to be a guest, and the level did not change later.
 */
function defaultCauses(own: ChangedRecord | undefined, person: ChangedRecord | undefined): ChangedRecord[] {
  const level = known([own]).filter(saysOtherLevel);
  return [...level, ...known([person]).filter((each) => isOtherMember(each) && !level.some(isAfter(each)))];
}

/** A default level gives nothing to guests. */
function isOtherMember({ was, becomes }: ChangedRecord): boolean {
  const isGuest = (role: string) => decodeMemberRole(Number(role)) === null;
  return was === undefined || becomes === undefined || isGuest(was) !== isGuest(becomes);
}

function isAfter({ revision }: ChangedRecord): (other: ChangedRecord) => boolean {
  return (other) => other.revision > revision;
}

export function saysOtherLevel({ was, becomes }: ChangedRecord): boolean {
  if (was === undefined || becomes === undefined) return true;
  return accessFieldsOf(was).defaultLevel !== accessFieldsOf(becomes).defaultLevel;
}

/**
 * The changed records because of which the role is no longer decided as it was; none if what decides at the later
 * revision would come first anyway.
 */
function takenAway(changes: AccessChanges, user: string, earlier: Climbed, later: Climbed): ChangedRecord[] {
  const first = earlier.steps.findIndex((step, index) => isOther(step, later.steps[index]));
  const [was, now] = [earlier.steps.at(-1), later.steps.at(-1)];
  if (was === undefined || now === undefined) return [];
  const [here, there] = [earlier.steps[first], later.steps[first]];
  // Above this step, the two ladders have different contents, because the content below was moved.
  const isParted = here?.rule !== there?.rule || here?.level?.content !== there?.level?.content;
  const isSamePlace = was.level?.content === now.level?.content;
  if (isParted && !isSamePlace) {
    const moved = later.steps[first - 1]?.level?.content;
    return known([moved === undefined ? undefined : changes.contents.get(moved)]);
  }
  const isFirst = isSamePlace
    ? isAhead({ rule: was.rule, rank: rankOf(was) }, { rule: now.rule, rank: rankOf(now) })
    : earlier.steps.length < later.steps.length;
  if (!isFirst) return [];
  // The permission of a team says nothing about a user who left the team, unless it is gone, too.
  const concerns = ({ kind, team, becomes }: ChangedRecord) =>
    kind !== "permission" || team === undefined || becomes === undefined || later.member.teams.includes(team);
  return recordsAt(changes, user, was, earlier.member).filter(concerns);
}

/** The order of the rules, of which all but the first and the last apply at each content. */
const RULES: readonly Rule[] = ["admin", "direct", "team", "default", "organization"];

interface Deciding {
  readonly rule: Rule;
  readonly rank: number;
}

/** Whether a rule comes before another one on the same content, or is the same and gave as high a role. */
export function isAhead(was: Deciding, now: Deciding): boolean {
  return (RULES.indexOf(was.rule) - RULES.indexOf(now.rule) || now.rank - was.rank) <= 0;
}

function isOther(step: Step, other: Step | undefined): boolean {
  return (
    other === undefined ||
    step.rule !== other.rule ||
    step.level?.content !== other.level?.content ||
    step.outcome !== other.outcome ||
    step.role !== other.role
  );
}

function rankOf({ role }: Step): number {
  return role === undefined ? 0 : rank(role);
}

function known(records: readonly (ChangedRecord | undefined)[]): ChangedRecord[] {
  return records.filter((record) => record !== undefined);
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
