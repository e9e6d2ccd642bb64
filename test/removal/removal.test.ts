/** `rolebook organization remove` on a SQLite file: nothing of the organization stays in its bytes. */
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test } from "vitest";
import { startServing } from "../backup/serving.ts";
import { ended, MAIN, rolebook, rolebookProcess } from "../command.ts";
import { Program, rolebook as killable } from "../crash/program.ts";
import { placesIn } from "../crash/places.ts";
import { tracesIn, GONE, importBoth, run } from "./removed.ts";
import { temporaryFolder } from "../folder.ts";
import { HANG } from "../setup/hang.ts";

const KILL_AT = new URL("../crash/kill-at.ts", import.meta.url).pathname;

const folder = temporaryFolder();
const original = join(folder, "rolebook.db");
/** A backup of a database that never had the organization, and the export of the other one. */
let alone: number;
let acme: string;

beforeAll(async () => {
  await importBoth(`sqlite:${original}`, folder);
  expect(tracesIn(original)).toBeGreaterThan(900);
  const url = `sqlite:${join(folder, "alone.db")}`;
  await run(url, "import", "examples/acme.ndjson");
  await run(url, "backup", join(folder, "alone-backup.db"));
  alone = statSync(join(folder, "alone-backup.db")).size;
  expect(statSync(original).size).toBeGreaterThan(2 * alone);
  acme = (await run(url, "export", "--organization", "acme")).stdout;
});

/** A copy of the database in a folder of its own. */
function copy(): string {
  const path = join(mkdtempSync(join(folder, "copy-")), "rolebook.db");
  copyFileSync(original, path);
  return path;
}

const REMOVE = ["organization", "remove", GONE, "--yes"];

/** Throws unless nothing of the organization is left, and everything of the other one is there. */
async function mustBeGone(path: string): Promise<void> {
  const url = `sqlite:${path}`;
  const files = [path, `${path}-wal`].filter((file) => existsSync(file));
  expect([tracesIn(...files), readdirSync(join(path, "..")).filter((name) => /staging/.test(name))]).toEqual([
    0,
    [],
  ]);
  const backup = `${path}-backup-${Date.now()}`;
  await run(url, "backup", backup);
  expect(tracesIn(backup)).toBe(0);
  // The number of revisions that other organizations had takes no page.
  expect(statSync(backup).size).toBeLessThanOrEqual(alone);
  expect((await run(url, "export", "--organization", "acme")).stdout).toBe(acme);
  const database = new DatabaseSync(backup, { readOnly: true });
  const begun = database.prepare("SELECT name FROM counter WHERE name LIKE 'removal%'").all();
  database.close();
  expect(begun).toEqual([]);
}

const COUNTS =
  "Organization bench (Gone & Sons) has 1,000 members, 20 teams, 20 collections, 200 spaces, 5 sites, 2,000 permissions, 2 revisions and 1 token. All of it is removed for good.";

