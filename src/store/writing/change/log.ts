/** Writes the log of changed records, from which differences, causes and histories are computed. */
import { loggedOf, renaming } from "../resolve/logged.ts";
import { statement, writeEach } from "../../engine/engine.ts";
import { rowOfRecord } from "../../schema/record-change.ts";
import type { StoredChange } from "./record-change.ts";
import type { Writing } from "./writing.ts";

const LOG = statement<never>(
  ({ given }) => `
    INSERT INTO record_change (generation, revision, number, kind, member, team, content, site, was, becomes)
      SELECT CAST($1 AS bigint), CAST($2 AS bigint), given.*
        FROM ${given(["number", "number", "text", "text", "text", "text", "text", "text"], 3)}`,
);

/** Logs the records that a change adds, changes and removes. `title` is the organization's title before and after. */
export async function logChanges(
  { connection, generation, revision }: Writing,
  title: readonly [before: string, after: string],
  changes: readonly StoredChange[],
): Promise<void> {
  const all = [...renaming(...title), ...changes.flatMap(loggedOf)];
  const rows = all.map((record, index) => [index + 1, ...rowOfRecord(record)]);
  await writeEach(connection, LOG, [generation, revision], rows);
}
