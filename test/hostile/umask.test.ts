/**
 * Only their owner may read a new database, the files beside it and temporary files, whatever the umask says, also while
 * they are being written; what exists keeps its mode.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { MAIN, ended } from "../command.ts";
import { temporaryFolder } from "../folder.ts";
import { hasTurn } from "../import-lock.ts";

const folder = temporaryFolder();
const ACME = readFileSync("examples/acme.ndjson");

function modesIn(place: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(place)
      .toSorted()
      .map((name) => [name.replace(/-staging-\d+$/, "-staging"), modeOf(join(place, name))]),
  );
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

function importUnder(umask: string, database: string): ChildProcess {
  const under = ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath];
  return spawn("sh", [...under, MAIN, "import", "--database", `sqlite:${database}`, "-"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
}

/** Imports the example into a database. Returns the modes in a folder in the middle of the import, and after it. */
async function imported(umask: string, database: string, place: string) {
  const child = importUnder(umask, database);
  const end = ended(child);
  child.stdin?.write(ACME.subarray(0, 1000));
  // The import waits for the rest, so that it writes when another process does, and waits for that, too.
  const file = join(place, "r.db");
  await hasTurn(file, child);
  const other = new DatabaseSync(file);
  other.exec("BEGIN IMMEDIATE");
  child.stdin?.end(ACME.subarray(1000));
  const isStaging = () =>
    readdirSync(place).some((name) => name.includes("-staging-") && statSync(join(place, name)).size > 0);
  await expect.poll(isStaging).toBe(true);
  const during = modesIn(place);
  other.close();
  const { status, stderr } = await end;
  expect(status, stderr).toBe(0);
  return { during, after: modesIn(place) };
}

describe.each(["000", "022", "777"])("umask %s", (umask) => {
  test("a new database, its log, its lock and its temporary file", async () => {
    const place = join(folder, umask);
    mkdirSync(place);
    expect(await imported(umask, join(place, "r.db"), place)).toEqual({
      during: {
        "r.db": "600",
        "r.db-import": "600",
        "r.db-import-journal": "600",
        "r.db-shm": "600",
        "r.db-staging": "600",
        "r.db-wal": "600",
      },
      after: { "r.db": "600", "r.db-import": "600" },
    });
  });

  test("a new database at the end of a link", async () => {
    const place = join(folder, `linked-${umask}`);
    mkdirSync(place);
    const link = join(folder, `link-${umask}.db`);
    symlinkSync(join(place, "r.db"), link);
    const { during } = await imported(umask, link, place);
    expect(new Set(Object.values(during))).toEqual(new Set(["600"]));
  });
});

test("a database that exists keeps its mode, and gives it to its log and its lock", async () => {
  const place = join(folder, "shared");
  mkdirSync(place);
  const database = join(place, "r.db");
  expect((await imported("077", database, place)).after).toEqual({ "r.db": "600", "r.db-import": "600" });
  chmodSync(database, 0o660);
  chmodSync(`${database}-import`, 0o640);
  expect(await imported("000", database, place)).toEqual({
    during: {
      "r.db": "660",
      "r.db-import": "640",
      "r.db-import-journal": "640",
      "r.db-shm": "660",
      "r.db-staging": "600",
      "r.db-wal": "660",
    },
    after: { "r.db": "660", "r.db-import": "640" },
  });
});
