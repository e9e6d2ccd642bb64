/** The writer of a change: the rows that its records touch, the log and the revision, in one transaction. */
import { CommandError } from "../../domain/error.ts";
import { Checksum } from "../../model/checksum.ts";
import type { RecordChange } from "../../domain/record-change.ts";
import type { Connection } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
import { type ChangeSource, numbered, point, type Publication } from "../revisions/publication.ts";
import { dropTokens } from "../tokens.ts";
import { countsAfter, titleAfter } from "./organization-change.ts";
import { editRows } from "../rows/edit-rows.ts";
import { writeLog } from "../rows/log.ts";
import { addRevisionRow, revisionRow, Totals } from "../rows/revision-row.ts";

/**
 * Writes a valid change (docs/changes.md) as one revision, and makes it the current one. The cost depends only on the
 * size of the change. `current` is the revision on which the change is based, which must be the current one; `records`
 * are in any order, without duplicates, and include the dependents of removed records, and the user record of a member
 * who joins or leaves. Call it in a transaction that then announces the revision. Throws a CommandError if another
 * process has changed the organization since.
 */
export async function writeChange(
  connection: Connection,
  current: Revision,
  records: readonly RecordChange[],
  source: ChangeSource,
  now: number,
): Promise<Publication> {
  const { organization, generation, revision: base } = current;
  const publication = await numbered(connection, { organization, base }, now);
  const place = { generation, revision: publication.revision };
  const totals = await totalsOf(connection, current);
  totals.change(records);
  await editRows(connection, place, records, totals.sizes);
  await writeLog(connection, place, records);
  await addRevisionRow(connection, place, totals);
  const title = titleAfter(current.title, records);
  const counts = countsAfter(current.counts, records);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  const leaves = ({ kind, becomes }: RecordChange) => kind === "member" && becomes === undefined;
  if (records.some(leaves)) await dropTokens(connection, organization, place);
  return publication;
}

/** The totals of a revision, on which those of the next one are based. Throws a CommandError if its rows are not visible. */
export async function totalsOf(connection: Connection, at: Revision): Promise<Totals> {
  const row = await revisionRow(connection, at);
  if (row !== undefined) return new Totals(row.sizes, new Checksum(row.checksum));
  throw new CommandError(
    `Revision ${at.revision} of organization ${at.organization} is committed, but its node does not show it yet; nothing was changed. Run this again.`,
  );
}
