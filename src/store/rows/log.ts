/** The log: the records that each revision added, changed and removed. */
import type { RecordChange } from "../../domain/record-change.ts";
import { type Connection, statement, writeEach } from "../engine/engine.ts";
import { recordColumns, recordOfRow, type RecordRow, rowOfRecord } from "../schema/record-change.ts";
import { limit } from "../limit.ts";
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

export type LoggedRow = [revision: number, ...record: RecordRow];

/** SQL: the columns of a {@link LoggedRow}. */
export const LOGGED_COLUMNS = `c.revision, ${recordColumns("c")}`;
const LOGGED = statement<[number: number, ...LoggedRow]>(
  () => `
    SELECT c.number, ${LOGGED_COLUMNS} FROM record_change c
      WHERE c.generation = $1 AND (c.revision, c.number) > ($2, $3) AND c.revision <= $4
      ORDER BY c.revision, c.number LIMIT $5`,
);
/** How many records one statement reads: others wait for it. */
const RECORDS_A_BLOCK = limit("log.block", 500);

/** The log of a generation from one revision up to another, in order, in blocks. */
export async function* logged(
  connection: Pick<Connection, "read">,
  generation: number,
  first: number,
  last: number,
): AsyncGenerator<LoggedRow[]> {
  // Numbers begin with 1.
  for (let [revision, number] = [first, 0]; ;) {
    const rows = await connection.read(LOGGED, generation, revision, number, last, RECORDS_A_BLOCK);
    yield rows.map(([, ...row]) => row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < RECORDS_A_BLOCK) return;
    [number, revision] = end;
  }
}

/** The logged records of one revision, in blocks. */
export async function* loggedIn(
  connection: Pick<Connection, "read">,
  { generation, revision }: Place,
): AsyncGenerator<RecordChange[]> {
  for await (const rows of logged(connection, generation, revision, revision))
    yield rows.map(([, ...record]) => recordOfRow(record));
}
