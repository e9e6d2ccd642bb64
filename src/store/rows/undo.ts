/**
 * Undoes what was written in place but never published, because the process ended: the log of the revision, which was
 * written with the rows, names every one that was touched.
 */
import type { RecordChange } from "../../domain/record-change.ts";
import { type Connection, type Staging, statement, writeEach } from "../engine/engine.ts";
import { loggedIn } from "./log.ts";
import { CONTENT, MEMBER, type Place, SITE, TEAM } from "./tables.ts";

const WRITING = statement<[generation: number, revision: number]>(
  () => "SELECT generation, writing FROM generation WHERE writing IS NOT NULL",
);
const UNDONE = statement<never>(() => "UPDATE generation SET writing = NULL WHERE generation = $1");

/** Call it with the import lock, before anything else is written or pruned. If it is interrupted, the next call goes on. */
export async function undoUnpublished(staging: Staging): Promise<void> {
  for (const [generation, revision] of await staging.read(WRITING)) {
    if (!(await staging.answers(generation))) continue;
    const place = { generation, revision };
    for await (const records of loggedIn(staging, place))
      await staging.transaction((connection) => undo(connection, place, records));
    await staging.erase("record_change", generation, { only: revision });
    await staging.write(UNDONE, generation);
  }
}

async function undo(
  connection: Connection,
  { generation, revision }: Place,
  records: readonly RecordChange[],
): Promise<void> {
  const touched = [
    [TEAM, ({ kind, team }: RecordChange) => (kind === "team" ? team : undefined)],
    [
      CONTENT,
      ({ member, site, content }: RecordChange) => ((member ?? site) === undefined ? content : undefined),
    ],
    [SITE, ({ site }: RecordChange) => site],
    [MEMBER, ({ member }: RecordChange) => member],
  ] as const;
  for (const [table, idOf] of touched) {
    const ids = [...new Set(records.flatMap((record) => idOf(record) ?? []))].map((id) => [id]);
    await writeEach(connection, table.forget, [generation, revision], ids);
    await writeEach(connection, table.revive, [generation, revision], ids);
  }
}
