import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { endedRows } from "../store/revisions/ended.ts";
import { SMALL } from "../store/writing/imports.ts";
import type { World } from "../world.ts";
import { rolebook as rolebookHere } from "../command.ts";
import { rolebook } from "./program.ts";
import { opened } from "./states.ts";
import { temporaryFolder } from "../folder.ts";

/** `kill -9` during pruning: readable revisions stay complete, and the next import deletes what is left. */

const KILL_AT = new URL("kill-at.ts", import.meta.url).pathname;
const PLACES = 5;

const folder = temporaryFolder();
const base = join(folder, "base.db");
const path = join(folder, "rolebook.db");
const log = join(folder, "calls");
/** The file of the last import. Importing it again changes nothing, and prunes. */
let file: string;

const named = (name: string) =>
  SMALL.map((record) => (record.object === "user" ? { ...record, displayName: name } : record));

/** A database of four revisions in two generations. The first two revisions wait to be deleted. */
beforeAll(async () => {
  const world = await opened(`sqlite:${base}`);
  for (const [index, name] of ["one", "two", "three", "four"].entries()) {
    await world.import(named(name), { isWhole: () => index < 2 });
  }
  await world.close();
  const database = new DatabaseSync(base);
  database.exec("UPDATE organization SET earliest = 3, pruned_at = '2026-01-01T00:00:00.000Z'");
  database.close();
  const exported = await rolebookHere(["export", "--organization", "o", "--database", `sqlite:${base}`]);
  file = join(folder, "four.ndjson");
  writeFileSync(file, exported.stdout);
});

const importing = ["import", "--database", `sqlite:${path}`];

function restore(): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  copyFileSync(base, path);
}

async function using<T>(work: (world: World) => Promise<T>): Promise<T> {
  const world = await opened(`sqlite:${path}`);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/** Throws if a readable revision is incomplete. */
async function mustBeWhole(world: World): Promise<void> {
  const token = await world.token("o");
  for (const [revision, name] of [
    [3, "three"],
    [4, "four"],
  ] as const) {
    const { items } = await world.page(`/at/${revision}/v1/spaces/s/permissions/aggregate`, token);
    expect(items).toMatchObject(["ana", "ben"].map((id) => ({ user: { id, displayName: name } })));
  }
  const { status } = await world.get("/at/2/v1/spaces/s/permissions/aggregate", token);
  expect(status).toBe(404);
}

/** `npm run test:long` also tries calls that only read or begin a transaction. */
const EVERY = process.env.TEST_EVERY_CALL !== undefined;
const TEXT = EVERY ? "" : "DELETE FROM";

/** Some of the calls of an import. It prunes in its first half. */
function callsOfPruning(calls: number): number[] {
  const half = Math.floor(calls / 2);
  const count = EVERY ? half : PLACES;
  return Array.from({ length: count }, (_, index) => Math.floor((half * (index + 1)) / count));
}

test("killed before any of its calls, it leaves every readable revision, and the next import deletes the rest", async () => {
  restore();
  expect(await using(endedRows)).not.toEqual([]);
  const whole = await rolebook([...importing, file], {
    preload: [KILL_AT],
    environment: { KILL_LOG: log, KILL_TEXT: TEXT },
  });
  expect(whole.status).toBe(0);
  expect(await using(endedRows)).toEqual([]);
  const calls = Number(readFileSync(log, "utf8"));
  for (const at of callsOfPruning(calls)) {
    restore();
    const { signal } = await rolebook([...importing, file], {
      preload: [KILL_AT],
      environment: { KILL_LOG: log, KILL_AT: String(at), KILL_TEXT: TEXT },
    });
    expect(signal, `call ${at} of ${calls}`).toBe("SIGKILL");
    await using(mustBeWhole);
    expect(await rolebookHere([...importing, file])).toMatchObject({ status: 0 });
    await using(async (world) => {
      await mustBeWhole(world);
      expect(await endedRows(world)).toEqual([]);
    });
  }
});
