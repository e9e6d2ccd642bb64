import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oracle } from "../oracle/oracle.ts";
import { importWhole } from "./killing.ts";
import { faultOf, rolebook } from "./program.ts";
import { type Ground, largeGround, stateOf } from "./states.ts";
import { HANG } from "../setup/hang.ts";

/** Full disks and read-only files: the lists do not change, and one line of output names the reason. */

let ground: Ground;
beforeAll(async () => {
  ground = await largeGround("S");
});
afterAll(() => ground.close());

/** The number of lists that are compared with the oracle each time; comparing all takes long. */
const SOME = 12;

const importing = (url: string, file: string) => ["import", "--allow-removals", "--database", url, file];

test("a file that cannot grow, at several sizes", async () => {
  const [one, two] = ground.states;
  await importWhole(ground, one, SOME);
  const kibibytes = Math.ceil(statSync(ground.path).size / 1024);
  // The first limit fails while records are staged, the others while rows are written.
  for (const limit of [64, Math.ceil(kibibytes / 2), kibibytes - 8]) {
    const ended = await rolebook(importing(ground.url, two.file), {
      under: ["prlimit", `--fsize=${limit * 1024}`],
    });
    expect(faultOf(ended), `${limit} KiB`).toBeUndefined();
    expect(ended.stderr).toMatch(/^The database \S+ .*(disk|file system)/);
    expect((await stateOf(ground, SOME)).name).toBe(one.name);
  }
  await importWhole(ground, two, SOME);
});

test("a full disk: answers stay the same, and an import succeeds when there is space", async () => {
  const [one, two] = ground.states;
  const listing = {
    endpoint: 3 as const,
    space: one.records.flatMap((each) => (each.object === "space" ? each.id : []))[0] ?? "",
  };
  const before = oracle(one.records, { publicUrl: "x" }).list("bench", listing);
  const own = ["--user", "--map-root-user", "--mount"];
  // Uses a small file system if mounting is allowed; otherwise a size limit on each file.
  const mounts = spawnSync("unshare", [...own, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
  const script = ["bash", new URL("full-disk.sh", import.meta.url).pathname, ground.folder];
  const [command = "", ...args] = mounts ? ["unshare", ...own, ...script, "mount"] : [...script, "limit"];
  const { status, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: HANG,
    env: {
      ...process.env,
      NODE: process.execPath,
      MAIN: new URL("../../bin/rolebook.js", import.meta.url).pathname,
      LISTING: `spaces/${listing.space}/permissions/aggregate?limit=1000`,
      ROLEBOOK_LOG_LEVEL: "warn",
    },
  });
  // Lines that say where an import wrote appear only if it succeeds.
  const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Wrote "));
  expect([status, said.length], stderr).toEqual([0, 2]);
  for (const line of said)
    expect(line).toMatch(/^The database \S+ cannot (grow: the disk is full|be read or written)/);
  const answer = (name: string) => readFileSync(join(ground.folder, name), "utf8");
  expect(answer("before")).toMatch(/^200 /);
  expect(JSON.parse(answer("before").slice(4)).count).toBe(before.length);
  expect(answer("after")).not.toBe(answer("before"));
  // The export contains the second state, complete.
  await importWhole(ground, { ...two, file: join(ground.folder, "exported") }, SOME);
});

test("a read-only file or folder", async () => {
  const [one, two] = ground.states;
  await importWhole(ground, one, SOME);
  // Root may write anything unless it drops its capabilities.
  const under = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
  const refused = async (args: string[]) => {
    const ended = await rolebook([...args, "--database", ground.url], { under });
    expect(faultOf(ended), args[0]).toBeUndefined();
    expect(ended.stderr).toMatch(/^The database \S+ cannot be (written|opened)/);
  };
  chmodSync(ground.path, 0o444);
  await refused(["import", "--allow-removals", two.file]);
  await refused(["token", "create", "--organization", "bench"]);
  chmodSync(ground.path, 0o644);
  chmodSync(ground.folder, 0o555);
  await refused(["import", "--allow-removals", two.file]);
  chmodSync(ground.folder, 0o755);
  expect((await stateOf(ground, SOME)).name).toBe(one.name);
  await importWhole(ground, two, SOME);
});
