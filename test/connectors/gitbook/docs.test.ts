/**
 * The statements of docs/gitbook.md hold, and the schedule of docs/operations.md works, against the double of GitBook's
 * API.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { progressText } from "../../../src/cli/commands/pull.ts";
import { readAccepted } from "../../../src/connectors/gitbook/concerns.ts";
import { DEFAULTS } from "../../../src/connectors/gitbook/client.ts";
import { pull } from "../../../src/connectors/gitbook/pull.ts";
import { differencesAsText } from "../../../src/connectors/gitbook/verify.ts";
import { type Ran, rolebook } from "../../command.ts";
import { acme, textOf } from "../../examples/acme.ts";
import { temporaryFolder } from "../../folder.ts";
import { fencedUnder } from "../../docs/reading/fence.ts";
import { tableUnder } from "../../docs/reading/table.ts";
import { Double, TOKEN } from "./double/double.ts";
import { clientOf, withDouble } from "./double/pulled.ts";
import { State, tamed, withoutMembers } from "./double/state.ts";

const page = textOf("docs/gitbook.md");
const operations = textOf("docs/operations.md");
const RECORDS = tamed(acme);
const STATE = new State(RECORDS);

test("every kind that can be accepted is in the table", () => {
  const kinds = tableUnder(page, "What a snapshot cannot represent").map(([kind = ""]) =>
    kind.replaceAll("`", "").replace("KIND.", ""),
  );
  for (const kind of kinds) expect([...readAccepted([kind])]).toEqual([kind]);
  expect(() => readAccepted(["all"])).toThrow(
    `accepted: ${kinds.slice(0, 2).join(", ")}, and ${kinds.slice(2).join(", ")},`,
  );
});

test("the number of requests is correct", async () => {
  const [, requests] = /C contents, T teams and S sites, a pull makes ([^,]+) requests/.exec(page) ?? [];
  expect(requests).toBe("12 + 2C + T + 3S");
  await withDouble(STATE, {}, async (double) => {
    await pull(clientOf(double), "acme", { accept: new Set() });
    const { spaces, collections, teams, sites } = STATE.facts;
    expect(double.asked).toHaveLength(
      12 + 2 * (spaces.size + collections.size) + teams.size + 3 * sites.size,
    );
  });
});

test("its examples and numbers are those of the program", () => {
  const line = progressText(
    { phase: "content", contents: { done: 312, of: 460 }, requests: { done: 609, of: 997 } },
    { requests: 609, elapsed: 609 * 1391, held: 22_500 },
  );
  const difference = { at: "space/api-reference", user: "ana", gitbook: "edit", rolebook: "review" } as const;
  const told = differencesAsText({ contents: 1, members: 0, sites: 0, differences: [difference] });
  expect([line, told].map((each) => page.includes(`\`\`\`text\n${each}\n\`\`\``))).toEqual([true, true]);
  const words = page.replaceAll(/\s+/g, " ");
  expect(words).toContain(`the pull gives up (${DEFAULTS.maxWait / 60_000} minutes)`);
  expect(words).toContain(`once (${DEFAULTS.concurrency})`);
});

test("every option that it names exists", async () => {
  const { stdout } = await rolebook(["pull", "gitbook", "--help"]);
  const named = new Set([...page.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option));
  for (const option of named)
    expect([option, stdout.includes(option) || option === "--complete"]).toEqual([option, true]);
  for (const [option] of stdout.matchAll(/--[a-z][a-z-]*/g)) {
    if (option !== "--help") expect([option, named.has(option)]).toEqual([option, true]);
  }
});

test("it says that no real organization was pulled", () => {
  expect(page).toContain("**Warning: this was tested only against a simulated GitBook.**");
});

const [dropIn = "", timer = ""] = fencedUnder(operations, "Import", "ini");
const folder = temporaryFolder();
let double: Double;
for (const name of ["rolebook", "rolebook-pull"]) mkdirSync(join(folder, name));

