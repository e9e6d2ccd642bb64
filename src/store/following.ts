/** Makes the model of a revision from that of another one near by, later or earlier, by what the log has between them. */
import type { RecordChange } from "../domain/record-change.ts";
import { Checksum } from "../model/checksum.ts";
import type { Model } from "../model/model.ts";
import { next } from "../model/next.ts";
import { shortLog } from "./revisions/diff/log.ts";
import type { Reading, Revision } from "./reading.ts";
import { revisionRow, type RevisionRow } from "./rows/revision-row.ts";
import { workInTurns } from "./turns.ts";

/**
 * The longest log that is followed, in rows: a share of the records of the organization, each of which a load reads in a
 * fortieth of the time of such a row, but not more than what is held in memory meanwhile.
 */
const LEAST = 500;
const MOST = 50_000;
const SHARE = 1 / 40;

/**
 * The model of the revision that `reading` reads, from one of another revision of its generation; `undefined` if the log
 * between them is so long that loading is faster. The caller checks afterwards that both revisions are still kept, else
 * rows of the log may have been deleted meanwhile. Throws an {@link UnfitError} if the log does not fit the model.
 */
export async function followed(reading: Reading, revision: number, model: Model): Promise<Model | undefined> {
  const { at } = reading;
  const isUndone = at.revision < revision;
  const [earlier, later] = isUndone ? [at.revision, revision] : [revision, at.revision];
  const changes = await shortLog(reading, at.generation, earlier, later, longest(at));
  if (changes === undefined) return undefined;
  const { generation } = at;
  const before = await revisionRow(reading, { generation, revision: earlier });
  const after = await revisionRow(reading, { generation, revision: later });
  try {
    mustLead(before, after, changes);
    return await workInTurns(next(model, isUndone ? changes.map(undone) : changes));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnfitError(
      `The log of organization ${at.organization} from revision ${earlier} to ${later} does not fit what is in memory (${reason}); revision ${at.revision} was loaded anew.`,
      { cause },
    );
  }
}

/** Throws an Error if the changes do not lead from the records of one revision to those of another. */
function mustLead(
  before: RevisionRow | undefined,
  after: RevisionRow | undefined,
  changes: readonly RecordChange[],
): void {
  const reached = new Checksum(before?.checksum);
  reached.change(changes);
  if (reached.toString() !== after?.checksum)
    throw new Error(`it leads to the checksum ${reached}, not ${after?.checksum}`);
}

/** What is in memory is not the state that the log continues. */
export class UnfitError extends Error {
  override readonly name = "UnfitError";
}

function longest({ counts: { members, teamMembers, spaces, collections, permissions } }: Revision): number {
  const records = members + teamMembers + spaces + collections + permissions;
  return Math.min(MOST, Math.max(LEAST, records * SHARE));
}

function undone({ was, becomes, ...change }: RecordChange): RecordChange {
  return { ...change, was: becomes, becomes: was };
}
