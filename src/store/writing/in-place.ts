/**
 * Changes the rows of the current generation under a reserved number, in several transactions. Readers do not see it,
 * because the rows hold from a revision on that nobody reads yet. The log of the revision is written with the rows: by
 * it, the next writer undoes what is not published (`rows/undo.ts`).
 */
import { CommandError } from "../../domain/error.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { RecordChange } from "../../domain/record-change.ts";
import { Checksum } from "../../model/checksum.ts";
import { type Connection, type Staging, statement } from "../engine/engine.ts";
import { limit } from "../limit.ts";
import type { Revision } from "../reading.ts";
import { currentOf, numbered, type Publication } from "../revisions/publication.ts";
import { editRows } from "../rows/edit-rows.ts";
import { writeLog } from "../rows/log.ts";
import { Totals } from "../rows/revision-row.ts";

/** How many records are written in one transaction. */
export const RECORDS_A_BLOCK = limit("change.block", 2000);

const RESERVE = statement<never>(() => "UPDATE generation SET writing = $2 WHERE generation = $1");
const PUBLISHED = statement<never>(() => "UPDATE generation SET writing = NULL WHERE generation = $1");

/** What is written in place, but not yet current. */
export interface WrittenInPlace {
  readonly reserved: Publication;
  readonly totals: Totals;
}

/**
 * Writes the changed records of the next revision of `at`, whose totals are given, in the order of their kinds. `progress`
 * receives the number of records written since its last call.
 */
export async function writeInPlace(
  staging: Staging,
  { organization, generation, revision: base }: Revision,
  { sizes, checksum }: Totals,
  blocks: AsyncIterable<readonly RecordChange[]>,
  progress: (records: number) => void,
): Promise<WrittenInPlace> {
  const reserved = await staging.transaction(async (connection) => {
    const next = await numbered(connection, { organization, base }, Date.now());
    await connection.write(RESERVE, generation, next.revision);
    return next;
  });
  const place = { generation, revision: reserved.revision };
  const totals = new Totals(sizes, new Checksum(checksum.toString()));
  const promised = new Map<ContentKey, number>();
  let done = 0;
  for await (const records of blocks) {
    await staging.transaction(async (connection) => {
      await writeLog(connection, place, records, done);
      await editRows(connection, place, records, totals.sizes, promised);
    });
    totals.change(records);
    done += records.length;
    progress(records.length);
  }
  for (const content of promised.keys()) throw new Error(`The changes name ${content}, which is not there.`);
  return { reserved, totals };
}

/**
 * The number and the time of what was written in place. Call it in the transaction that publishes it: nobody may have
 * read the revision at an earlier time than now.
 */
export async function claim(
  connection: Connection,
  { organization, generation, revision: base }: Pick<Revision, "organization" | "generation" | "revision">,
  { revision, importedAt }: Publication,
  now: number,
): Promise<Publication> {
  const current = await currentOf(connection, organization);
  if (current?.at.revision !== base) {
    throw new CommandError(
      `Organization ${organization} was changed by another command; nothing was changed. Run this again.`,
    );
  }
  await connection.write(PUBLISHED, generation);
  return { revision, importedAt: new Date(Math.max(now, Date.parse(importedAt))).toISOString() };
}
