/** Finds the outcome of each row of a decided report. */
import { type ContentKey, kindOf } from "../../domain/content.ts";
import { explainedMembers } from "../../store/listings/entries.ts";
import { accessOnLadders, guestSet } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { contentBlocks } from "../../store/reports/report-scope.ts";
import { climb, type Climbed } from "../../store/revisions/diff/log/causes.ts";
import { subjectsOf } from "../../store/revisions/diff/users/subjects.ts";
import { type GivingRecord, givingRecord } from "./giving-record.ts";
import type { Newcomers } from "./newcomers.ts";
import { type TitledLadder, titledLadderOf, reasonAt } from "./titled-ladder.ts";
import type { DecidedRow } from "./row.ts";

/** `came` is a user who has a role now and no row in the report. */
export const OUTCOMES = ["removed", "changed", "still there", "came"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface RowOutcome {
  readonly outcome: Outcome;
  readonly content: ContentKey;
  readonly user: string;
  readonly decision: string;
  readonly comment: string;
  /** The role in the report; empty for `came`. */
  readonly was: string;
  /** Empty if there is no role now. */
  readonly now: string;
  /** What gives the role, or why there is none. */
  readonly reason: string;
  /** The record that gives the role; absent if there is none. */
  readonly record?: GivingRecord;
}

/** How many rows or members are read at a time. */
const BLOCK = 1000;

/**
 * The outcomes in batches of one content each: its rows, then its newcomers. Contents without a row come last. Without
 * `newcomers`, nobody has the outcome `came`.
 */
export async function* outcomesOf(
  reading: Reading,
  rows: readonly DecidedRow[],
  newcomers: Newcomers | undefined,
): AsyncGenerator<readonly RowOutcome[]> {
  const byContent = Map.groupBy(rows, ({ content }) => content);
  for (const [key, own] of byContent) {
    const at = await titledLadderOf(reading, key);
    if (at === undefined) {
      yield own.map((row) => removed(row, `the ${kindOf(key)} no longer exists`));
      continue;
    }
    for (let start = 0; start < own.length; start += BLOCK) {
      const block = own.slice(start, start + BLOCK);
      const members = await subjectsOf(reading, [...new Set(block.map(({ user }) => user))]);
      yield block.map((row) => outcomeOf(reading, row, at, climb(at.ladder, members.get(row.user))));
    }
    if (newcomers !== undefined) yield* came(reading, at, new Set(own.map(({ user }) => user)), newcomers);
  }
  if (newcomers?.where === undefined) return;
  // Contents and sites that do not exist any more have no newcomers.
  for await (const keys of contentBlocks(reading, newcomers.where, () => {})) {
    for (const key of keys) {
      const at = byContent.has(key) ? undefined : await titledLadderOf(reading, key);
      if (at !== undefined) yield* came(reading, at, new Set(), newcomers);
    }
  }
}

function removed({ role, ...row }: DecidedRow, reason: string): RowOutcome {
  return { outcome: "removed", ...row, was: role, now: "", reason };
}

/** `climbed` is absent for a user who is not a member. */
function outcomeOf(
  reading: Reading,
  row: DecidedRow,
  titled: TitledLadder,
  climbed: Climbed | undefined,
): RowOutcome {
  if (climbed === undefined) return removed(row, "no longer a member");
  const { role, ...names } = row;
  const { decision, steps } = climbed;
  if (decision === undefined) {
    const level = steps.at(-1)?.level;
    const isClosed = level !== undefined && level.defaultLevel === null;
    return removed(row, isClosed ? "closed, without a permission" : "a guest without a permission");
  }
  return {
    outcome: decision.role === role ? "still there" : "changed",
    ...names,
    was: role,
    now: decision.role,
    reason: reasonAt(titled, decision),
    record: givingRecord(reading, row.user, decision),
  };
}

async function* came(
  reading: Reading,
  titled: TitledLadder,
  known: ReadonlySet<string>,
  { guests }: Newcomers,
): AsyncGenerator<readonly RowOutcome[]> {
  const whole = await accessOnLadders(reading, [titled.ladder]);
  const access = guests ? whole.narrowed({ within: [await guestSet(reading)] }) : whole;
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, access, { after, limit: BLOCK });
    const others = entries.filter(({ id }) => !known.has(id));
    yield others.map(({ id, role, decision }) => ({
      outcome: "came",
      content: titled.key,
      user: id,
      decision: "",
      comment: "",
      was: "",
      now: role,
      reason: reasonAt(titled, decision),
      record: givingRecord(reading, id, decision),
    }));
    if (next === undefined) return;
    after = next;
  }
}
