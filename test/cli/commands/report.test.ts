/** `rolebook report` in its own process: streams, exit status and files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { MAIN, rolebookProcess } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { readReport } from "../../store/read-report.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}`, TMPDIR: folder };
const EXAMPLE = "examples/acme.ndjson";

beforeAll(async () => {
  expect(await rolebookProcess(["import", EXAMPLE], environment)).toMatchObject({ status: 0 });
});

test("writes the report to standard output and the rest to standard error, and leaves no file", async () => {
  const before = readdirSync(folder).sort();
  const { status, stdout, stderr } = await rolebookProcess(["report", "--space", "glossary"], environment);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "Writing 30 rows of Acme, revision 1.\n" });
  const { head, rows, sha256 } = readReport(Buffer.from(stdout));
  expect(rows).toHaveLength(30);
  expect(head.get("sha256")).toEqual([sha256]);
  expect(readdirSync(folder).sort()).toEqual(before);
});

test("without the head, begins with the column names and is the same from there", async () => {
  const whole = (await rolebookProcess(["report", "--user", "ana"], environment)).stdout;
  const { status, stdout } = await rolebookProcess(["report", "--user", "ana", "--no-head"], environment);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^kind,content,.*\r\ncollection,/);
  expect(whole.split("\r\n").slice(7).join("\r\n")).toBe(stdout);
});

test("ends silently with status 1 if the reader closes the pipe", async () => {
  const child = spawn(process.execPath, [MAIN, "report"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  child.stdout.destroy();
  const [status] = await once(child, "close");
  expect(status).toBe(1);
  expect(Buffer.concat(said).toString()).toBe("Writing 554 rows of Acme, revision 1.\n");
});

test.each([
  [["--space", "a", "--site", "b"], 2, "--space and --site are both given; accepted: one of them.\n"],
  [
    ["--collection", "a", "--site", "b"],
    2,
    "--collection and --site are both given; accepted: one of them.\n",
  ],
  [["--user", "a", "--guests"], 2, "--user and --guests are both given; accepted: one of them.\n"],
  [["--sites", "--space", "a"], 2, "--sites and --space are both given; accepted: one of them.\n"],
  [
    ["--sites", "--without-admins"],
    2,
    "--sites and --without-admins are both given; accepted: one of them.\n",
  ],
  [["--sites", "--site", "x"], 1, 'There is no site "x" in organization acme.\n'],
  [["--role", "x"], 2, '--role is "x"; accepted: read, comment, edit, review, create, admin.\n'],
  [["--organization", "x"], 1, 'There is no organization "x"; see rolebook organization list.\n'],
  [["--space", "x"], 1, 'There is no space "x" in organization acme.\n'],
])("report %j: status %i", async (args, status, stderr) => {
  expect(await rolebookProcess(["report", ...args], environment)).toEqual({ status, stdout: "", stderr });
});

test("names the folder that has no room for the rows", async () => {
  const { status, stderr } = await rolebookProcess(["report"], {
    ...environment,
    TMPDIR: join(folder, "absent"),
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^The temporary file in .*absent cannot be written: .*TMPDIR names another folder\.\n$/,
  );
});

test("with --sites, lists what sites say, also where that decides nothing, at each revision", async () => {
  const database = { ...environment, ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "sites.db")}` };
  const file = join(folder, "sites.ndjson");
  const rest = acme.filter((record) => record.object !== "site" || record.id !== "partner-hub");
  const said = [
    { object: "site", id: "partner-hub", organization: "acme", title: "Partner hub", defaultLevel: null },
    { object: "site", id: "empty", organization: "acme", title: "No spaces" },
    { object: "permission", site: "empty", user: "nils", permission: null },
    { object: "permission", site: "empty", user: "bram", permission: "edit" },
    { object: "permission", site: "partner-hub", team: "writers", permission: "read" },
    { object: "permission", site: "partner-hub", team: "agency", permission: "review" },
  ];
  writeFileSync(file, [...rest, ...said].map((record) => `${JSON.stringify(record)}\n`).join(""));
  await rolebookProcess(["import", EXAMPLE], database);
  expect(await rolebookProcess(["import", file], database)).toMatchObject({ status: 0 });
  const listed = async (...options: string[]) => {
    const { status, stdout } = await rolebookProcess(["report", "--sites", ...options], database);
    expect(status).toBe(0);
    return stdout.trimEnd().split("\r\n");
  };
  const HEAD = "site,title,kind,id,name,role";
  const EMPTY = ["empty,No spaces,user,bram,Bram de Wit,edit", "empty,No spaces,user,nils,Nils Sandvik,none"];
  expect(await listed()).toEqual([
    HEAD,
    ...EMPTY,
    "partner-hub,Partner hub,default,,,none",
    "partner-hub,Partner hub,team,agency,Agency,review",
    "partner-hub,Partner hub,team,writers,Writers,read",
  ]);
  expect(await listed("--site", "empty")).toEqual([HEAD, ...EMPTY]);
  expect(await listed("--at", "1")).toEqual([HEAD]);
});
