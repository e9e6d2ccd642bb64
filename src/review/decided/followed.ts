/** Finds the outcome of each row of a decided report, and when and why it came about. */
import { causePhrase } from "../../domain/difference.ts";
import { CommandError } from "../../domain/error.ts";
import { plain } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/log/names.ts";
import { revisionFrom } from "../../store/revisions/past/list.ts";
import type { Newcomers } from "./newcomers.ts";
import { outcomesOf, type RowOutcome } from "./outcomes.ts";
import { type RoleChange, RoleChanges } from "./role-changes.ts";
import type { DecidedRow } from "./row.ts";

/** The revision that made the outcome of a row. */
export interface Since {
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

export interface Decisions {
  readonly organization: string;
  /** The revision of the report. */
  readonly revision: number;
  readonly rows: readonly DecidedRow[];
  /** Absent if the report covers only some people or roles; then nobody has the outcome `came`. */
  readonly newcomers: Newcomers | undefined;
}

export interface Review {
  /** In batches, each with rows of one content. */
  readonly rows: AsyncIterable<readonly Followed[]>;
  /** The revision of the report or, if that is not kept, the earliest readable one. */
  readonly from: Revision;
  readonly to: Revision;
}

/**
 * Finds the outcomes at revision `to`, one batch at a time. Throws a CommandError if the report is of a later revision.
 */
export async function follow(
  to: Reading,
  { organization, revision, rows, newcomers }: Decisions,
): Promise<Review> {
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
  return { rows: followedRows(changes, outcomesOf(to, rows, newcomers)), from, to: to.at };
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
  const names = await namesOf(sides, causes);
  const texts = causes.map((cause) => plain(causePhrase(eventOf(cause), names, cause, false)));
  return { revision: at.revision, time: at.importedAt, change: texts.join(", and ") };
}
