/** The outcome of each row of a decided report, with the time, the revision and the cause. */
import { causePhrase } from "../../domain/explanation/cause.ts";
import { CommandError } from "../../domain/error.ts";
import { plain } from "../../domain/explanation/phrase.ts";
import type { Role } from "../../domain/role.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/log/names.ts";
import { revisionFrom } from "../../store/revisions/past/list.ts";
import type { Newcomers } from "./newcomers.ts";
import { outcomesOf, type RowOutcome } from "./outcomes.ts";
import { type RoleChange, RoleChanges } from "./role-changes.ts";
import type { DecidedRow } from "./row.ts";

/** The revision that gave a row its outcome. */
export interface Since {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** What changed in that revision, in words. */
  readonly change: string;
}

/** `since` is absent if the outcome is as old as the report, or if its revision was pruned. */
export interface Followed extends RowOutcome {
  readonly since?: Since;
}

/** A report with its decisions. */
export interface Decisions {
  readonly organization: string;
  /** The revision from which the report was made. */
  readonly revision: number;
  readonly rows: readonly DecidedRow[];
  /** Absent if the report covers only some people or roles; then no row has the outcome `came`. */
  readonly newcomers: Newcomers | undefined;
}

export interface Review {
  /** The rows in batches; all rows of a batch are of one content. */
  readonly rows: AsyncIterable<readonly Followed[]>;
  /** The earliest revision compared: that of the report, or the earliest readable one if that was pruned. */
  readonly from: Revision;
  readonly to: Revision;
}

/**
 * Finds the outcome of each row at revision `to`, while the rows are read. Throws a CommandError if the report is of a
 * later revision than `to`.
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
 * What must have changed in the revision that gave a row its outcome: for `came` and `removed`, whether there is a
 * role; otherwise, which role.
 */
function comparisonFor({ outcome, now }: RowOutcome): (role: Role | undefined) => boolean {
  if (outcome === "came" || outcome === "removed") return (role) => role !== undefined;
  return (role) => role === now;
}

async function sinceOf({ at, causes, sides }: RoleChange): Promise<Since> {
  const names = await namesOf(sides, causes);
  const texts = causes.map((cause) => plain(causePhrase(eventOf(cause), names, cause.revision, false)));
  return { revision: at.revision, time: at.importedAt, change: texts.join(", and ") };
}
