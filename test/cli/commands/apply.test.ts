/** `rolebook apply`, as called by a person and by a program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../../src/store/engine/open.ts";
import { MAIN, type Ran, rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { toLines } from "../../oracle/records.ts";

let folder: string;
let database: string;
const run = (...args: string[]): Promise<Ran> => rolebook(args, { ROLEBOOK_DATABASE_URL: database });
const exported = async () => (await run("export", "--organization", "acme")).stdout;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-apply-"));
  database = `sqlite:${join(folder, "rolebook.db")}`;
  expect((await run("import", file("acme", toLines(acme)))).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, `${name}.ndjson`);
  writeFileSync(path, text);
  return path;
}

function changes(name: string, records: readonly object[], header: object = {}): string {
  const all = [{ object: "changes", organization: "acme", ...header }, ...records];
  const lines = [...all, { object: "end", records: all.length }].map((each) => JSON.stringify(each));
  return file(name, `${lines.join("\n")}\n`);
}

const rename = (displayName: string) => ({ object: "user", id: "ana", displayName });
const lastLines = ({ stdout }: Ran): unknown[] =>
  stdout
    .trimEnd()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

test("each file makes a revision, in order, up to the first invalid file", async () => {
  const files = [
    changes("one", [rename("Ana 1")]),
    changes("two", [rename("Ana 2")]),
    changes("wrong", [{ object: "team", id: "nowhere", removed: true }]),
    changes("never", [rename("Ana 3")]),
  ];
  const ran = await run("apply", "--format", "ndjson", "--complete", ...files);
  expect(ran.status).toBe(1);
  expect(lastLines(ran)).toMatchObject([
    { file: files[0], outcome: "changed", dryRun: false, revision: 2 },
    { file: files[1], outcome: "changed", revision: 3 },
    { file: files[2], outcome: "failed", organizations: [] },
  ]);
  expect(ran.stderr).toMatch(/^user +0 +1 +0 +0$/m);
  expect(ran.stderr).toContain(
    `${files[1]} made revision 3.\n${files[2]}:2: team.id is "nowhere"; accepted:`,
  );
  expect(await exported()).toContain('"displayName":"Ana 2"');
});

test("a dry run changes nothing and prints the same, with --details each record by name", async () => {
  const before = await exported();
  const path = changes("dry", [{ object: "team", id: "docs", removed: true, with: "all" }]);
  const dry = await run("apply", "--dry-run", "--details", "--allow-removals", path);
  expect(dry).toMatchObject({ status: 0, stderr: "This was a dry run; nothing was changed.\n" });
  expect(dry.stdout).toMatch(/^team +0 +0 +1 +0$/m);
  expect(dry.stdout).toMatch(/^acme +removed +team +docs \(Docs\) *$/m);
  expect(dry.stdout).toMatch(/^acme +removed +teamMember +ana \(Ana 2\) in docs \(Docs\) +role owner$/m);
  expect(await exported()).toBe(before);
});

test("a probable mistake is refused as in an import", async () => {
  const before = await exported();
  const memberships = acme.filter((record) => record.object === "teamMember");
  const removals = memberships.map(({ object, team, user }) => ({ object, team, user, removed: true }));
  const path = changes("much", removals);
  const refused = await run("apply", "--format", "ndjson", path);
  expect(refused.status).toBe(3);
  const whole = toLines(acme.filter((record) => record.object !== "teamMember"));
  const imported = await run("import", "--dry-run", file("whole", whole.replaceAll("Ana Lima", "Ana 2")));
  expect(refused.stderr.slice(refused.stderr.indexOf("Refused"))).toBe(imported.stderr);
  expect(lastLines(refused)).toMatchObject([{ outcome: "refused" }]);
  expect(await exported()).toBe(before);
});

test("a file with an id is applied once, a file with a base only to that revision", async () => {
  const once = changes("once", [rename("Ana 4")], { id: "delivery-1" });
  expect((await run("apply", once)).stderr).toMatch(/made revision 4\.\n$/);
  expect((await run("apply", changes("later", [rename("Ana 5")], { base: 4 }))).status).toBe(0);
  const again = await run("apply", "--format", "ndjson", once);
  expect(again).toMatchObject({ status: 0 });
  expect(again.stderr.endsWith(`\n${once} was applied before, as revision 4; nothing was changed.\n`)).toBe(
    true,
  );
  expect(lastLines(again)).toMatchObject([{ outcome: "unchanged", repeated: true, revision: 4 }]);
  const late = await run("apply", changes("late", [rename("Ana 6")], { base: 4 }));
  expect(late.status).toBe(1);
  expect(late.stderr).toContain(
    'changes.base is "4"; accepted: 5, the current revision of organization acme',
  );
  expect(await exported()).toContain('"displayName":"Ana 5"');
});

test("a whole file that is older than a change is refused with --base", async () => {
  const path = file("older", toLines(acme));
  const late = await run("import", "--dry-run", "--base", "4", path);
  expect(late.status).toBe(1);
  expect(late.stderr).toBe(
    "Organization acme is at revision 5, the files are of revision 4: later changes would be lost. Nothing was changed.\n",
  );
  expect((await run("import", "--dry-run", "--base", "5", path)).status).toBe(0);
  expect(await run("import", "--base", "now", path)).toMatchObject({
    status: 2,
    stderr: '--base is "now"; accepted: the number of a revision, as rolebook status shows it.\n',
  });
});

test("a file that changes nothing makes no revision", async () => {
  const ran = await run("apply", "--format", "ndjson", changes("nothing", [rename("Ana 5")]));
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stderr).toMatch(/nothing\.ndjson changes nothing; no new revision was made\.\n$/);
  expect(lastLines(ran)).toMatchObject([
    { outcome: "unchanged", organizations: [{ kinds: { user: { unchanged: 1 } } }] },
  ]);
});

test("a change waits for its turn as long as --wait says", async () => {
  const engine = await openEngine(database);
  try {
    const ran = await engine.importing(
      () => run("apply", "--wait", "0s", changes("waits", [rename("Ana 7")])),
      () => {},
    );
    expect(ran.status).toBe(1);
    expect(ran.stderr).toBe(
      "Another import or change has been running for 0 s; nothing was changed. Wait longer with --wait, such as --wait 1h.\n",
    );
  } finally {
    await engine.close();
  }
  expect(await run("apply", "--wait", "soon", "x.ndjson")).toMatchObject({
    status: 2,
    stderr: '--wait is "soon"; accepted: seconds, minutes or hours, such as 30s, 10m or 1h.\n',
  });
});

test("--follow prints the outcome of each batch before the next one arrives", async () => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ROLEBOOK_"));
  const child = spawn(process.execPath, [MAIN, "apply", "--follow", "-"], {
    env: { ...Object.fromEntries(inherited), ROLEBOOK_DATABASE_URL: database },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (piece) => (stderr += String(piece)));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (record: object): Promise<unknown> => {
    for (const line of [{ object: "changes", organization: "acme" }, record, { object: "end", records: 2 }]) {
      child.stdin.write(`${JSON.stringify(line)}\n`);
    }
    const { value = "" } = await answers.next();
    return JSON.parse(value);
  };
  const milliseconds: unknown = expect.any(Number);
  expect(await ask(rename("Ana 8"))).toMatchObject({ outcome: "changed", revision: 6, milliseconds });
  expect(await ask({ object: "site", id: "nowhere", removed: true })).toMatchObject({ outcome: "failed" });
  expect(await ask(rename("Ana 9"))).toMatchObject({ outcome: "changed", revision: 7, milliseconds });
  child.stdin.end('{"object":"changes","organization":"acme"}\n');
  expect(await once(child, "close")).toEqual([0, null]);
  expect(stderr).toBe("Dropped the last line, without an end record.\n");
});
