/**
 * docs/operations.md on a simulated machine: the program is installed from the tarball, and run by its user and units.
 */
import { copyFileSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServing } from "../backup/serving.ts";
import { textOf } from "../examples/acme.ts";
import { fencedUnder } from "../docs/reading/fence.ts";
import { BECOMES_USER, Machine } from "./machine.ts";
import { pack } from "./tarball.ts";

const doc = textOf("docs/operations.md");
const { version }: { version: string } = JSON.parse(textOf("package.json"));
const NEXT = "0.2.0";
const DATABASE = "/var/lib/rolebook/rolebook.db";

const records = textOf("examples/acme.ndjson").trim().split("\n");
/** The example organization with an end record. */
const WHOLE = `${records.join("\n")}\n{"object":"end","records":${records.length}}\n`;

const machine = new Machine();
/** The server from which the machine downloads the snapshot file. The test sets its answers. */
let source: Server;
let answer: { status: number; body: string };
beforeAll(async () => {
  const tarball = await pack(machine.folder);
  for (const each of [version, NEXT]) copyFileSync(tarball, join(machine.home, `rolebook-${each}.tgz`));
  writeFileSync(join(machine.home, "directory.ndjson"), textOf("examples/acme.ndjson"), { mode: 0o600 });
  source = createServer((request, response) => {
    const allowed = request.headers.authorization === "Bearer secret";
    response.writeHead(allowed ? answer.status : 401).end(allowed ? answer.body : "");
  });
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  source?.close();
  machine.dispose();
});

/** The commands of a section of the page, as it prints them. */
function block(section: string, index = 0): string {
  const found = fencedUnder(doc, section, "sh")[index];
  if (found === undefined) throw new Error(`The page has no block ${index} of commands under ${section}.`);
  return found;
}

/** Starts the server as its unit does, on a free port. */
function serve() {
  const [command = ""] = machine.commands("rolebook.service");
  return startServing(["sh", "-c", command.replace(/--port \d+/, "--port 0")], {});
}

test(`is installed from the tarball, with rolebook on the path${BECOMES_USER ? "" : " (as another user: NOT TRIED, this is not root)"}`, async () => {
  expect(block("Install")).toContain(`rolebook-${version}.tgz`);
  expect(await machine.run(block("Install"))).toMatchObject({ status: 0 });
  const wrapper = "/usr/local/bin/rolebook";
  machine.write(wrapper, machine.here(readFileSync(machine.folder + wrapper, "utf8")), 0o755);
  machine.write("/etc/rolebook.env", machine.here(block("Install", 1)));
  expect(await machine.run("rolebook --version")).toMatchObject({ status: 0, stdout: `${version}\n` });
  expect(await machine.run(block("Serve"))).toMatchObject({ status: 0 });
  expect(machine.told()).toEqual(["daemon-reload", "enable --now rolebook"]);
});

test("without a database, the server's unit ends with the status on which it is not restarted", async () => {
  const [, never] = /^RestartPreventExitStatus=(\d+)$/m.exec(machine.unit("rolebook.service")) ?? [];
  const { status, stderr } = await machine.oneshot("rolebook.service");
  expect([status, stderr]).toEqual([Number(never), expect.stringContaining("There is no database sqlite:")]);
});

test("imports what only root can read, as the user of the service", async () => {
  const { status, stdout } = await machine.run(block("Import"));
  expect([status, stdout]).toEqual([0, expect.stringContaining("acme")]);
  const { uid, mode } = statSync(machine.folder + DATABASE);
  expect(uid).toBe(BECOMES_USER ? statSync(`${machine.folder}/var/lib/rolebook`).uid : process.getuid?.());
  expect(uid === 0).toBe(BECOMES_USER ? false : process.getuid?.() === 0);
  expect(mode & 0o77).toBe(0);
});

test("serves, and imports pulled files, until a pull fails", async () => {
  machine.stateFolder("/var/lib/rolebook-pull");
  machine.stateFolder("/credentials");
  const address = source.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const [settings = ""] = fencedUnder(doc, "Import", "");
  machine.write(
    "/credentials/source",
    settings.replace("https://directory.example", `http://127.0.0.1:${port}`).replace("…", "secret"),
    0o644,
  );
  const unit = "/etc/systemd/system/rolebook-pull.service";
  const text = readFileSync(machine.folder + unit, "utf8");
  expect(text).toContain("--proto =https ");
  machine.write(unit, text.replace("--proto =https ", "--proto =http "));
  const credentials = { CREDENTIALS_DIRECTORY: `${machine.folder}/credentials` };

  const server = await serve();
  try {
    answer = { status: 200, body: WHOLE };
    const pulled = await machine.oneshot("rolebook-pull.service", credentials);
    expect(pulled, pulled.stderr).toMatchObject({ status: 0 });
    const imported = await machine.oneshot("rolebook-import.service");
    expect(imported, imported.stderr).toMatchObject({ status: 0 });

    answer = { status: 500, body: "<h1>Internal Server Error</h1>" };
    expect((await machine.oneshot("rolebook-pull.service", credentials)).status).not.toBe(0);
    expect(readFileSync(`${machine.folder}/var/lib/rolebook-pull/directory.ndjson`, "utf8")).toBe(WHOLE);
    answer = { status: 200, body: `${records.join("\n")}\n` };
    expect(await machine.oneshot("rolebook-pull.service", credentials)).toMatchObject({ status: 0 });
    expect(await machine.oneshot("rolebook-import.service")).toMatchObject({ status: 1 });

    const token = (await machine.run("rolebook token create --organization acme")).stdout.trim();
    const response = await fetch(`${server.url}/v1/spaces/glossary/permissions/aggregate`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test("is upgraded step by step, and goes back", async () => {
  machine.copyInsteadOfInstall(version, NEXT);
  const server = await serve();
  try {
    const upgrade = block("Upgrade").replace("http://127.0.0.1:3000", server.url);
    const { status, stdout, stderr } = await machine.run(upgrade);
    expect([status, stdout], stderr).toEqual([0, expect.stringContaining('{"status":"ready"}')]);
    expect(readlinkSync(`${machine.folder}/opt/rolebook/current`)).toBe(NEXT);
    expect(machine.told()).toEqual([
      "stop rolebook-import.timer rolebook-import rolebook",
      "start rolebook rolebook-import.timer",
    ]);
  } finally {
    expect(await server.stop()).toBe(0);
  }
  const before = await machine.run("rolebook token list");
  expect(await machine.run(block("Upgrade", 1))).toMatchObject({ status: 0 });
  expect(readlinkSync(`${machine.folder}/opt/rolebook/current`)).toBe(version);
  expect(await machine.run("rolebook token list")).toEqual(before);
  const again = await serve();
  expect(await again.stop()).toBe(0);
});

test("old backups are deleted", async () => {
  expect(await machine.run(block("Backup", 1))).toMatchObject({ status: 0, stderr: "" });
});