/** Runs the last command of a printed systemd unit, with paths in this folder and the double in place of GitBook. */
async function start(unit: string): Promise<Ran> {
  const command = [...unit.matchAll(/^ExecStart=(.+)$/gm)].at(-1)?.[1] ?? "";
  const [node, program, ...args] = command.split(" ");
  expect([node, program]).toEqual([
    "/opt/rolebook/current/node_modules/.bin/node",
    "/opt/rolebook/current/bin/rolebook.js",
  ]);
  const here = args.map((each) =>
    each.replace("/var/lib", folder).replace("${CREDENTIALS_DIRECTORY}", folder).replace(/^ID$/, "acme"),
  );
  const isPull = here[0] === "pull";
  return rolebook(isPull ? [...here, "--api", double.url] : here, {
    GITBOOK_TOKEN: "",
    ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook/rolebook.db")}`,
  });
}

test("the schedule pulls into a file, imports it, and fails where GitBook does", async () => {
  const importUnit = textOf("docs/systemd/rolebook-import.service");
  const pullUnit = textOf("docs/systemd/rolebook-pull.service");
  const [, credential] = /^LoadCredential=(\w+):/m.exec(dropIn) ?? [];
  writeFileSync(join(folder, credential ?? ""), `${TOKEN}\n`, { mode: 0o600 });
  // The import runs after the pull, and each unit reports its own failure.
  expect(importUnit).toContain("\nRequires=rolebook-pull.service\nAfter=rolebook-pull.service\n");
  for (const unit of [importUnit, pullUnit])
    expect(unit).toContain("\nOnFailure=rolebook-failed@%n.service\n");

  double = await Double.open(STATE);
  const pulled = await start(dropIn);
  expect([pulled.status, pulled.stdout], pulled.stderr).toEqual([0, ""]);
  expect(readdirSync(join(folder, "rolebook-pull")).sort()).toEqual(["directory.ndjson", "manifest.json"]);
  for (const name of ["directory.ndjson", "manifest.json"]) {
    expect(statSync(join(folder, "rolebook-pull", name)).mode & 0o777).toBe(0o600);
  }
  expect((await start(importUnit)).status).toBe(0);
  await double.close();

  // The token is revoked: the pull fails, and the last pulled file stays.
  double = await Double.open(STATE, { revokedAt: 9 });
  const failed = await start(dropIn);
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining("does not accept the token")]);
  expect(failed.stderr).not.toContain(TOKEN);
  expect(readdirSync(join(folder, "rolebook-pull")).sort()).toEqual(["directory.ndjson", "manifest.json"]);
  await double.close();

  // GitBook loses nearly all members: the pull succeeds, and the guard refuses the import.
  const members = RECORDS.flatMap((record) => (record.object === "member" ? [record.user] : []));
  double = await Double.open(new State(withoutMembers(RECORDS, members.slice(1))));
  expect((await start(dropIn)).status).toBe(0);
  expect((await start(importUnit)).status).toBe(3);
  await double.close();
});

const found = spawnSync("systemd-analyze", ["--version"]).status === 0;
test(`systemd accepts the units${found ? "" : ": NOT TRIED, there is no systemd-analyze here"}`, () => {
  if (!found) return;
  const units = join(folder, "units");
  for (const name of ["rolebook-pull.service", "rolebook-import.timer"]) {
    mkdirSync(join(units, `${name}.d`), { recursive: true });
    const text = name.endsWith(".timer") ? timer : dropIn;
    for (const [path, content] of [
      [name, textOf(`docs/systemd/${name}`)],
      [`${name}.d/override.conf`, text],
      ["rolebook-import.service", textOf("docs/systemd/rolebook-import.service")],
      ["rolebook-failed@.service", textOf("docs/systemd/rolebook-failed@.service")],
    ] as const) {
      writeFileSync(
        join(units, path),
        content.replaceAll(/\/opt\/rolebook\/\S+\/node /g, `${process.execPath} `),
      );
    }
  }
  for (const name of ["rolebook-pull.service", "rolebook-import.timer"]) {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["--no-pager", "verify", `./${name}`], {
      cwd: units,
      encoding: "utf8",
    });
    expect([name, status, stdout + stderr]).toEqual([name, 0, ""]);
  }
});
