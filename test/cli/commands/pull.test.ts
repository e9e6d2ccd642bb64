/** `rolebook pull gitbook` as a person types it, in its own process, against the double of GitBook's API. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, rolebook } from "../../command.ts";
import { acme, recordsIn } from "../../examples/acme.ts";
import { withoutDefaults } from "../../oracle/form.ts";
import { Double, type DoubleOptions, TOKEN } from "../../connectors/gitbook/double/double.ts";
import {
  type Beyond,
  canonical,
  State,
  tamed,
  withoutMembers,
} from "../../connectors/gitbook/double/state.ts";

const RECORDS = tamed(acme);

let folder: string;
let double: Double;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-pull-"));
});
afterEach(async () => {
  await double.close();
  rmSync(folder, { recursive: true });
});

async function open(beyond: Beyond = {}, options: DoubleOptions = {}, records = RECORDS): Promise<void> {
  double = await Double.open(new State(records, beyond), options);
}

/** Runs the command, and checks that its output does not contain the token. */
async function pull(
  args: readonly string[],
  environment: Record<string, string> = {},
  organization = "acme",
): Promise<Ran> {
  const asked = ["--organization", organization, "--api", double.url, ...args];
  const ran = await rolebook(["pull", "gitbook", ...asked], {
    GITBOOK_TOKEN: TOKEN,
    ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}`,
    ...environment,
  });
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
  return ran;
}

const file = (name: string) => join(folder, name);

test("the snapshot with its end record goes to standard output, the summary to standard error", async () => {
  await open();
  const { status, stdout, stderr } = await pull([]);
  expect(stderr).toMatch(
    /^Read organization acme between \S+Z and \S+Z: \d+ requests, its lists 2 times\.\n$/,
  );
  const records = recordsIn(stdout);
  expect(records.pop()).toEqual({ object: "end", records: RECORDS.length });
  expect(canonical(records)).toEqual(canonical(RECORDS));
  expect(status).toBe(0);
});

test("only its owner can read a file, and import --complete accepts it", async () => {
  await open();
  expect((await pull(["--output", file("acme.ndjson")])).status).toBe(0);
  expect(statSync(file("acme.ndjson")).mode & 0o777).toBe(0o600);
  const url = `sqlite:${file("other.db")}`;
  const imported = await rolebook(["import", "--complete", "--database", url, file("acme.ndjson")]);
  expect(imported.status, imported.stderr).toBe(0);
});

test("--import pulls and imports, a second time changes nothing, and leaves no file", async () => {
  await open();
  const first = await pull(["--import", "--format", "ndjson"]);
  expect(first.status, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ outcome: "changed" });
  const second = await pull(["--import"]);
  expect([second.status, second.stderr]).toEqual([0, expect.stringContaining("The import changes nothing")]);
  expect(readdirSync(folder).filter((name) => !name.startsWith("rolebook.db"))).toEqual([]);
  const { stdout } = await rolebook(["export", "--organization", "acme"], {
    ROLEBOOK_DATABASE_URL: `sqlite:${file("rolebook.db")}`,
  });
  const stored = RECORDS.map((record) => withoutDefaults({ ...record }));
  expect(canonical(recordsIn(stdout).slice(0, -1))).toEqual(canonical(stored));
});

test("--import has the guard and the exit status of import", async () => {
  await open();
  await pull(["--import"]);
  await double.close();
  const members = RECORDS.flatMap((record) => (record.object === "member" ? [record.user] : []));
  await open({}, {}, withoutMembers(RECORDS, members.slice(1)));
  const refused = await pull(["--import"]);
  expect(refused.status, refused.stderr).toBe(3);
  const meant = await pull(["--import", "--allow-removals"]);
  expect(meant.status, meant.stderr).toBe(0);
});

test("disabled members are left out, counted and named, and the manifest says so", async () => {
  await open({ disabled: ["ana", "tomas"] });
  const { status, stdout, stderr } = await pull(["--manifest", file("manifest.json")]);
  expect(status).toBe(0);
  expect(stderr).toContain('Left out disabled members, 2: "ana", "tomas".');
  expect(canonical(recordsIn(stdout).slice(0, -1))).toEqual(
    canonical(withoutMembers(RECORDS, ["ana", "tomas"])),
  );
  expect(statSync(file("manifest.json")).mode & 0o777).toBe(0o600);
  const text = readFileSync(file("manifest.json"), "utf8");
  expect(text).not.toContain(TOKEN);
  expect(JSON.parse(text)).toEqual({
    organization: "acme",
    api: double.url,
    window: { from: expect.any(String), to: expect.any(String) },
    requests: double.asked.length,
    readings: 2,
    settled: true,
    records: expect.objectContaining({ organization: 1 }),
    disabled: ["ana", "tomas"],
    gone: [],
    accepted: [],
  });
});

test("the token may be in a file, with a line end", async () => {
  await open();
  writeFileSync(file("token"), `${TOKEN}\n`);
  const ran = await pull(["--token-file", file("token")], { GITBOOK_TOKEN: "" });
  expect(ran.status, ran.stderr).toBe(0);
});

test("wrong usage is reported before any request", async () => {
  await open();
  const noToken = await pull([], { GITBOOK_TOKEN: "" });
  expect([noToken.status, noToken.stdout]).toEqual([2, ""]);
  expect(noToken.stderr).toMatch(/^GITBOOK_TOKEN is not set or empty; accepted: /);
  const badRate = await pull(["--rate", "0"]);
  expect([badRate.status, badRate.stderr]).toEqual([
    2,
    expect.stringMatching(/^--rate is "0"; accepted: requests a minute/),
  ]);
  expect(double.asked).toEqual([]);
});

test("a token whose user is not an admin gets nothing", async () => {
  await open({}, { demotedAt: 0 });
  const { status, stdout, stderr } = await pull(["--output", file("acme.ndjson")]);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^The token's user is not an admin of organization acme\. .* mass revocation/);
  expect(readdirSync(folder)).toEqual([]);
});

test("a missing organization is named", async () => {
  await open();
  const ran = await pull([], {}, "other");
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringMatching(/^GitBook has no organization other,/)]);
});

test("--verify compares before anything is written; a difference is exit status 1", async () => {
  await open();
  const same = await pull([
    "--verify",
    "all",
    "--output",
    file("same.ndjson"),
    "--manifest",
    file("same.json"),
  ]);
  expect([same.status, same.stderr]).toEqual([
    0,
    expect.stringMatching(
      /Compared \d+ contents, \d+ members and 2 sites with GitBook's own lists: 0 differences\./,
    ),
  ]);
  expect(JSON.parse(readFileSync(file("same.json"), "utf8")).verified).toMatchObject({
    sites: 2,
    differences: [],
  });
  await double.close();
  await open({
    distort: (path, entry) => (path.endsWith("/aggregate") ? { ...entry, permission: "admin" } : entry),
  });
  const other = await pull(["--verify", "--output", file("other.ndjson"), "--import"]);
  expect([other.status, other.stdout]).toEqual([1, ""]);
  expect(other.stderr).toMatch(/^\w+\/\S+: "\S+" has admin at GitBook, \w+ by Rolebook's rules$/m);
  expect(other.stderr).toMatch(/Nothing was written\.\n$/);
  expect(readdirSync(folder).sort()).toEqual(["same.json", "same.ndjson"]);
});
