/**
 * The outcome of each row of a decided report: what the user has today, since when and why, and who came since. Rows are
 * read content by content; `role-changes.ts` finds when a role changed.
 */
import { eventOf } from "../domain/changed-record.ts";
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { causePhrase } from "../domain/difference.ts";
import { CommandError } from "../domain/error.ts";
import type { Decision } from "../domain/ladder.ts";
import { plain, reasonOf } from "../domain/reason.ts";
import type { Role } from "../domain/role.ts";
import { oneLine } from "../domain/text.ts";
import { namesIn } from "../model/difference-names.ts";
import type { RowFormat } from "../operations/csv.ts";
import { findContent, findMember, keyOf, memberId, type Model, NOTHING } from "../model/model.ts";
import { accessOn } from "../model/paint.ts";
import { contentTitle, personIn, titlesIn } from "../model/records.ts";
import { decisionsOn } from "../model/why.ts";
import { modelOf } from "../store/models.ts";
import type { Reading, Revision } from "../store/reading.ts";
import { type IsNew, contentsIn, membersOn, newSince } from "../store/report.ts";
import { revisionFrom } from "../store/revisions/past.ts";
import { inBlocks } from "../store/turns.ts";
import { type DecidedRow, type Decisions, type Newcomers, hasFallenBelow } from "./decided-report.ts";
import { type RoleChange, RoleChanges } from "./role-changes.ts";

/**
 * `below` is a role that fell beneath the weakest one that the report covers; `came` is a user who has a role now and no
 * row in the report.
 */
