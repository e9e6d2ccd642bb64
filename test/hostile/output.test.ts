/**
 * What an option for an output file may name. A file is replaced, whole, and so is what a link of ours or of root leads
 * to; a device, a named pipe and an open file are written into, also by root.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAIN, ended, rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();
const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const report = join(folder, "review.csv");
const IS_ROOT = process.getuid?.() === 0;
/** A user that nobody is. */
const ANOTHER = 54_321;
const TABLES = ["--people", "examples/csv/people.csv", "--access", "examples/csv/access.csv"];
const CONVERT = [
  "convert",
  "csv",
  "--organization",
  "a",
  "--title",
  "A",
  "--default-level",
  "closed",
  ...TABLES,
];

/** Commands with an option for an output file, the name of such a file, and how its text begins. */
const OPTIONS = [
  ["review --changes", ["review", report, "--changes"], "out.ndjson", '{"object":"changes"'],
  ["review --summary", ["review", report, "--by", "Ana", "--summary"], "out.csv", "Rolebook review\r\n"],
  ["convert csv --output", [...CONVERT, "--output"], "out.ndjson", '{"object":"organization"'],
] as const;

beforeAll(async () => {
  expect((await rolebook(["import", "examples/acme.ndjson"], database)).status).toBe(0);
  writeFileSync(report, (await rolebook(["report", "--space", "glossary"], database)).stdout);
});

function place(): string {
  return mkdtempSync(join(folder, "place-"));
}

describe.each(OPTIONS)("%s", (_, args, name, begins) => {
  const run = (file: string) => rolebook([...args, file], database);

  test("replaces a file, and what a link leads to, so that only its owner can read it", async () => {
    const [from, to] = [place(), place()];
    for (const there of [true, false]) {
      const [link, target] = [join(from, `${there}-${name}`), join(to, `${there}-${name}`)];
      // A reader that has the old file open goes on with the old file.
      if (there) writeFileSync(target, "old", { mode: 0o644 });
      const reader = there ? openSync(target, "r") : undefined;
      symlinkSync(target, `${link}.next`);
      symlinkSync(`${link}.next`, link);
      const { status, stderr } = await run(link);
      expect(status, stderr).toBe(0);
      expect([readlinkSync(link), readlinkSync(`${link}.next`)]).toEqual([`${link}.next`, target]);
      expect(readFileSync(target, "utf8").startsWith(begins)).toBe(true);
      expect(statSync(target).mode & 0o777).toBe(0o600);
      if (reader === undefined) continue;
      expect(readFileSync(reader, "utf8")).toBe("old");
      closeSync(reader);
    }
    expect(readdirSync(to).toSorted()).toEqual([`false-${name}`, `true-${name}`]);
  });

  test.skipIf(!IS_ROOT)("refuses a link of another user, and leaves its target alone", async () => {
    const [link, target] = [join(place(), name), join(place(), name)];
    writeFileSync(target, "old");
    symlinkSync(target, link);
    lchownSync(link, ANOTHER, ANOTHER);
    const { status, stderr } = await run(link);
    expect([status, stderr]).toEqual([
      1,
      `${link} cannot be written: it is a link of another user; accepted: a file, or a link of yours or of root.\n`,
    ]);
    expect(readFileSync(target, "utf8")).toBe("old");
  });

  test("refuses links in a circle in one sentence", async () => {
    const [one, other] = [join(place(), name), join(place(), name)];
    symlinkSync(one, other);
    symlinkSync(other, one);
    const { status, stderr } = await run(one);
    expect([status, stderr]).toEqual([1, `${one} cannot be written: its links lead in a circle.\n`]);
  });

  test("writes into a named pipe, which stays", async () => {
    const pipe = join(place(), name);
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    // Keeps the pipe open for both sides, so that nobody waits.
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const { status, stderr } = await run(pipe);
    expect(status, stderr).toBe(0);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    const bytes = Buffer.alloc(1 << 16);
    expect(bytes.toString("utf8", 0, readSync(reader, bytes)).startsWith(begins)).toBe(true);
    closeSync(reader);
  });
});

/** Root could replace the device of the machine, so it gets one of its own, if it may make one. */
const devices = IS_ROOT ? mkdtempSync(new URL("../../dist/devices-", import.meta.url).pathname) : "/dev";
const FULL = join(devices, "full");
const CAN_WRITE = !IS_ROOT || (spawnSync("mknod", [FULL, "c", "1", "7"]).status === 0 && opens(FULL));
afterAll(() => {
  if (IS_ROOT) rmSync(devices, { recursive: true, force: true });
});

function opens(file: string): boolean {
  try {
    closeSync(openSync(file, "w"));
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!CAN_WRITE)("a device is written into and stays, also for root", async () => {
  for (const file of [FULL, join(place(), "link")]) {
    if (!existsSync(file)) symlinkSync(FULL, file);
    const { status, stderr } = await rolebook(["review", report, "--changes", file], database);
    expect([status, stderr]).toEqual([1, `${file} cannot be written: the disk is full.\n`]);
  }
  expect(lstatSync(FULL).isCharacterDevice()).toBe(true);
});

test.each(["/dev/stdout", "/dev/fd/1"])("%s is the open file, with what others write to it", async (file) => {
  const out = join(place(), "out");
  const command = '{ echo first; "$@"; echo last; } > "$0"';
  const child = spawn(
    "sh",
    ["-c", command, out, process.execPath, MAIN, "review", report, "--changes", file],
    {
      env: { ...process.env, ...database },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const { status, stderr } = await ended(child);
  expect(status, stderr).toBe(0);
  const lines = readFileSync(out, "utf8").split("\n");
  expect(lines.at(0)).toBe("first");
  expect(lines.at(1)).toMatch(/^{"object":"changes"/);
  expect(lines.slice(-3)).toEqual(['{"object":"end","records":1}', "last", ""]);
});

test("a backup never replaces a link, even one that leads nowhere", async () => {
  const link = join(place(), "copy.db");
  for (const target of ["nowhere.db", "copy.db"]) {
    rmSync(link, { force: true });
    symlinkSync(target, link);
    const { status, stderr } = await rolebook(["backup", link], database);
    expect([status, stderr]).toEqual([
      1,
      `The file ${link} exists; a backup never overwrites one. Nothing was changed.\n`,
    ]);
    expect(readlinkSync(link)).toBe(target);
  }
});
