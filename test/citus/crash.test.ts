/** `kill -9` of an import and of a change, right before each of their statements. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statement } from "../../src/store/engine/engine.ts";
import { GENERATION_TABLES } from "../../src/store/schema/tables.ts";
import { rolebook } from "../crash/program.ts";
import { exportedLines } from "../exported.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { World } from "../world.ts";
import { citusPlaces, nodesOfCluster, query } from "./cluster.ts";
import { acmeAs, importOn, lookForPrepared, pageOf, Reader, schemaOf } from "./organizations.ts";

const KILL_AT = new URL("kill-at.ts", import.meta.url).pathname;
const [CHANGED, THERE] = ["changed", "there"];
const NEW = " (new)";
/** The time between two pages of one reader, in milliseconds. */
const EVERY = 20;

let world: World;
let folder: string;

beforeAll(async () => {
  // A prepared transaction of a killed process is looked for soon, as docs/scale.md advises.
  await lookForPrepared("1s");
  world = await World.open(() => citusPlaces.open());
  folder = mkdtempSync(join(tmpdir(), "rolebook-citus-crash-"));
  const [, one, other] = await nodesOfCluster();
  await importOn(world, one?.port ?? 0, acmeAs(CHANGED));
  await importOn(world, other?.port ?? 0, acmeAs(THERE));
});
afterAll(async () => {
  await world.close();
  await lookForPrepared("10s");
  rmSync(folder, { recursive: true, force: true });
});

/** All names differ, so that an import writes a new generation. */
function renamed(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  return records.map((record) => {
    if ("title" in record) return { ...record, title: `${record.title}${NEW}` };
    return record.object === "user" ? { ...record, displayName: `${record.displayName}${NEW}` } : record;
  });
}

function changes(title: string): string {
  const spaces = acmeAs(CHANGED, title).filter(({ object }) => object === "space");
  return `${JSON.stringify({ object: "changes", organization: CHANGED })}\n${toLines(spaces)}`;
}

test.each([
  ["an import of a new generation", "import", toLines(renamed(acmeAs(CHANGED))), toLines(acmeAs(CHANGED))],
  ["a change", "apply", changes(NEW), changes("")],
])(
  "%s that is killed before any statement is done or not begun, and its neighbour notices nothing",
  async (_, command, there, back) => {
    const [forth, undo] = [world.file(there, `${command}-there`), world.file(back, `${command}-back`)];
    const log = join(folder, "statements");
    const run = (file: string, at = 0) =>
      rolebook([command, file, "--database", world.url], {
        preload: [KILL_AT],
        environment: { KILL_LOG: log, KILL_AT: String(at) },
      });
    const state = async () => (await exportedLines(world.store, CHANGED)).join("\n");
    const before = await state();
    const generation = await generationOf(CHANGED);
    expect(await run(forth)).toMatchObject({ status: 0 });
    const statements = Number(readFileSync(log, "utf8"));
    const after = await state();
    expect((await generationOf(CHANGED)) === generation).toBe(command === "apply");
    expect(await run(undo)).toMatchObject({ status: 0 });
    expect([await state(), statements > 15]).toEqual([before, true]);
    const readers = await Promise.all(
      [CHANGED, THERE].map(async (id) => new Reader(world, pageOf(id), await world.token(id), EVERY)),
    );
    const ended = { done: 0, undone: 0 };
    for (let at = 1; at < statements; at++) {
      const { signal, stderr } = await run(forth, at);
      expect(signal, `statement ${at}, ${readFileSync(log, "utf8").slice(0, 200)}, ${stderr}`).toBe(
        "SIGKILL",
      );
      // Between the commits of the two nodes, readers see the state before, and the command waits.
      await expect.poll(async () => [before, after].includes(await state())).toBe(true);
      if ((await state()) === before) {
        ended.undone++;
        continue;
      }
      ended.done++;
      await expect.poll(async () => (await run(undo)).status).toBe(0);
    }
    console.info(
      `${command}: ${statements} statements; ${ended.undone} times undone, ${ended.done} times done`,
    );
    expect(ended.undone).toBeGreaterThan(ended.done);
    for (const each of [forth, undo]) expect(await run(each)).toMatchObject({ status: 0 });
    expect(await state()).toBe(before);
    expect(await leftovers()).toEqual([]);
    for (const each of readers) await each.stop();
    for (const { answers } of readers) {
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    }
    const bodies = readers.map(({ answers }) => new Set(answers.map(({ body }) => body)).size);
    expect(bodies).toEqual([2, 1]);
  },
);

async function generationOf(id: string): Promise<number | undefined> {
  return (await world.store.registry.organization(id))?.current.generation;
}

const PUBLISHED = statement<[generation: number]>(() => "SELECT DISTINCT generation FROM revision");

/** The tables with rows of generations that no revision has. */
async function leftovers(): Promise<string[]> {
  const kept = (await world.store.engine.read(PUBLISHED)).map(([generation]) => generation);
  const found: string[] = [];
  for (const table of [...GENERATION_TABLES, "generation"]) {
    const name = `${schemaOf(world)}.${table}`;
    const rows = await query(`SELECT 1 FROM ${name} WHERE generation <> ALL($1::bigint[]) LIMIT 1`, [kept]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}
