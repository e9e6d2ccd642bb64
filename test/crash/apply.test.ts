import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rolebook } from "./program.ts";

/** `kill -9` of a change: the state before it or the state after it, whole, and the next change needs no help. */

const ACME = new URL("../../examples/acme.ndjson", import.meta.url).pathname;
const KILL_AT = new URL("kill-at.ts", import.meta.url).pathname;
const DATE = "2026-11-22T00:00:00.000Z";

const HEADER = { object: "changes", organization: "acme" };
const THERE = [
  HEADER,
  { object: "user", id: "newcomer", displayName: "Newcomer" },
  { object: "member", organization: "acme", user: "newcomer", role: "edit" },
  { object: "space", id: "fresh", organization: "acme", title: "Fresh", createdAt: DATE, updatedAt: DATE },
  { object: "permission", space: "fresh", user: "newcomer", permission: "admin" },
];
const BACK = [
  HEADER,
  { object: "member", organization: "acme", user: "newcomer", removed: true, with: "all" },
  { object: "space", id: "fresh", removed: true, with: "all" },
];

let folder: string;
let url: string;
/** What `rolebook export` says without and with the change. */
let states: readonly [before: string, after: string];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-crash-"));
  url = `sqlite:${join(folder, "rolebook.db")}`;
  for (const [name, records] of Object.entries({ there: THERE, back: BACK })) {
    writeFileSync(join(folder, name), records.map((record) => JSON.stringify(record)).join("\n"));
  }
  await done("import", ACME);
  const before = await done("export", "--organization", "acme");
  await done("apply", join(folder, "there"));
  states = [before, await done("export", "--organization", "acme")];
  await done("apply", join(folder, "back"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function done(command: string, ...rest: string[]): Promise<string> {
  const { status, stdout, stderr } = await rolebook([command, "--database", url, ...rest]);
  if (status !== 0) throw new Error(`${command}: ${stderr}${stdout}`);
  return stdout;
}

/** Applies a file and is killed right before a call of SQLite; without one it counts the calls. */
async function apply(name: "there" | "back", call = 0): Promise<number> {
  const log = join(folder, "calls");
  const { signal, status } = await rolebook(["apply", "--database", url, join(folder, name)], {
    preload: [KILL_AT],
    environment: { KILL_LOG: log, KILL_AT: String(call) },
  });
  expect([signal, status]).toEqual(call === 0 ? [null, 0] : ["SIGKILL", null]);
  return Number.parseInt(readFileSync(log, "utf8"), 10);
}

test("a killed change is there whole or not at all; nothing that is derived differs, and it can be applied again", async () => {
  expect(await done("export", "--organization", "acme")).toBe(states[0]);
  const calls = await apply("there");
  await apply("back");
  const places = [0.3, 0.6, 0.8, 0.95].map((part) => Math.floor(part * calls));
  for (const place of [...places, calls - 2, calls - 1]) {
    await apply("there", place);
    const found = await done("export", "--organization", "acme");
    expect(states, `call ${place} of ${calls}`).toContain(found);
    await done("verify");
    if (found === states[1]) await apply("back");
  }
  await apply("there");
  expect(await done("export", "--organization", "acme")).toBe(states[1]);
  await apply("back");
});

test("two that apply at once, beside an import of a neighbour, take turns, and nothing is lost", async () => {
  const neighbour = join(folder, "neighbour.ndjson");
  writeFileSync(neighbour, JSON.stringify({ object: "organization", id: "other", title: "Other" }));
  const people = Array.from({ length: 6 }, (_, index) => `person-${index}`);
  const files = people.map((user) => {
    const path = join(folder, user);
    const records = [
      HEADER,
      { object: "user", id: user, displayName: user },
      { object: "member", organization: "acme", user, role: "read" },
    ];
    writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
    return path;
  });
  await Promise.all([
    done("apply", ...files.slice(0, 3)),
    done("apply", ...files.slice(3)),
    done("import", "--allow-empty", neighbour),
  ]);
  const exported = await done("export", "--organization", "acme");
  expect(people.filter((user) => !exported.includes(`"user":"${user}"`))).toEqual([]);
  await done("verify");
});
