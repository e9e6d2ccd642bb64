/** Finds the changed records that caused a difference in one user's effective role on one content. */
import { decide, type Decision, type Step, type Subject } from "../../../../domain/ladder.ts";
import type { ContentKey } from "../../../../domain/content.ts";
import { rank } from "../../../../domain/role.ts";
import type { Content } from "../../../directory/content.ts";
import { type AccessChanges, accessFieldsOf } from "./access-changes.ts";
import type { ChangedRecord } from "./log.ts";

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
export function climb(
  ladder: readonly Content[] | undefined,
  member: Subject | undefined,
): Climbed | undefined {
  if (ladder === undefined || member === undefined) return undefined;
  const steps: Step[] = [];
  const decision = decide(ladder, member, (step) => steps.push(step));
  return { member, decision, steps };
}

/** The changed records, with the user and content of a difference. */
interface Records {
  readonly changes: AccessChanges;
  readonly user: string;
  readonly content: ContentKey;
}

/**
 * The causes of a difference: what changed at the first step that differs between the two revisions. If another step
 * decides at the later revision, what changed there is a cause, too.
 */
export function causesOf(
  changes: AccessChanges,
  user: string,
  content: ContentKey,
  before: Climbed | undefined,
  after: Climbed | undefined,
): ChangedRecord[] {
  const records = { changes, user, content };
  if (before === undefined || after === undefined) return wholeCauses(records);
  const first = before.steps.findIndex((step, index) => isOther(step, after.steps[index]));
  const found = new Set(stepCauses(records, before, after, first));
  const last = after.steps.length - 1;
  const deciding = after.steps[last];
  if (first < last && deciding !== undefined) {
    for (const cause of changedAt(records, deciding, before, after)) found.add(cause);
  }
  return [...found];
}

/** The causes if the user joined or left, or the content was added or removed. */
function wholeCauses({ changes, user, content }: Records): ChangedRecord[] {
  const person = changes.people.get(user);
  const record = changes.contents.get(content);
  const isWhole = (each: ChangedRecord | undefined) => each?.was === undefined || each.becomes === undefined;
  return [person, record].filter((each) => each !== undefined).filter(isWhole);
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

/** What changed at the first step that differs between the two revisions. */
function stepCauses(records: Records, before: Climbed, after: Climbed, index: number): ChangedRecord[] {
  const [was, now] = [before.steps[index], after.steps[index]];
  if (was === undefined || now === undefined) return [];
  if (was.rule === now.rule && was.level?.content === now.level?.content) {
    return changedAt(records, now, before, after);
  }
  // The two ladders go from the same content to different parents, so the content was moved.
  const from = after.steps[index - 1]?.level?.content;
  const moved = from === undefined ? undefined : records.changes.contents.get(from);
  return moved === undefined ? [] : [moved];
}

/** The changed records because of which a step decides at the later revision, or no longer decides. */
function changedAt({ changes, user }: Records, step: Step, before: Climbed, after: Climbed): ChangedRecord[] {
  const content = step.level?.content;
  const person = changes.people.get(user);
  switch (step.rule) {
    case "admin":
    case "organization":
      return person === undefined ? [] : [person];
    case "direct":
      return given(changes.of({ kind: "permission", member: user, content }));
    case "default": {
      const own = content === undefined ? undefined : changes.contents.get(content);
      if (own !== undefined && saysOtherLevel(own)) return [own];
      // A default level gives nothing to guests, so becoming a guest, or ceasing to be one, changes what the level gives.
      return (before.member.role === null) === (after.member.role === null) ? [] : given(person);
    }
    case "team":
      return teamsOf(step, before, after).flatMap((team) => [
        ...given(changes.of({ kind: "permission", team, content })),
        ...given(changes.of({ kind: "teamMember", team, member: user })),
      ]);
  }
}

function saysOtherLevel({ was, becomes }: ChangedRecord): boolean {
  if (was === undefined || becomes === undefined) return true;
  return accessFieldsOf(was).defaultLevel !== accessFieldsOf(becomes).defaultLevel;
}

function given(record: ChangedRecord | undefined): ChangedRecord[] {
  return record === undefined ? [] : [record];
}

/** The teams whose grant decided at one revision, and has less or no effect at the other. */
function teamsOf(step: Step, before: Climbed, after: Climbed): string[] {
  const [had, has] = [heldAt(step, before), heldAt(step, after)];
  const [most, now] = [highest(had), highest(has)];
  return [...new Set([...had.keys(), ...has.keys()])].filter((team) => {
    const [old, held] = [had.get(team) ?? 0, has.get(team) ?? 0];
    return old !== held && (old === most || held === now);
  });
}

/** The ranks of a member's team grants on the content of a step, by team. */
function heldAt({ level: wanted }: Step, { member, steps }: Climbed): ReadonlyMap<string, number> {
  const level = steps.find(({ level }) => level?.content === wanted?.content)?.level;
  const found = new Map<string, number>();
  for (const team of member.teams) {
    const role = level?.teams.get(team);
    if (role !== undefined) found.set(team, rank(role));
  }
  return found;
}

function highest(held: ReadonlyMap<string, number>): number {
  return Math.max(0, ...held.values());
}
