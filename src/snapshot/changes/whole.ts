/** Applies a large change as an import of the whole organization. */
import { CommandError } from "../../domain/error.ts";
import type { ChangeSource } from "../../store/writing/change/record-change.ts";
import { currentOf } from "../../store/revisions/publication.ts";
import { keyOfRecord, type RecordChange } from "../../store/schema/record-change.ts";
import type { Engine, Staging } from "../../store/engine/engine.ts";
import { EndOfRehearsal, type Examination } from "../../store/writing/generation/publish.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { Store } from "../../store/store.ts";
import { beforeAndAfter, exportLines } from "../export.ts";
import { importInto } from "../import.ts";
import { recordKey } from "../records.ts";

/** Writes the current revision with valid changes as a new generation. Returns the number of the new revision. */
export async function writeWhole(
  engine: Engine,
  staging: Staging,
  organization: string,
  changes: readonly RecordChange[],
  source: ChangeSource,
  examination?: Examination,
): Promise<number> {
  await readConsistently(new Store(engine, 1), organization, (at, reader) => {
    const pieces = changedLines(exportLines(reader, at), organization, changes);
    const whole = { name: `the records of ${organization}, changed`, pieces };
    const options = { allowRemovals: true, allowEmpty: true, changeLimit: () => 0, examination };
    return importInto(engine, staging, [whole], options, () => source);
  });
  if (examination?.isRehearsal === true) throw new EndOfRehearsal();
  const written = await currentOf(staging, organization);
  if (written === undefined) throw new CommandError(`Organization ${organization} is gone.`);
  return written.at.revision;
}

async function* changedLines(
  lines: AsyncIterable<string>,
  organization: string,
  changes: readonly RecordChange[],
): AsyncGenerator<string> {
  const left = new Map(changes.map((change) => [keyOfRecord(change), change]));
  for await (const line of lines) {
    const key = keyOfRecord(recordKey(JSON.parse(line)));
    const change = left.get(key);
    if (change === undefined) yield `${line}\n`;
    else yield lineAfter(organization, change);
    left.delete(key);
  }
  for (const change of left.values()) yield lineAfter(organization, change);
}

/** The line of a record after its change; empty for a removed record. */
function lineAfter(organization: string, change: RecordChange): string {
  const names = { user: undefined, teamTitle: undefined, contentTitle: undefined, siteTitle: undefined };
  const { after } = beforeAndAfter({ organization, ...change, ...names });
  return after === undefined ? "" : `${JSON.stringify(after)}\n`;
}
