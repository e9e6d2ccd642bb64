/** What became of the rows of a decided report. */
import { decide, type Step } from "../../domain/ladder.ts";
import { type ContentKey, kindOf } from "../../domain/content.ts";
import { plain } from "../../domain/explanation/phrase.ts";
import { reasonOf } from "../../domain/explanation/reason.ts";
import { contents, ladderOf } from "../../store/directory/inheritance.ts";
import { explainedMembers } from "../../store/listings/effective.ts";
import { openQuery } from "../../store/listings/query.ts";
import { memberOf, subjectOn } from "../../store/directory/members.ts";
import type { Reading } from "../../store/reading.ts";
import { titlesFor } from "../../store/directory/titles.ts";

/** A row of a report, as its reader decided. */
export interface DecidedRow {
  readonly content: ContentKey;
  readonly user: string;
  readonly role: string;
  readonly decision: string;
  readonly comment: string;
}

/** `came`: somebody with a role who is not in the report. */
export type Outcome = "removed" | "changed" | "still there" | "came";

export interface Became {
  readonly outcome: Outcome;
  readonly content: ContentKey;
  readonly user: string;
  readonly decision: string;
  readonly comment: string;
  /** The role of the report; empty for who came. */
  readonly was: string;
  /** The role that there is now; empty where there is none. */
  readonly now: string;
  /** Where the role comes from, or why there is none. */
  readonly reason: string;
}

/** Of whom newcomers are told: of everybody, of guests, or of nobody, where a report left others out by design. */
export type Newcomers = "everybody" | "guests" | "nobody";

const PAGE = 1000;

/** What became of each row, content by content in their order; behind the rows of a content those who came to it. */
export async function* became(
  reading: Reading,
  rows: readonly DecidedRow[],
  newcomers: Newcomers,
): AsyncGenerator<Became> {
  for (const [key, own] of Map.groupBy(rows, ({ content }) => content)) {
    for (const row of own) yield { ...row, was: row.role, ...(await standing(reading, row)) };
    if (newcomers !== "nobody") yield* came(reading, key, new Set(own.map(({ user }) => user)), newcomers);
  }
}

async function standing(
  reading: Reading,
  { content: key, user, role }: DecidedRow,
): Promise<Pick<Became, "outcome" | "now" | "reason">> {
  const loaded = await contents(reading, [key]);
  const content = loaded.get(key);
  if (content === undefined) {
    return { outcome: "removed", now: "", reason: `the ${kindOf(key)} is not there any more` };
  }
  const member = await memberOf(reading, user);
  if (member === undefined) return { outcome: "removed", now: "", reason: "not a member any more" };
  const ladder = ladderOf(content, loaded);
  let last: Step | undefined;
  const decision = decide(ladder, await subjectOn(reading, member, [ladder]), (step) => (last = step));
  if (decision === undefined) {
    const closed = last?.level !== undefined && last.level.defaultLevel === null;
    return {
      outcome: "removed",
      now: "",
      reason: closed ? "closed, and given nothing" : "a guest, given nothing",
    };
  }
  const titles = await titlesFor(reading, loaded);
  const reason = plain(reasonOf(key, decision, titles).because);
  return { outcome: decision.role === role ? "still there" : "changed", now: decision.role, reason };
}

async function* came(
  reading: Reading,
  key: ContentKey,
  known: ReadonlySet<string>,
  newcomers: Newcomers,
): AsyncGenerator<Became> {
  const loaded = await contents(reading, [key]);
  const content = loaded.get(key);
  if (content === undefined) return;
  const titles = await titlesFor(reading, loaded);
  const only = newcomers === "guests" ? null : undefined;
  const query = openQuery([ladderOf(content, loaded)], only);
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, query, { after, limit: PAGE });
    for (const { id, role, decision } of entries) {
      if (known.has(id)) continue;
      const reason = plain(reasonOf(key, decision, titles).because);
      yield {
        outcome: "came",
        content: key,
        user: id,
        decision: "",
        comment: "",
        was: "",
        now: role,
        reason,
      };
    }
    if (next === undefined) return;
    after = next;
  }
}
