/**
 * One process serves while other processes apply changes. Every list is that of the last change, whatever the server
 * had cached.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { Program, rolebook } from "../../crash/program.ts";
import { acme } from "../../examples/acme.ts";
import { applied, type ChangeRecord, ownRecords, toChangeLines } from "../../oracle/files/change-file.ts";
import { oracle } from "../../oracle/oracle.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type ListPage, PUBLIC_URL } from "../../world.ts";

/** Every seventh listing is compared after a change. */
const STEP = 7;

const CHANGES: Readonly<Record<string, readonly ChangeRecord[]>> = {
  "somebody leaves a team": [{ object: "teamMember", team: "docs", user: "bram", removed: true }],
  "somebody joins, with a team": [
    { object: "user", id: "zoe", displayName: "Zoë Kravec" },
    { object: "member", organization: "acme", user: "zoe", role: "edit" },
    { object: "teamMember", team: "docs", user: "zoe", role: "member" },
  ],
  "a team is given a space": [
    { object: "permission", space: "api-reference", team: "docs", permission: "create" },
  ],
  "they go again": [
    { object: "member", organization: "acme", user: "zoe", removed: true, with: "all" },
    { object: "permission", space: "api-reference", team: "docs", removed: true },
  ],
};

const folder = mkdtempSync(join(tmpdir(), "rolebook-served-"));
const database = ["--database", `sqlite:${join(folder, "rolebook.db")}`];
let server: Program;
let address: string;
let token: string;
let own: readonly SnapshotRecord[] = ownRecords(acme, "acme");

beforeAll(async () => {
  await run("import", new URL("../../../examples/acme.ndjson", import.meta.url).pathname);
  token = (await run("token", "create", "--organization", "acme")).trim();
  server = new Program(["serve", "--port", "0", ...database], {
    environment: { ROLEBOOK_PUBLIC_URL: PUBLIC_URL, ROLEBOOK_LOG_LEVEL: "info" },
  });
  const [, port = ""] = await server.says(/127\.0\.0\.1:(\d+)/);
  address = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await rolebook([...args, ...database]);
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function listed(path: string): Promise<readonly unknown[]> {
  const response = await fetch(`${address}${path}${path.includes("?") ? "&" : "?"}limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const page: ListPage = JSON.parse(await response.text());
  expect([path, response.status, page.next]).toEqual([path, 200, undefined]);
  return page.items;
}

/** Compares lists with those of the oracle for the current state. */
async function compare(what: string): Promise<void> {
  const expected = oracle(own, { publicUrl: PUBLIC_URL });
  for (const [index, listing] of expected.listings("acme").entries()) {
    if (index % STEP !== 0) continue;
    const path = expected.path("acme", listing);
    expect({ what, path, items: await listed(path) }).toEqual({
      what,
      path,
      items: expected.list("acme", listing),
    });
  }
}

test("after each change by another process, every list equals the oracle's", async () => {
  await compare("as imported");
  for (const [what, changes] of Object.entries(CHANGES)) {
    const file = join(folder, "changes.ndjson");
    writeFileSync(file, toChangeLines("acme", changes));
    await run("apply", file);
    own = applied(own, changes) ?? [];
    await compare(what);
  }
});

test("a walk that began before a hundred changes ends with the list as it began", async () => {
  const path = "/v1/spaces/api-reference/permissions/aggregate";
  const first = await listed(path);
  expect(first.length).toBeGreaterThan(2);
  const found: unknown[] = [];
  for (let next: string | undefined = ""; next !== undefined;) {
    const response = await fetch(`${address}${path}?limit=1${next === "" ? "" : `&page=${next}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page: ListPage = JSON.parse(await response.text());
    found.push(...page.items);
    if (next === "") await applyHundred();
    next = page.next?.page;
  }
  expect(found).toEqual(first);
  expect(await listed(path)).toHaveLength(first.length + 100);
});

/** Applies a hundred changes in this process. Each adds a member before or after all others. */
async function applyHundred(): Promise<void> {
  const engine = await openEngine(`sqlite:${join(folder, "rolebook.db")}`);
  for (let number = 100; number < 200; number++) {
    const user = `${number % 2 === 0 ? "aa" : "zz"}-${number}`;
    const text = toChangeLines("acme", [
      { object: "user", id: user, displayName: user },
      { object: "member", organization: "acme", user, role: "admin" },
    ]);
    const change = await readChange({ name: "hundred", pieces: pieces(text) }, false, () => {});
    await applyChange(engine, change, { allowRemovals: true });
  }
  await engine.close();
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
