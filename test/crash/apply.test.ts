import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { exportedLines } from "../exported.ts";
import { findingsIn } from "../findings.ts";
import { rolebook as rolebookHere } from "../command.ts";
import { placesIn } from "./places.ts";
import { faultOf, Program, rolebook } from "./program.ts";
import { opened } from "./states.ts";

/** `kill -9` during a change leaves the state before or after it, complete, and the next change needs no repair. */

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
/** The exported records before and after the change. */
let states: readonly [before: string, after: string];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-crash-"));
  url = `sqlite:${join(folder, "rolebook.db")}`;
  for (const [name, records] of Object.entries({ there: THERE, back: BACK })) {
    writeFileSync(join(folder, name), records.map((record) => JSON.stringify(record)).join("\n"));
  }
  await done("import", ACME);
  const before = await verified();
  await done("apply", join(folder, "there"));
  states = [before, await verified()];
  await undo();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function done(command: string, ...rest: string[]): Promise<string> {
  const { status, stdout, stderr } = await rolebook([command, "--database", url, ...rest]);
  if (status !== 0) throw new Error(`${command}: ${stderr}${stdout}`);
  return stdout;
}

/**
 * Opens the database as a new process does, verifies it, and returns the exported records.
 */
async function verified(): Promise<string> {
  const world = await opened(url);
  try {
    expect(await findingsIn(world.store, "acme")).toEqual([]);
    return (await exportedLines(world.store, "acme")).join("\n");
  } finally {
    await world.close();
  }
}

/** Applies the file that undoes the change. */
async function undo(): Promise<void> {
  expect(await rolebookHere(["apply", "--database", url, join(folder, "back")])).toMatchObject({ status: 0 });
}

/** Applies the change. The process is killed right before SQLite call number `call`; with 0, the calls are only counted. */
async function apply(call = 0): Promise<number> {
  const log = join(folder, "calls");
  const { signal, status } = await rolebook(["apply", "--database", url, join(folder, "there")], {
    preload: [KILL_AT],
    environment: { KILL_LOG: log, KILL_AT: String(call) },
  });
  expect([signal, status]).toEqual(call === 0 ? [null, 0] : ["SIGKILL", null]);
  return Number.parseInt(readFileSync(log, "utf8"), 10);
}

/** Makes all earlier revisions unreadable, so long ago that the next change deletes their rows. */
async function waitToBePruned(): Promise<void> {
  const database = new DatabaseSync(url.slice("sqlite:".length));
  database.exec(
    "UPDATE organization SET earliest = revision, pruned_at = '2026-01-01T00:00:00.000Z' WHERE id = 'acme'",
  );
  database.close();
}

/** The number of revisions that wait to be pruned. */
async function waiting(): Promise<unknown> {
  const database = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
  const row = database
    .prepare(
      "SELECT count(*) AS waiting FROM revision r JOIN organization o ON o.id = r.organization AND r.revision < o.earliest WHERE o.id = 'acme'",
    )
    .get();
  database.close();
  return row?.["waiting"];
}

/** Reads the user ids of a listing, page by page. */
async function walk(address: string, token: string): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined = "";
  while (next !== undefined) {
    const page: string = next === "" ? "" : `&page=${next}`;
    const path = `/v1/spaces/api-reference/permissions/aggregate?limit=3${page}`;
    const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    const read: { items: { user: { id: string } }[]; next?: { page: string } } = JSON.parse(
      await response.text(),
    );
    found.push(...read.items.map(({ user }) => user.id));
    next = read.next?.page;
  }
  return found;
}

test("a killed change took effect completely or not at all, derived data is consistent, and it can be applied again", async () => {
  expect(await verified()).toBe(states[0]);
  const calls = await apply();
  await undo();
  for (const place of placesIn(calls)) {
    await apply(place);
    const found = await verified();
    expect(states, `call ${place} of ${calls}`).toContain(found);
    if (found === states[1]) await undo();
  }
  await apply();
  expect(await verified()).toBe(states[1]);
  await undo();
});

test("a full disk during a change: the state before it, one line with the reason, and it can be applied again", async () => {
  expect(await verified()).toBe(states[0]);
  const stopped = new Set<boolean>();
  // The limit applies to each file: to that of the staged records, and to the write-ahead log.
  for (const kibibytes of [8, 24, 48, 96]) {
    const ended = await rolebook(["apply", "--database", url, join(folder, "there")], {
      under: ["prlimit", `--fsize=${kibibytes * 1024}`],
    });
    stopped.add(ended.status !== 0);
    if (ended.status === 0) break;
    expect(faultOf(ended), `${kibibytes} KiB`).toBeUndefined();
    expect(await verified()).toBe(states[0]);
  }
  expect(stopped).toContain(true);
  await done("apply", join(folder, "there"));
  expect(await verified()).toBe(states[1]);
  await undo();
});

test("two concurrent changes, an import of another organization and a pruning take turns, nothing is lost, and walks continue", async () => {
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
  await waitToBePruned();
  expect(await waiting()).toBeGreaterThan(0);
  const made = await rolebook(["token", "create", "--database", url, "--organization", "acme"]);
  const token = made.stdout.trim();
  const server = new Program(["serve", "--port", "0", "--database", url], {
    environment: { ROLEBOOK_LOG_LEVEL: "info" },
  });
  onTestFinished(() => server.kill());
  const [address = ""] = await server.says(/http:\/\/127\.0\.0\.1:\d+/);
  const before = await walk(address, token);
  const over = new AbortController();
  const reading = (async () => {
    let walks = 0;
    for (; !over.signal.aborted; walks++) {
      // A walk may miss members who join meanwhile, but no others.
      const found = await walk(address, token);
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(before));
    }
    return walks;
  })();
  await Promise.all([
    done("apply", ...files.slice(0, 3)),
    done("apply", ...files.slice(3)),
    done("import", "--allow-empty", neighbour),
  ]).finally(() => over.abort());
  expect(await reading).toBeGreaterThan(0);
  expect(await waiting()).toBe(0);
  const exported = await verified();
  expect(people.filter((user) => !exported.includes(`"user":"${user}"`))).toEqual([]);
});