test("names the counts first, and removes only with --yes, or when the id is typed at a terminal", async () => {
  const path = copy();
  const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${path}` };
  const before = hash("sha256", readFileSync(path));
  const asked = await rolebook(["organization", "remove", GONE], environment);
  expect(asked).toMatchObject({ status: 1, stdout: "" });
  expect(asked.stderr).toMatch(
    /\. The file of \d+\.\d MB is then rewritten; other commands that write wait meanwhile\.\nRemoved organizations cannot be restored\. Nothing was changed; confirm with --yes\.\n$/,
  );
  expect(asked.stderr.slice(0, COUNTS.length)).toBe(COUNTS);
  /** Types a text when the command asks. */
  const typing = async (text: string) => {
    const command = [process.execPath, MAIN, "organization", "remove", GONE].join(" ");
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: { ...process.env, ...environment },
      timeout: HANG,
    });
    child.stdout.on("data", (data: Buffer) => {
      if (data.includes(`Type ${GONE} to remove it:`)) child.stdin.write(text);
    });
    const ran = await ended(child);
    child.stdin.end();
    return ran;
  };
  for (const text of ["no\r", "\r", "\u0003", "\u0004"]) {
    const { status, stdout } = await typing(text);
    expect([text, status, stdout]).toEqual([text, 1, expect.stringContaining("Nothing was changed")]);
    expect(stdout).not.toMatch(/[Uu]nexpected/);
  }
  expect(hash("sha256", readFileSync(path))).toBe(before);
  const typed = await typing(`${GONE}\r`);
  expect([typed.status, typed.stdout]).toEqual([0, expect.stringMatching(/Deleting … [\d,]+ rows/)]);
  await mustBeGone(path);
});

test("overwrites the organization while a server answers others, and says how long that took", async () => {
  const path = copy();
  const url = `sqlite:${path}`;
  const token = (await run(url, "token", "create", "--organization", "acme")).stdout.trim();
  const server = await startServing([process.execPath, MAIN, "serve", "--port", "0"], {
    ROLEBOOK_DATABASE_URL: url,
  });
  try {
    const ending = new AbortController();
    const statuses: number[] = [];
    const asking = (async () => {
      while (!ending.signal.aborted) {
        const answer = await fetch(`${server.url}/v1/spaces/api-reference/permissions/aggregate`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await answer.text();
        statuses.push(answer.status);
      }
    })();
    await expect.poll(() => statuses.length).toBeGreaterThan(0);
    const before = statuses.length;
    const { status, stderr } = await rolebookProcess([...REMOVE, "--database", url]);
    const meanwhile = statuses.slice(before);
    ending.abort();
    await asking;
    expect([status, meanwhile.length > 0, new Set(statuses)]).toEqual([0, true, new Set([200])]);
    expect(stderr).toMatch(
      /^Removed organization bench and its tokens from \S+: [\d,]+ rows\.\nRewriting the file without deleted rows, \d+\.\d MB …\nThe file was rewritten in \d+\.\d s, and has \d\.\d MB now\.\nNot erased: exports, [^\n]*\n$/,
    );
    expect(tracesIn(path, `${path}-wal`)).toBe(0);
  } finally {
    expect(await server.stop()).toBe(0);
  }
  expect((await run(url, "verify")).stdout).toMatch(/^acme, revision \d+: [^\n]+\n$/);
  await run(url, "token", "revoke", /^\w{12}/m.exec((await run(url, "token", "list")).stdout)?.[0] ?? "");
  await mustBeGone(path);
});

/** Kills a removal, and runs it again. Returns whether the organization was gone after the first run. */
async function killed(environment: Record<string, string>, when?: RegExp): Promise<boolean> {
  const path = copy();
  const args = [...REMOVE, "--database", `sqlite:${path}`];
  const program = new Program(args, {
    environment: { KILL_LOG: `${path}-calls`, ...environment },
    preload: [KILL_AT],
  });
  if (when !== undefined) {
    await program.says(when);
    program.kill();
  }
  await program.ended;
  const gone = !(await run(`sqlite:${path}`, "organization", "list")).stdout.includes(GONE);
  // An import between the two sweeps the rows away, and does not end the removal.
  if (gone) {
    const file = `${path}-acme.ndjson`;
    writeFileSync(file, acme);
    await run(`sqlite:${path}`, "import", file);
  }
  const again = await rolebook(args);
  // The first run may have been killed after its end.
  expect([0, gone ? 1 : 0], again.stderr).toContain(again.status);
  if (again.status === 1) expect(again.stderr).toBe(`There is no organization "${GONE}".\n`);
  rmSync(`${path}-calls`, { force: true });
  await mustBeGone(path);
  return gone;
}

test("killed at any moment, the next run completes it", async () => {
  const path = copy();
  await killable([...REMOVE, "--database", `sqlite:${path}`], {
    preload: [KILL_AT],
    environment: { KILL_LOG: `${path}-calls` },
  });
  const calls = Number(readFileSync(`${path}-calls`, "utf8"));
  expect(calls).toBeGreaterThan(20);
  const places = placesIn(calls).map((call) => ({ KILL_AT: String(call) }));
  const outcomes = await Promise.all([
    ...[...places, { KILL_AT: "1", KILL_TEXT: "VACUUM" }, { KILL_AT: "1", KILL_TEXT: "counter WHERE" }].map(
      (environment) => killed(environment),
    ),
    killed({}, /Rewriting the file/),
  ]);
  expect(outcomes).toContain(true);
});
