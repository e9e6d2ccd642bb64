/** What became of the rows of a decided report. */
import type { ContentKey } from "../../domain/content.ts";
import { kindOf } from "../../domain/content.ts";
import { plain } from "../../domain/explanation/phrase.ts";
import { reasonOf, type Titles } from "../../domain/explanation/reason.ts";
import type { Content } from "../../store/directory/content.ts";
import { contents, ladderOf } from "../../store/directory/inheritance.ts";
import { titlesFor } from "../../store/directory/titles.ts";
import { explainedMembers } from "../../store/listings/effective.ts";
import { openQuery } from "../../store/listings/query.ts";
import type { Reading } from "../../store/reading.ts";
import { climb, type Climbed } from "../../store/revisions/diff/causes.ts";
import { subjectsOf } from "../../store/revisions/diff/subjects.ts";
import { type GivingRecord, givingRecord } from "./giving-record.ts";
import type { DecidedRow } from "./row.ts";

/** `came`: a user with a role who is not in the report. */
export const OUTCOMES = ["removed", "changed", "still there", "came"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface RowOutcome {
  readonly outcome: Outcome;
  readonly content: ContentKey;
  readonly user: string;
  readonly decision: string;
  readonly comment: string;
  /** The role in the report; empty for a user who came later. */
  readonly was: string;
  /** The current role; empty if there is none. */
  readonly now: string;
  /** The source of the role, or why there is none. */
  readonly reason: string;
  /** The record that gives the role; absent if there is none. */
  readonly record?: GivingRecord;
}

/** Which newcomers are listed: everybody, guests, or nobody, if the report left others out by design. */
export type Newcomers = "everybody" | "guests" | "nobody";

/** Members per read. */
const BLOCK = 1000;

/** The outcome of each row, in the order of contents. The rows of a content are followed by those who came to it. */
export async function* outcomesOf(
  reading: Reading,
  rows: readonly DecidedRow[],
  newcomers: Newcomers,
): AsyncGenerator<RowOutcome> {
  for (const [key, own] of Map.groupBy(rows, ({ content }) => content)) {
    const loaded = await contents(reading, [key]);
    const content = loaded.get(key);
    if (content === undefined) {
      for (const row of own) yield removed(row, `the ${kindOf(key)} is not there any more`);
      continue;
    }
    const at = { key, ladder: ladderOf(content, loaded), titles: await titlesFor(reading, loaded) };
    for (let start = 0; start < own.length; start += BLOCK) {
      const block = own.slice(start, start + BLOCK);
      const ids = new Set(block.map(({ user }) => user));
      const members = await subjectsOf(reading, [...ids]);
      for (const row of block) yield outcomeOf(reading, row, at, climb(at.ladder, members.get(row.user)));
    }
    if (newcomers !== "nobody") yield* came(reading, at, new Set(own.map(({ user }) => user)), newcomers);
  }
}

interface On {
  readonly key: ContentKey;
  readonly ladder: readonly Content[];
  readonly titles: Titles;
}

function removed({ role, ...row }: DecidedRow, reason: string): RowOutcome {
  return { outcome: "removed", ...row, was: role, now: "", reason };
}

/** `climbed` is absent for a user who is not a member. */
function outcomeOf(
  reading: Reading,
  row: DecidedRow,
  { key, titles }: On,
  climbed: Climbed | undefined,
): RowOutcome {
  if (climbed === undefined) return removed(row, "not a member any more");
  const { role, ...names } = row;
  const { decision, steps } = climbed;
  if (decision === undefined) {
    const level = steps.at(-1)?.level;
    const isClosed = level !== undefined && level.defaultLevel === null;
    return removed(row, isClosed ? "closed, and given nothing" : "a guest, given nothing");
  }
  return {
    outcome: decision.role === role ? "still there" : "changed",
    ...names,
    was: role,
    now: decision.role,
    reason: plain(reasonOf(key, decision, titles).because),
    record: givingRecord(reading, row.user, decision),
  };
}

async function* came(
  reading: Reading,
  { key, ladder, titles }: On,
  known: ReadonlySet<string>,
  newcomers: Newcomers,
): AsyncGenerator<RowOutcome> {
  const query = openQuery([ladder], newcomers === "guests" ? null : undefined);
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, query, { after, limit: BLOCK });
    for (const { id, role, decision } of entries) {
      if (known.has(id)) continue;
      yield {
        outcome: "came",
        content: key,
        user: id,
        decision: "",
        comment: "",
        was: "",
        now: role,
        reason: plain(reasonOf(key, decision, titles).because),
        record: givingRecord(reading, id, decision),
      };
    }
    if (next === undefined) return;
    after = next;
  }
}
