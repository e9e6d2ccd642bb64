/** Databases with the tables of rows, and organizations in them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { RecordChange } from "../../../src/domain/record-change.ts";
import type { Model } from "../../../src/model/model.ts";
import { readWholeFiles } from "../../../src/snapshot/whole-file.ts";
import { type Connection, type Engine, type Staging, statement } from "../../../src/store/engine/engine.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import type { Revision } from "../../../src/store/reading.ts";
import { currentOf, point, numbered } from "../../../src/store/revisions/publication.ts";
import { Ordered } from "../../../src/store/writing/file/file-rows.ts";
import { compareFiles, type FileChange } from "../../../src/store/writing/file/difference.ts";
import { undoUnpublished } from "../../../src/store/rows/undo.ts";
import type { IsWhole } from "../../../src/store/writing/file/write-file.ts";
import { publishFiles } from "../../../src/store/writing/publish.ts";
import { loadModel, type Loaded } from "../../../src/store/rows/load.ts";
import { addRevisionRow, Totals } from "../../../src/store/rows/revision-row.ts";
import { writeChange } from "../../../src/store/writing/write-change.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import type { OpenPlace } from "../../world.ts";

/** Runs `work` on a new database. */
export async function withRows(open: OpenPlace, work: (engine: Engine) => Promise<void>): Promise<void> {
  const place = await open();
  try {
    const engine = await openEngine(place.url);
    try {
      await work(engine);
    } finally {
      await engine.close();
    }
  } finally {
    await place.dispose();
  }
}

const NOBODY = { guest: 0, read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
const SOURCE = { command: "apply", note: undefined, input: undefined, id: undefined } as const;
const BEGIN = statement<never>(() => "INSERT INTO generation (generation, organization) VALUES ($1, $2)");

/** Founds an organization without records. */
export async function found(engine: Engine, organization: string, generation: number): Promise<Revision> {
  await engine.transaction(async (connection) => {
    await connection.write(BEGIN, generation, organization);
    const publication = await numbered(connection, { organization, base: undefined }, Date.now());
    const totals = new Totals();
    totals.change([{ kind: "organization", was: undefined, becomes: organization }]);
    await addRevisionRow(connection, { generation, revision: publication.revision }, totals);
    const none = {
      teams: 0,
      teamMembers: 0,
      collections: 0,
      spaces: 0,
      sites: 0,
      siteSpaces: 0,
      permissions: 0,
    };
    const counts = { members: 0, roles: NOBODY, ...none };
    const revision = {
      organization,
      base: undefined,
      generation,
      title: organization,
      counts,
      source: SOURCE,
    };
    await point(connection, revision, publication);
  });
  return currentRevision(engine, organization);
}

export async function currentRevision(
  connection: Pick<Connection, "dialect" | "read" | "remote">,
  organization: string,
): Promise<Revision> {
  const current = await currentOf(connection, organization);
  if (current === undefined) throw new Error(`There is no organization ${organization}.`);
  return current.at;
}

/** Applies a change to an organization as it is now. */
export async function apply(
  engine: Engine,
  organization: string,
  records: readonly RecordChange[],
): Promise<Revision> {
  await engine.transaction(async (connection) => {
    const current = await currentRevision(connection, organization);
    await writeChange(connection, current, records, SOURCE, Date.now());
  });
  return currentRevision(engine, organization);
}

/**
 * Imports records, after what was left unpublished is undone. `between` is called when they are compared, and returns
 * what they are written with.
 */
export async function imported(
  engine: Engine,
  records: readonly SnapshotRecord[],
  isWhole?: IsWhole,
  between: (staging: Staging, changes: readonly FileChange[]) => Promise<Staging> = async (staging) =>
    staging,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-test-"));
  const file = join(folder, "file.ndjson");
  writeFileSync(file, toLines(records));
  await engine.importing(
    async (staging) => {
      await undoUnpublished(staging);
      const { staged } = await readWholeFiles([file]);
      const changes = await compareFiles(staging, new Ordered(staged), true);
      const over = await between(staging, changes);
      await publishFiles(engine, over, changes, { ...SOURCE, command: "import" }, { isWhole });
    },
    () => {},
  );
  rmSync(folder, { recursive: true });
}

export async function loaded(engine: Engine, at: Revision): Promise<Loaded & { readonly model: Model }> {
  const found = await loadModel(engine, at);
  if (found === undefined) throw new Error(`The rows of revision ${at.revision} are not there.`);
  const { sizes } = found.row;
  const { members, contents, sites } = found.model;
  expect(members.ids.ends.at(-1) ?? 0).toBe(sizes.memberBytes);
  expect(members.profiles.ends.at(-1) ?? 0).toBe(sizes.profileBytes);
  expect(members.teams.entries).toHaveLength(sizes.memberships);
  expect(members.permissions.entries.length + sites.users.entries.length).toBe(sizes.permissions);
  expect(contents.teams.entries).toHaveLength(sizes.teamPermissions);
  return found;
}

/** The oracle's facts have no titles of organizations, so these are their ids. */
export function titledById(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  return records.map((record) =>
    record.object === "organization" ? { ...record, title: record.id } : record,
  );
}
