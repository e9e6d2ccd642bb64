/**
 * Compares the rows of an organization with the checksums of its revisions: the current rows with that of the current
 * revision, and each earlier one with what the log says of the records between.
 */
import { Checksum, checksumOf } from "../../model/checksum.ts";
import { type Connection, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
import { workInTurns } from "../turns.ts";
import { readModel } from "./load.ts";
import { logged } from "./log.ts";
import { type RevisionRow, revisionRow } from "./revision-row.ts";

/** A revision that is not what it was. */
export interface WrongRevision {
  readonly revision: number;
  /** `rows`: its rows are missing or others; `log`: the log does not lead to it. */
  readonly what: "rows" | "log";
  readonly reason: string;
}

const REVISIONS = statement<[revision: number, checksum: string]>(
  () => `
    SELECT r.revision, r.checksum FROM revision_row r
      WHERE r.generation = $1 AND r.revision <= $2 ORDER BY r.revision DESC`,
);
/** The revisions of the current generation that are wrong, latest first. */
export async function wrongRevisions(
  reader: Pick<Connection, "read">,
  at: Pick<Revision, "organization" | "title" | "generation" | "revision">,
): Promise<WrongRevision[]> {
  const wrong: WrongRevision[] = [];
  const row = await revisionRow(reader, at);
  const reason = row === undefined ? "it has no checksum" : await faultOf(reader, at, row);
  if (reason !== undefined) wrong.push({ revision: at.revision, what: "rows", reason });
  let [later, expected]: [number | undefined, Checksum] = [undefined, new Checksum()];
  for (const [revision, checksum] of await reader.read(REVISIONS, at.generation, at.revision)) {
    if (later !== undefined) {
      for await (const records of logged(reader, { generation: at.generation, revision: later }))
        expected.change(records.map((record) => ({ ...record, was: record.becomes, becomes: record.was })));
      if (expected.toString() !== checksum)
        wrong.push({ revision, what: "log", reason: `the log of revision ${later} does not lead to it` });
    }
    [later, expected] = [revision, new Checksum(checksum)];
  }
  return wrong;
}

async function faultOf(
  reader: Pick<Connection, "read">,
  at: Pick<Revision, "organization" | "title" | "generation" | "revision">,
  { sizes, checksum }: RevisionRow,
): Promise<string | undefined> {
  try {
    const model = await readModel(reader, at, sizes);
    const found = await workInTurns(checksumOf(model));
    return found === checksum ? undefined : `its records have the checksum ${found}, not ${checksum}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
