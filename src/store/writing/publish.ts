/**
 * Publishes whole files and changes. What is much is written before the transaction that makes it current, where nobody
 * sees it; a change of few records in this transaction. An examination comes before anything is written.
 */
import { RECORD_KINDS, type RecordChange } from "../../domain/record-change.ts";
import { next } from "../../model/next.ts";
import type { Connection, Engine, Staging } from "../engine/engine.ts";
import { limit } from "../limit.ts";
import { modelOf } from "../models.ts";
import { Reading } from "../reading.ts";
import {
  becomeVisible,
  type ChangeSource,
  confirm,
  numbered,
  point,
  type Published,
} from "../revisions/publication.ts";
import { addRevisionRow } from "../rows/revision-row.ts";
import { dropTokens } from "../tokens.ts";
import { inBlocks, workInTurns } from "../turns.ts";
import { type FileChange, isWritten } from "./file/difference.ts";
import { modelOfFile } from "./file/file-model.ts";
import { type IsWhole, usuallyWhole, writeFile, type Written } from "./file/write-file.ts";
import { claim, RECORDS_A_BLOCK, writeInPlace } from "./in-place.ts";
import { countsAfter, type Examination } from "./organization-change.ts";
import { totalsOf, writeChange } from "./write-change.ts";

/** A change of more records is written in several transactions, so that it does not keep other writers waiting. */
const LARGEST_CHANGE = limit("change.largest", 10_000);

interface PublishOptions {
  /** Receives the number of rows written since its last call. */
  readonly progress?: (rows: number) => void;
  readonly isWhole?: IsWhole | undefined;
  readonly examination?: Examination | undefined;
}

/**
 * Publishes compared files, as `compareFiles` returns them: one transaction makes all that is written current. Returns
 * the revisions that readers see now; `undefined` at the end of a dry run. Throws a CommandError if another process has
 * changed an organization since.
 */
export async function publishFiles(
  engine: Engine,
  staging: Staging,
  changes: readonly FileChange[],
  source: ChangeSource,
  { progress = () => {}, isWhole = usuallyWhole, examination }: PublishOptions = {},
): Promise<readonly Published[] | undefined> {
  if (examination !== undefined) {
    for (const change of changes) await examine(staging, change, examination);
    if (examination.isRehearsal) return undefined;
  }
  const written: Written[] = [];
  for (const change of changes.filter(isWritten))
    written.push(await writeFile(staging, change, isWhole, progress));
  await staging.mustHaveWritten(
    written.flatMap(({ generation, reserved }) => (reserved === undefined ? generation : [])),
  );
  const now = Date.now();
  const published = await staging.transaction(async (connection) => {
    const revisions: Published[] = [];
    for (const each of written) {
      const one = await publishFile(connection, each, source, now);
      await examination?.record(connection, one.organization, one.revision);
      revisions.push(one);
    }
    for (const change of changes) {
      const { organization, stored } = change;
      if (isWritten(change) || stored === undefined) continue;
      await confirm(connection, organization, source, new Date(now).toISOString());
      await examination?.record(connection, organization, stored.at.revision);
    }
    if (revisions.length > 0) await engine.announce(connection, "revisions");
    return revisions;
  });
  await becomeVisible(engine, published);
  return published;
}

async function examine(staging: Staging, change: FileChange, examination: Examination): Promise<void> {
  const { organization, stored, rows } = change;
  // A damaged organization has no state before.
  const before =
    stored === undefined || change.isDamaged ? undefined : await modelOf(new Reading(staging, stored.at));
  const isSame = before !== undefined && !isWritten(change);
  const after = isSame ? before : await workInTurns(modelOfFile(organization, rows));
  await examination.examine({ organization, before, after, reader: staging });
}

/** Makes what is written of an organization its current revision. */
async function publishFile(
  connection: Connection,
  { change, generation, totals, reserved }: Written,
  source: ChangeSource,
  now: number,
): Promise<Published> {
  const { organization, title, counts, stored, kinds } = change;
  const base = stored?.at.revision;
  const publication =
    reserved === undefined || stored === undefined
      ? await numbered(connection, { organization, base }, now)
      : await claim(connection, stored.at, reserved, now);
  await addRevisionRow(connection, { generation, revision: publication.revision }, totals);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  if (kinds.member.removed > 0)
    await dropTokens(connection, organization, { generation, revision: publication.revision });
  return { organization, generation, revision: publication.revision };
}

/**
 * Publishes valid changed records of one organization, as `writeChange` takes them, as the revision after `now`; without
 * records, the organization is confirmed. Returns the revision that readers see now; `undefined` without records and at
 * the end of a dry run.
 */
export async function publishChange(
  engine: Engine,
  staging: Staging,
  now: Reading,
  { title, records }: { readonly title: string; readonly records: readonly RecordChange[] },
  source: ChangeSource,
  examination?: Examination,
): Promise<Published | undefined> {
  const { organization, generation, revision: base } = now.at;
  if (examination !== undefined) {
    const before = await modelOf(now);
    const after = records.length === 0 ? before : await workInTurns(next(before, records));
    await examination.examine({ organization, before, after, reader: staging });
    if (examination.isRehearsal) return undefined;
  }
  const written =
    records.length > LARGEST_CHANGE
      ? await writeInPlace(
          staging,
          now.at,
          await totalsOf(staging, now.at),
          inBlocks(byKind(records), RECORDS_A_BLOCK),
          () => {},
        )
      : undefined;
  const time = Date.now();
  const published = await staging.transaction(async (connection) => {
    let revision = base;
    if (written !== undefined) {
      const publication = await claim(connection, now.at, written.reserved, time);
      ({ revision } = publication);
      await addRevisionRow(connection, { generation, revision }, written.totals);
      const counts = countsAfter(now.at.counts, records);
      await point(connection, { organization, base, generation, title, counts, source }, publication);
      await dropTokens(connection, organization, { generation, revision });
    } else if (records.length > 0)
      ({ revision } = await writeChange(connection, now.at, records, source, time));
    else await confirm(connection, organization, source, new Date(time).toISOString());
    await examination?.record(connection, organization, revision);
    if (revision !== base) await engine.announce(connection, "revisions");
    return { organization, generation, revision };
  });
  if (published.revision === base) return undefined;
  await becomeVisible(engine, [published]);
  return published;
}

/** What has a list comes before its entries. */
function byKind(records: readonly RecordChange[]): RecordChange[] {
  return records.toSorted((a, b) => RECORD_KINDS.indexOf(a.kind) - RECORD_KINDS.indexOf(b.kind));
}
