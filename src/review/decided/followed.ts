/** What became of the rows of a decided report, with when, in which revision, and because of what. */
import { causePhrase } from "../../domain/explanation/cause.ts";
import { CommandError } from "../../domain/error.ts";
import { plain } from "../../domain/explanation/phrase.ts";
import type { Role } from "../../domain/role.ts";
import type { Reader } from "../../store/engine/engine.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/names.ts";
import { revisionFrom } from "../../store/revisions/list.ts";
import { outcomesOf, type RowOutcome, type Newcomers } from "./outcomes.ts";
import { type RoleChange, RoleChanges } from "./role-changes.ts";
import type { DecidedRow } from "./row.ts";

/** Since when a row is as it is. */
export interface Since {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** What changed in that revision, in words. */
  readonly change: string;
}

/** Absent: it was so in the report already, or the revision in which it changed is no longer kept. */
export interface Followed extends RowOutcome {
  readonly since?: Since;
}

/** A report as it was decided upon. */
export interface Decisions {
  readonly organization: string;
  /** The revision that the report is of. */
  readonly revision: number;
  readonly rows: readonly DecidedRow[];
  /** Absent if the report covers some people or roles only: then no row has the outcome `came`. */
  readonly newcomers: Newcomers | undefined;
}

export interface Review {
  /** Some at a time, those of a content together. */
  readonly rows: AsyncIterable<readonly Followed[]>;
  /** The revision from which on changes are known: that of the report, or the earliest that is kept. */
  readonly from: Revision;
  readonly to: Revision;
}

/**
 * Follows the rows of a report up to a revision, while they are read. `read` reads another revision. Throws a CommandError where the report is
 * of a later one.
 */
export async function follow(
  reader: Reader,
  to: Reading,
  read: (at: Revision) => Reading,
  { organization, revision, rows, newcomers }: Decisions,
): Promise<Review> {
  const from = await revisionFrom(reader, organization, revision);
  if (from === undefined || revision > to.at.revision) {
    throw new CommandError(
      `The report is of revision ${revision}, and what is looked at is revision ${to.at.revision} of organization ${organization}; accepted: the same or a later one.`,
    );
  }
  const before = read(from);
  const readings = new Map([before, to].map((each) => [each.at.revision, each]));
  const readingOf = async (number: number) => {
    const known = readings.get(number);
    if (known !== undefined) return known;
    const at = await revisionFrom(reader, organization, number);
    if (at?.revision !== number) return undefined;
    const reading = read(at);
    readings.set(number, reading);
    return reading;
  };
  const changes = await RoleChanges.of(reader, { before, after: to }, readingOf);
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

/** What of a role is followed: of who came or has none any more, whether there is one; of others, which one. */
function comparisonFor({ outcome, now }: RowOutcome): (role: Role | undefined) => boolean {
  if (outcome === "came" || outcome === "removed") return (role) => role !== undefined;
  return (role) => role === now;
}

async function sinceOf({ at, causes, sides }: RoleChange): Promise<Since> {
  const names = await namesOf(sides, causes);
  const texts = causes.map((cause) => plain(causePhrase(eventOf(cause), names, cause.revision, false)));
  return { revision: at.revision, time: at.importedAt, change: texts.join(", and ") };
}