export const OUTCOMES = ["removed", "below", "changed", "still there", "came"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Whether nothing is left to do for a row that was decided `remove`. */
export function isDone({ outcome }: Pick<RowOutcome, "outcome">): boolean {
  return outcome === "removed" || outcome === "below";
}

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
const ROWS_A_BLOCK = 1000;

/**
 * The outcomes in batches of one content each: its rows, then its newcomers. Contents without a row come last. Without
 * `newcomers`, nobody has the outcome `came`.
 */
export async function* outcomesOf(
  reading: Reading,
  { rows, newcomers, weakest }: Pick<Decisions, "rows" | "newcomers" | "weakest">,
): AsyncGenerator<readonly RowOutcome[]> {
  const byContent = new Map<ContentKey, DecidedRow[]>();
  for await (const some of inBlocks(rows, ROWS_A_BLOCK)) {
    for (const row of some) {
      const own = byContent.get(row.content);
      if (own === undefined) byContent.set(row.content, [row]);
      else own.push(row);
    }
  }
  const model = await modelOf(reading);
  const isNew = await newSince(reading, newcomers?.scope ?? {});
  for (const [key, own] of byContent) {
    const content = findContent(model, key);
    if (content === undefined) {
      yield own.map((row) => removed(row, `the ${kindOf(key)} no longer exists`));
      continue;
    }
    const decide = decisionsOn(model, content);
    for await (const block of inBlocks(own, ROWS_A_BLOCK))
      yield block.map((row) => outcomeOf(model, row, weakest, content, decide));
    if (newcomers !== undefined)
      yield* came(model, content, new Set(own.map(({ user }) => user)), newcomers, isNew);
  }
  if (newcomers?.where === undefined) return;
  // Contents and sites that do not exist any more have no newcomers.
  for (const content of await contentsIn(reading, newcomers.where, () => {}))
    if (!byContent.has(keyOf(model, content))) yield* came(model, content, new Set(), newcomers, isNew);
}

function removed({ role, ...row }: DecidedRow, reason: string): RowOutcome {
  return { outcome: "removed", ...row, was: role, now: "", reason };
}

function outcomeOf(
  model: Model,
  row: DecidedRow,
  weakest: Role | undefined,
  content: number,
  decide: (member: number) => Decision | undefined,
): RowOutcome {
  const member = findMember(model, row.user);
  if (member === undefined) return removed(row, "no longer a member");
  const { role, ...names } = row;
  const decision = decide(member);
  if (decision === undefined) {
    const isClosed = accessOn(model, content).base === NOTHING;
    return removed(row, isClosed ? "closed, without a permission" : "a guest without a permission");
  }
  const differs = hasFallenBelow(role, decision.role, weakest) ? "below" : "changed";
  return {
    outcome: decision.role === role ? "still there" : differs,
    ...names,
    was: role,
    now: decision.role,
    reason: reasonFor(model, row.content, decision),
    record: givingRecord(model, row.user, decision),
  };
}

async function* came(
  model: Model,
  content: number,
  known: ReadonlySet<string>,
  { scope }: Newcomers,
  isNew: IsNew | undefined,
): AsyncGenerator<readonly RowOutcome[]> {
  const key = keyOf(model, content);
  for await (const some of membersOn(model, content, scope)) {
    const others = some.filter(
      (held) => !known.has(memberId(model, held.member)) && isNew?.(content, held) !== false,
    );
    if (others.length === 0) continue;
    yield others.map(({ member, decision }) => {
      const user = memberId(model, member);
      return {
        outcome: "came",
        content: key,
        user,
        decision: "",
        comment: "",
        was: "",
        now: decision.role,
        reason: reasonFor(model, key, decision),
        record: givingRecord(model, user, decision),
      };
    });
  }
}

/** The fields that identify a record, and the one with its role. */
type GivingRecord = Readonly<Record<string, string | null>>;

/** The record that gives a user the role of a decision. */
function givingRecord(
  { organization }: Model,
  user: string,
  { rule, role, level, team }: Decision,
): GivingRecord {
  if (level === undefined) return { object: "member", organization: organization.id, user, role };
  const kind = kindOf(level.content);
  const id = idOf(level.content);
  if (rule === "default") return { object: kind, id, defaultLevel: role };
  const grantee = team === undefined ? { user } : { team };
  return { object: "permission", [kind]: id, ...grantee, permission: role };
}

/** What gives a role, in words. */
export function reasonFor(model: Model, content: ContentKey, decision: Decision): string {
  return plain(reasonOf(content, decision, titlesIn(model)).because);
}

/** The revision that made the outcome of a row. */
interface Since {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** What this revision changed, in words. */
  readonly change: string;
}

/** `since` is absent if nothing has changed since the report, or if the revision that changed it is not kept. */
export interface Followed extends RowOutcome {
  readonly since?: Since;
}

interface Review {
  /** In batches, each with rows of one content. */
  readonly rows: AsyncIterable<readonly Followed[]>;
  /** The revision of the report or, if that is not kept, the earliest readable one. */
  readonly from: Revision;
  readonly to: Revision;
}

/**
 * Finds the outcomes at revision `to`, one batch at a time. Throws a CommandError if the report is of a later revision.
 */
export async function follow(to: Reading, decisions: Decisions): Promise<Review> {
  const { organization, revision } = decisions;
  const from = await revisionFrom(to, organization, revision);
  if (from === undefined || revision > to.at.revision) {
    throw new CommandError(
      `The report is of revision ${revision}, but it is compared with revision ${to.at.revision} of organization ${organization}; accepted: the same or a later one.`,
    );
  }
  const before = to.of(from);
  const readings = new Map([before, to].map((each) => [each.at.revision, each]));
  const readingOf = async (number: number) => {
    const known = readings.get(number);
    if (known !== undefined) return known;
    const at = await revisionFrom(to, organization, number);
    if (at?.revision !== number) return undefined;
    const reading = to.of(at);
    readings.set(number, reading);
    return reading;
  };
  const changes = await RoleChanges.of({ before, after: to }, readingOf);
  return { rows: followedRows(changes, outcomesOf(to, decisions)), from, to: to.at };
}

async function* followedRows(
  changes: RoleChanges,
  outcomes: AsyncIterable<readonly RowOutcome[]>,
): AsyncGenerator<readonly Followed[]> {
  for await (const rows of outcomes) {
    await changes.learn(rows.map(({ user }) => user));
    const followed: Followed[] = [];
    for (const row of rows) {
      const change = await changes.last(row.user, row.content, comparisonFor(row));
      followed.push(change === undefined ? row : { ...row, since: await sinceOf(change) });
    }
    yield followed;
  }
}

/**
 * What must have changed for an outcome: for `came` and `removed`, whether there is a role; for the others, which role.
 */
function comparisonFor({ outcome, now }: RowOutcome): (role: Role | undefined) => boolean {
  if (outcome === "came" || outcome === "removed") return (role) => role !== undefined;
  return (role) => role === now;
}

async function sinceOf({ at, causes, sides }: RoleChange): Promise<Since> {
  const names = namesIn(await modelOf(sides.before), await modelOf(sides.after));
  const texts = causes.map((cause) => plain(causePhrase(eventOf(cause), names, cause, false)));
  return { revision: at.revision, time: at.importedAt, change: texts.join(", and ") };
}

const TABLE = ["outcome", "content", "user", "decision", "was", "now", "reason", "since", "comment"] as const;
const CSV = [
  ["outcome", "content", "user", "decision", "was", "now", "reason", "record"],
  ["revision", "time", "change", "comment"],
].flat();

export const FOLLOWED: RowFormat<Followed> = {
  table: TABLE,
  cells: tableCells,
  csv: CSV,
  record: csvCells,
  object: ({ content, ...row }) => ({ ...row, content: { kind: kindOf(content), id: idOf(content) } }),
};

function tableCells(row: Followed): string[] {
  const { outcome, content, user, decision, was, now, reason, since, comment } = row;
  const when = since === undefined ? "" : `${since.change} (${since.time})`;
  return [outcome, content, user, decision, was, now, reason, when, comment];
}

function csvCells(row: Followed): string[] {
  const { outcome, content, user, decision, was, now, reason, record, since, comment } = row;
  const { revision = "", time = "", change = "" } = since ?? {};
  const giving = record === undefined ? "" : JSON.stringify(record);
  return [
    [outcome, content, user, decision, was, now, reason, giving],
    [String(revision), time, change, comment],
  ].flat();
}

/** The columns of outcomes on the explorer's page: names are the current ones. */
export const OUTCOME_COLUMNS = [
  ["outcome", "kind", "content", "title", "user", "name", "was", "now", "reason"],
  ["revision", "time", "change"],
].flat();

/** The cells of the given rows, which must all be of one content. Line ends in cells become spaces. */
export async function outcomeCells(reading: Reading, rows: readonly Followed[]): Promise<string[][]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { content } = first;
  const model = await modelOf(reading);
  const found = findContent(model, content);
  const title = found === undefined ? "" : contentTitle(model, found);
  return rows.map(({ outcome, user, was, now, reason, since }) => {
    const member = findMember(model, user);
    const name = member === undefined ? "" : personIn(model, member).displayName;
    const what = [outcome, kindOf(content), idOf(content), title, user, name, was, now, reason];
    const when = since === undefined ? ["", "", ""] : [String(since.revision), since.time, since.change];
    return [...what, ...when].map(oneLine);
  });
}
