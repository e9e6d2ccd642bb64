/** docs/csv.md, Every night: its script converts and imports, changes nothing after a failure, and its unit's command is right. */
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { MAIN, rolebook } from "../command.ts";
import { textOf } from "../examples/acme.ts";
import { fencedUnder } from "./reading/fence.ts";
import { temporaryFolder } from "../folder.ts";

const doc = textOf("docs/csv.md");
const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const [script = ""] = fencedUnder(doc, "Every night", "sh");
const [crontab = ""] = fencedUnder(doc, "Every night", "");

/** Runs the command of the crontab in the folder. */
async function night(): Promise<string> {
  const line = crontab
    .trim()
    .replace(/^(?:\S+ ){5}/, "")
    .replace("/var/lib/rolebook-sheets", folder);
  const env = { ...process.env, ...environment, PATH: `${folder}:${process.env.PATH}` };
  return (await promisify(execFile)("sh", ["-c", line], { env })).stdout;
}

beforeAll(() => {
  for (const name of ["people.csv", "access.csv"])
    copyFileSync(join("examples/csv", name), join(folder, name));
  writeFileSync(join(folder, "nightly.sh"), script);
  writeFileSync(join(folder, "rolebook"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(folder, "rolebook"), 0o755);
});

test("a night imports and is silent; a night with an error prints it, and changes nothing", async () => {
  expect(await night()).toBe("");
  const [status, file] = [
    await rolebook(["revisions"], environment),
    readFileSync(join(folder, "directory.ndjson")),
  ];
  expect(status.stdout).toContain("import");
  writeFileSync(join(folder, "people.csv"), "Name,E-mail,Role\nKofi,kofi@northlight.example,chief\n");
  expect(await night()).toContain('people.csv:2: "Role" is "chief"; accepted: ');
  expect(readFileSync(join(folder, "directory.ndjson"))).toEqual(file);
  expect(await rolebook(["revisions"], environment)).toEqual(status);
});

test("the unit's command converts", async () => {
  const [unit = ""] = fencedUnder(doc, "Every night", "ini");
  const [, args = ""] = /bin\/rolebook\.js (.+)$/m.exec(unit) ?? [];
  const here = args
    .replaceAll("/var/lib/rolebook-pull/sheets", "examples/csv")
    .replaceAll("/var/lib/rolebook-pull", folder);
  // No argument of the command has a blank.
  expect(await rolebook(here.split(" "))).toMatchObject({ status: 0 });
});
