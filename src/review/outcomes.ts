/**
 * The outcome of each row of a decided report: what the user has today, since when and why, and who came since. Rows are
 * read content by content; `role-changes.ts` finds when a role changed.
 */
import { type Climbed, climb } from "../domain/causes.ts";
import { eventOf } from "../domain/changed-record.ts";
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { causePhrase } from "../domain/difference.ts";
import { CommandError } from "../domain/error.ts";
import type { Decision } from "../domain/ladder.ts";
import { type Titles, plain, reasonOf } from "../domain/reason.ts";
import type { Role } from "../domain/role.ts";
import { oneLine } from "../domain/text.ts";
import { namesIn } from "../model/difference-names.ts";
import type { RowFormat } from "../operations/csv.ts";
import { type Content, contents, ladderOf } from "../store/directory/contents.ts";
import { wholeMembers } from "../store/directory/members.ts";
import { personOf } from "../store/directory/person.ts";
import { titlesFor } from "../store/directory/titles.ts";
import { explainedMembers } from "../store/listings/entries.ts";
import { modelOf } from "../store/models.ts";
import type { Reading, Revision } from "../store/reading.ts";
import { type NewOf, accessWithin, contentBlocks, newSince } from "../store/report.ts";
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
  const newOf = await newSince(reading, newcomers?.scope ?? {});
  for (const [key, own] of byContent) {
    const at = await titledLadderOf(reading, key);
    if (at === undefined) {
      yield own.map((row) => removed(row, `the ${kindOf(key)} no longer exists`));
      continue;
    }
    for (let start = 0; start < own.length; start += ROWS_A_BLOCK) {
      const block = own.slice(start, start + ROWS_A_BLOCK);
      const members = await wholeMembers(reading, [...new Set(block.map(({ user }) => user))]);
      yield block.map((row) => outcomeOf(reading, row, weakest, at, climb(at.ladder, members.get(row.user))));
    }
    if (newcomers !== undefined)
      yield* came(reading, at, new Set(own.map(({ user }) => user)), newcomers, newOf);
  }
  if (newcomers?.where === undefined) return;
  // Contents and sites that do not exist any more have no newcomers.
  for await (const keys of contentBlocks(reading, newcomers.where, () => {})) {
    for (const key of keys) {
      const at = byContent.has(key) ? undefined : await titledLadderOf(reading, key);
      if (at !== undefined) yield* came(reading, at, new Set(), newcomers, newOf);
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
  weakest: Role | undefined,
  titled: TitledLadder,
  climbed: Climbed | undefined,
): RowOutcome {
  if (climbed === undefined) return removed(row, "no longer a member");
  const { role, ...names } = row;
  const { decision, ladder } = climbed;
  if (decision === undefined) {
    const isClosed = ladder.at(-1)?.defaultLevel === null;
    return removed(row, isClosed ? "closed, without a permission" : "a guest without a permission");
  }
  const differs = hasFallenBelow(role, decision.role, weakest) ? "below" : "changed";
  return {
    outcome: decision.role === role ? "still there" : differs,
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
  { scope }: Newcomers,
  newOf: NewOf | undefined,
): AsyncGenerator<readonly RowOutcome[]> {
  const access = await accessWithin(reading, titled.ladder, scope);
  for (let after: string | undefined; ;) {
    const { entries, next } = await explainedMembers(reading, access, { after, limit: ROWS_A_BLOCK });
    const isNew = await newOf?.(titled.key, entries);
    const others = entries.filter(({ id }) => !known.has(id) && isNew?.has(id) !== false);
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

/** The fields that identify a record, and the one with its role. */
type GivingRecord = Readonly<Record<string, string | null>>;

/** The record that gives a user the role of a decision. */
function givingRecord(
  { at: { organization } }: Pick<Reading, "at">,
  user: string,
  { rule, role, level, team }: Decision,
): GivingRecord {
  if (level === undefined) return { object: "member", organization, user, role };
  const kind = kindOf(level.content);
  const id = idOf(level.content);
  if (rule === "default") return { object: kind, id, defaultLevel: role };
  const grantee = team === undefined ? { user } : { team };
  return { object: "permission", [kind]: id, ...grantee, permission: role };
}

interface TitledLadder {
  readonly key: ContentKey;
  readonly ladder: readonly Content[];
  readonly titles: Titles;
}

/** `undefined` if the content does not exist. */
export async function titledLadderOf(reading: Reading, key: ContentKey): Promise<TitledLadder | undefined> {
  const loaded = await contents(reading, [key]);
  const content = loaded.get(key);
  return content && { key, ladder: ladderOf(content, loaded), titles: await titlesFor(reading, loaded) };
}

/** What gives a role, in words. */
export function reasonAt({ key, titles }: TitledLadder, decision: Decision): string {
  return plain(reasonOf(key, decision, titles).because);
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
  const [loaded, members] = await Promise.all([
    contents(reading, [content]),
    wholeMembers(reading, [...new Set(rows.map(({ user }) => user))]),
  ]);
  const title = loaded.get(content)?.title ?? "";
  return rows.map(({ outcome, user, was, now, reason, since }) => {
    const member = members.get(user);
    const name = member === undefined ? "" : personOf(member).displayName;
    const what = [outcome, kindOf(content), idOf(content), title, user, name, was, now, reason];
    const when = since === undefined ? ["", "", ""] : [String(since.revision), since.time, since.change];
    return [...what, ...when].map(oneLine);
  });
}
