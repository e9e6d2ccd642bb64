import { appendFileSync, copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { organizationIds } from "../oracle/facts.ts";
import { importWhole } from "./killing.ts";
import { faultOf, Program, rolebook } from "./program.ts";
import { type Ground, smallGround, stateOf } from "./states.ts";

/** Damaged files, and files that are no databases: one line of output says so, and no answer is wrong. */

let ground: Ground;
let good: Buffer;
beforeAll(async () => {
  ground = smallGround(4);
  await importWhole(ground, ground.states[0]);
  good = readFileSync(ground.path);
});
afterAll(() => ground.close());

/** Replaces the content of the database file, and deletes the other files of SQLite. */
function put(bytes: Buffer): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(ground.path + suffix, { force: true });
  writeFileSync(ground.path, bytes);
}

/** Every command that opens a database refuses it in one line, and does not change it. */
async function refused(pattern: RegExp, commands = COMMANDS): Promise<void> {
  const before = readFileSync(ground.path);
  for (const command of commands) {
    const ended = await rolebook([...command, "--database", ground.url]);
    expect(faultOf(ended), command.join(" ")).toBeUndefined();
    expect(wordsOf(ended.stderr)).toMatch(pattern);
  }
  expect(readFileSync(ground.path).equals(before)).toBe(true);
}

/** The message of a command; for `serve`, the message in its log. */
function wordsOf(stderr: string): string {
  if (!stderr.startsWith("{")) return stderr;
  const { msg }: { msg: string } = JSON.parse(stderr);
  return `${msg}\n`;
}

const COMMANDS = [["serve", "--port", "0"], ["status"]];

test("a file that is something else", async () => {
  put(Buffer.from("This is a letter, not a database.\n".repeat(200)));
  await refused(/^The database \S+ is not a database/, [["import", ground.states[1].file], ...COMMANDS]);
  put(Buffer.from("PK\u0003\u0004"));
  await refused(/^The database \S+ is not a database/, [["status"]]);
  put(Buffer.concat([good.subarray(0, 16), Buffer.alloc(5000, 0xff)]));
  await refused(/^The database \S+ is (not a database|damaged|truncated)/, [["status"]]);
});

test("a file that was truncated anywhere", async () => {
  for (const part of [0.1, 0.5, 0.99]) {
    put(good.subarray(0, Math.floor(part * good.length)));
    await refused(
      /^The database \S+ is truncated: it has \d+ of \d+ bytes/,
      part === 0.5 ? COMMANDS : [["status"]],
    );
  }
});

test("a damaged file: a list is right or refused, never wrong", async () => {
  const page = 4096;
  const step = process.env.TEST_EVERY_CALL === undefined ? 12 : 1;
  let refusals = 0;
  for (let at = 2 * page; at < good.length; at += step * page) {
    const bytes = Buffer.from(good);
    bytes.fill(0xa5, at, at + page);
    put(bytes);
    try {
      await stateOf(ground);
    } catch (error) {
      refusals++;
      expect(String(error)).not.toMatch(/is not state-|the organizations are in/);
    }
  }
  expect(refusals).toBeGreaterThan(0);
});

test("a file that is cut while it is served: requests get a 503, and the log names the file", async () => {
  put(good);
  const [id = ""] = organizationIds(ground.states[0].records);
  const token = await rolebook(["token", "create", "--organization", id, "--database", ground.url]);
  const program = new Program(["serve", "--port", "0", "--database", ground.url]);
  const [, origin = ""] = await program.says(/serves .*(http:[^"\s]+)/);
  truncateSync(ground.path, 8192);
  const headers = { authorization: `Bearer ${token.stdout.trim()}` };
  const answer = await fetch(new URL(`/v1/orgs/${id}/members/nobody/teams`, origin), { headers });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.text()).not.toContain(ground.path);
  await program.says(/The database \S+ is damaged .*rolebook verify/);
  program.kill();
  await program.ended;
});

test("when the file is restored, nothing else is needed", async () => {
  put(good);
  expect((await stateOf(ground)).name).toBe("state-0");
  await importWhole(ground, ground.states[1]);
});

test("with a truncated or damaged write-ahead log, an older state is complete", async () => {
  put(good);
  const program = new Program(["serve", "--port", "0", "--database", ground.url]);
  await program.says(/serves/);
  // While a reader is open, imported data stay in the write-ahead log.
  await importWhole(ground, ground.states[1]);
  copyFileSync(ground.path, `${ground.path}-copy`);
  copyFileSync(`${ground.path}-wal`, `${ground.path}-copy-wal`);
  program.kill();
  await program.ended;
  const log = readFileSync(`${ground.path}-copy-wal`);
  expect(log.length).toBeGreaterThan(100_000);
  for (const part of [0, 0.3, 0.7, 0.97]) {
    put(readFileSync(`${ground.path}-copy`));
    writeFileSync(`${ground.path}-wal`, log);
    truncateSync(`${ground.path}-wal`, Math.floor(part * log.length));
    if (part === 0.7) appendFileSync(`${ground.path}-wal`, Buffer.alloc(50_000, 0x5a));
    await stateOf(ground);
  }
});
