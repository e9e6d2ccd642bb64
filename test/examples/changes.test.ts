/** examples/changes.ts and examples/changes.py print the same change file, and applying it gives the later snapshot. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { follow } from "../../src/snapshot/changes/follow.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import type { CountsByKind } from "../../src/store/writing/resolve/resolve.ts";
import { prune } from "../oracle/random/evolve.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";
import { acme, textOf } from "./acme.ts";
import { fenced } from "../docs/reading/fence.ts";
import { HANG } from "../setup/hang.ts";

/** Acme a day later: one member left and another joined, a team was removed, a role and a title changed. */
const later: SnapshotRecord[] = [
  ...prune(
    acme.filter((record) => !("id" in record) || (record.id !== "farid" && record.id !== "writers")),
  ).map((record): SnapshotRecord => {
    if (record.object === "member" && record.user === "ana") return { ...record, role: "edit" };
    return record.object === "space" && record.id === "hiring" ? { ...record, title: "Hiring 2" } : record;
  }),
  { object: "user", id: "zoe", displayName: "Zoë" },
  { object: "member", organization: "acme", user: "zoe", role: null },
];

let folder: string;
let printed: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-changes-"));
  writeFileSync(join(folder, "before.ndjson"), toLines(acme));
  writeFileSync(
    join(folder, "after.ndjson"),
    `${toLines(later)}{"object":"end","records":${later.length}}\n`,
  );
  printed = run(process.execPath, "examples/changes.ts");
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, script: string): string {
  const files = ["before.ndjson", "after.ndjson"].map((name) => join(folder, name));
  const { status, stdout, stderr } = spawnSync(program, [script, ...files], {
    encoding: "utf8",
    timeout: HANG,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

test("both print the same records", () => {
  const records = (text: string): unknown[] =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  expect(records(run("python3", "examples/changes.py"))).toEqual(records(printed));
});

test("their output changes the same as a whole file", async () => {
  const world = await World.open(sqlitePlace);
  try {
    await world.import(acme);
    const { organizations } = await world.import(later, { dryRun: true, allowRemovals: true });
    const change = await readChange(world.file(printed, "changes.ndjson"), true, () => {});
    const { kinds } = await applyChange(world.store.engine, change, { dryRun: true, allowRemovals: true });
    expect(organizations.map((each) => each.kinds)).toEqual([counted(kinds)]);
  } finally {
    await world.close();
  }
});

function counted(kinds: CountsByKind) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { added, changed, removed }]) => [kind, { added, changed, removed }]),
  );
}

test("the examples of docs/changes.md work and print what the page shows", async () => {
  const doc = textOf("docs/changes.md");
  const world = await World.open(sqlitePlace);
  const dry = { dryRun: true, allowRemovals: true };
  try {
    await world.import(acme);
    const [first = "", second = ""] = fenced(doc, "json");
    for (const text of [first, second]) {
      const change = await readChange(world.file(text, "changes.ndjson"), text === first, () => {});
      expect((await applyChange(world.store.engine, change, dry)).changed).toBe(true);
    }
    const [shown = ""] = fenced(doc, "ndjson");
    const batch = `${second.replace(',"with":"all"', "")}{"object":"end","records":2}\n`;
    const input = { name: "standard input", pieces: Readable.from([batch]) };
    await follow(world.store.engine, input, dry, async (answer) => {
      const { milliseconds: _, ...expected } = JSON.parse(shown);
      expect(answer).toEqual({ ...expected, milliseconds: expect.any(Number) });
    });
    expect.assertions(3);
  } finally {
    await world.close();
  }
});
