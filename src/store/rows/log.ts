/** The log: the records that each revision added, changed and removed. */
import type { RecordChange } from "../../domain/record-change.ts";
import { type Connection, statement, writeEach } from "../engine/engine.ts";
import { recordColumns, recordOfRow, type RecordRow, rowOfRecord } from "../schema/record-change.ts";
import type { Place } from "./tables.ts";

const ADD = statement<never>(
  ({ given }) => `
    INSERT INTO record_change (generation, revision, number, kind, member, team, content, site, was, becomes)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint), given.*
        FROM ${given(["number", "number", "text", "text", "text", "text", "text", "text"], 3)}`,
);

/**
 * Writes changed records, from which differences, causes and histories are computed. `before` is how many records of the
 * revision are logged already.
 */
export async function writeLog(
  connection: Connection,
  { generation, revision }: Place,
  records: readonly RecordChange[],
  before = 0,
): Promise<void> {
  const rows = records.map((record, index) => [before + index + 1, ...rowOfRecord(record)]);
  await writeEach(connection, ADD, [generation, revision], rows);
}

/** How many records are read at once. */
const RECORDS_A_BLOCK = 2000;

const LOGGED = statement<[number: number, ...record: RecordRow]>(
  () => `
    SELECT c.number, ${recordColumns("c")} FROM record_change c
      WHERE c.generation = $1 AND c.revision = $2 AND c.number > $3 ORDER BY c.number LIMIT ${RECORDS_A_BLOCK}`,
);

/** The logged records of a revision, in blocks. */
export async function* logged(
  connection: Pick<Connection, "read">,
  { generation, revision }: Place,
): AsyncGenerator<RecordChange[]> {
  for (let last = 0; ;) {
    const rows = await connection.read(LOGGED, generation, revision, last);
    if (rows.length === 0) return;
    yield rows.map(([, ...record]) => recordOfRow(record));
    last = rows.at(-1)?.[0] ?? last;
  }
}
