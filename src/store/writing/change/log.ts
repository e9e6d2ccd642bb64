/** Writes the log of changed records, from which differences, causes and histories are computed. */
import { loggedOf, renaming } from "../resolve/logged.ts";
import { statement } from "../../engine/engine.ts";
import { KINDS } from "../generation/difference/difference.ts";
import type { RecordChange } from "./record-change.ts";
import type { Writing } from "./writing.ts";

const LOG = statement<never>(
  () => `
    INSERT INTO record_change (generation, revision, number, kind, member, team, content, site, was, becomes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** Logs the records that a change adds, changes and removes. `title` is the organization's, before and after. */
export async function logChanges(
  { connection, generation, revision }: Writing,
  title: readonly [before: string, after: string],
  changes: readonly RecordChange[],
): Promise<void> {
  for (const [index, logged] of [...renaming(...title), ...changes.flatMap(loggedOf)].entries()) {
    const { kind, member, team, content, site } = logged;
    const texts = [member, team, content, site, logged.was, logged.becomes].map((text) => text ?? null);
    await connection.write(LOG, generation, revision, index + 1, KINDS.indexOf(kind), ...texts);
  }
}
