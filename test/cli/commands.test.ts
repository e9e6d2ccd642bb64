import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ended, MAIN, rolebook } from "../command.ts";
import { withoutDefaults } from "../oracle/form.ts";
import { freePort } from "../postgres/server/port.ts";

/** The commands as a person types them, each in its own process. */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ACME = join(ROOT, "examples/acme.ndjson");
let folder: string;
let database: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-cli-"));
  database = `sqlite:${join(folder, "rolebook.db")}`;
  const imported = await run("import", ACME);
  expect(imported.status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  return rolebook(args, { ROLEBOOK_DATABASE_URL: database });
}

describe("results go to standard output, everything else to standard error", () => {
  test("import prints the added records per kind; a second import changes nothing", async () => {
    const other = `sqlite:${join(folder, "other.db")}`;
    const first = await rolebook(["import", ACME, "--database", other]);
    expect(first.stdout).toMatch(/acme \(Acme\)/);
    expect(first.stdout).toMatch(/kind +added +changed +removed/);
    expect(first.stdout).toMatch(/member +34 +0 +0/);
    const again = await rolebook(["import", ACME, "--database", other]);
    expect([again.status, again.stderr]).toEqual([
      0,
      `The import changes nothing in ${other}; no new revision was made.\n`,
    ]);
  });

  test("import reads gzip, and standard input", async () => {
    const packed = join(folder, "acme.ndjson.gz");
    writeFileSync(packed, gzipSync(readFileSync(ACME)));
    expect((await run("import", packed)).stderr).toContain("changes nothing");
    const child = spawn(process.execPath, [MAIN, "import", "-", "--database", database], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    child.stdin.end(readFileSync(ACME));
    expect(await textOf(child.stderr)).toContain("changes nothing");
  });

  test("importing an export changes nothing", async () => {
    const { status, stdout } = await run("export", "--organization", "acme");
    expect(status).toBe(0);
    const file = join(folder, "export.ndjson");
    writeFileSync(file, stdout);
    expect((await run("import", file)).stderr).toContain("changes nothing");
    const sorted = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => canonical(line))
        .sort();
    const normal = (text: string) =>
      text.replaceAll(/"(\d{4}-\d\d-\d\dT[^"]+)"/g, (_, date: string) => `"${new Date(date).toISOString()}"`);
    const acme = readFileSync(ACME, "utf8").trim();
    const whole = `${acme}\n{"object":"end","records":${acme.split("\n").length}}`;
    expect(sorted(normal(stdout))).toEqual(sorted(normal(whole)));
  });

  test("token create prints only the token; list and revoke", async () => {
    const made = await run(
      "token",
      "create",
      "--organization",
      "acme",
      "--name",
      "audit",
      "--expires",
      "12h",
    );
    expect(made.stdout).toMatch(/^rb_[A-Za-z0-9_-]{43}\n$/);
    const list = await run("token", "list");
    const line = list.stdout.split("\n").find((each) => each.includes("audit")) ?? "";
    expect(list.stdout).not.toContain(made.stdout.trim());
    expect((await run("token", "revoke", line.split(" ")[0] ?? "")).status).toBe(0);
    expect((await run("token", "list")).stdout).not.toContain("audit");
  });

  test("report, history and verify print in every format", async () => {
    const lines = async (...args: string[]) => (await run(...args)).stdout.trimEnd().split(/\r?\n/);
    const report = ["report", "--user", "ana"];
    expect((await lines(...report))[0]).toBe("\uFEFFRolebook report");
    expect((await lines(...report, "--format", "table"))[0]).toMatch(
      /^content +title +user +name +role +why$/,
    );
    const rows = (await lines(...report, "--format", "ndjson")).map((line) => JSON.parse(line));
    expect(rows).toHaveLength((await lines(...report, "--no-head")).length - 1);
    expect(rows[0]).toMatchObject({ user: { id: "ana" }, role: expect.any(String), why: expect.any(String) });
    expect(await lines("history")).toEqual(["400d"]);
    expect(await lines("history", "--format", "csv")).toEqual(["history", "400d"]);
    expect(await lines("history", "--format", "ndjson")).toEqual(['{"history":"400d"}']);
    expect(await lines("verify")).toEqual([
      "acme, revision 1: all records are there, and so are those of earlier revisions.",
    ]);
    expect(await lines("verify", "--format", "csv")).toEqual([
      "organization,revision,table,problem,rows,first",
      "acme,1,,,0,",
    ]);
    expect(await lines("verify", "--format", "ndjson")).toEqual([
      '{"organization":"acme","revision":1,"table":"","problem":"","rows":0,"first":""}',
    ]);
    for (const command of ["report", "history", "verify"])
      expect((await run(command, "--format", "json")).status).toBe(2);
  });

  test("check --record takes the organization by its id alone", async () => {
    const rules = join(ROOT, "examples/rules.yaml");
    const named = ["check", rules, "--organization", "Acme"];
    expect((await run(...named)).stderr).toContain('"Acme" is organization acme.');
    const recorded = await run(...named, "--record");
    expect([recorded.status, recorded.stderr]).toEqual([
      1,
      'There is no organization "Acme"; see rolebook organization list.\n',
    ]);
  });

  test("status and organization list", async () => {
    await run("import", ACME);
    const { stdout } = await run("status");
    const [, imported = "", confirmed = ""] = /imported +(\S+)\nconfirmed +(\S+)/.exec(stdout) ?? [];
    expect(confirmed > imported).toBe(true);
    expect(stdout).toMatch(/database sqlite:.*rolebook\.db, [\d.]+ MB/);
    expect((await run("organization", "list")).stdout).toMatch(/acme +Acme/);
  });
});

describe("exit status", () => {
  test.each([
    ["an unknown command", ["frobnicate"], 2, /unknown command/],
    ["a missing argument", ["import"], 2, /missing required argument/],
    [
      "a bad lifetime",
      ["token", "create", "--organization", "acme", "--expires", "soon"],
      2,
      /--expires is "soon"; accepted/,
    ],
    ["a bad port", ["serve", "--port", "x"], 2, /--port is "x"; accepted/],
    ["a database of another kind", ["status", "--database", "mysql:x"], 2, /accepted: sqlite:PATH/],
    ["a missing organization", ["export", "--organization", "none"], 1, /no organization "none"/],
    ["a file that is not there", ["import", "/nowhere.ndjson"], 1, /nowhere\.ndjson: there is no such file/],
    ["a token that is not there", ["token", "revoke", "x"], 1, /no token with id/],
  ] as const)("%s", async (_, args, status, message) => {
    const ran = await run(...args);
    expect(ran.stderr).toMatch(message);
    expect(ran.status).toBe(status);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("serve", () => {
  test("answers, logs no tokens, and stops on a signal", async () => {
    const token = (await run("token", "create", "--organization", "acme")).stdout.trim();
    const server = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--database", database], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = collect(server);
    const address = await until(log, /Rolebook serves .* at (http:[^\s"]+)/);
    const headers = { authorization: `Bearer ${token}` };
    const page = await fetch(`${address}/v1/spaces/api-reference/permissions/aggregate?role=review`, {
      headers,
    });
    expect(page.status).toBe(200);
    const { items } = (await page.json()) satisfies unknown as {
      items: { user: { urls: { location: string } } }[];
    };
    expect(items.length).toBeGreaterThan(2);
    expect(items.some(({ user }) => user.urls.location.startsWith(`${address}/v1/users/`))).toBe(true);
    for (const path of ["/healthz", "/readyz"])
      await expect.poll(async () => (await fetch(address + path)).status).toBe(200);
    await fetch(`${address}/v1/${token}?page=${token}`, { headers: { authorization: `Bearer ${token}x` } });
    expect((await run("token", "list")).status).toBe(0);
    server.kill("SIGTERM");
    expect(await exit(server)).toBe(0);
    expect(log.text).toContain('"route":"/v1/spaces/{spaceId}/permissions/aggregate"');
    expect(log.text).not.toContain(token);
  });

  test("reports that the port is in use, and by Rolebook", async () => {
    const server = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--database", database], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const address = await until(collect(server), /Rolebook serves .* at (http:[^\s"]+)/);
    const second = await run("serve", "--port", new URL(address).port);
    expect([second.status, second.stderr]).toEqual([
      1,
      expect.stringContaining(`Rolebook runs already at ${address}; stop that server`),
    ]);
    server.kill("SIGTERM");
    await exit(server);
    const port = await freePort();
    for (const [status, said] of [
      [200, "the port is in use. Stop that server"],
      // As a server answers that is overloaded or stopping, whatever program it is.
      [
        503,
        "the port is in use; what listens there does not say now whether it is Rolebook. Stop that server",
      ],
    ] as const) {
      const another = createServer((_, response) => response.writeHead(status).end("something else"));
      await once(another.listen(port, "127.0.0.1"), "listening");
      const third = await run("serve", "--port", String(port));
      expect([third.status, third.stderr]).toEqual([1, expect.stringContaining(said)]);
      another.close();
      await once(another, "close");
    }
  });
});

describe("npm start", () => {
  const start = (name: string, port: number) => {
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    return spawn(process.execPath, [join(ROOT, "dist/program/cli/start.js")], {
      cwd,
      env: {
        ...process.env,
        ROLEBOOK_DATABASE_URL: `sqlite:${join(cwd, "own.db")}`,
        ROLEBOOK_START_PORT: String(port),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  /** The statuses of the printed command lines, with the token of each line or another one. */
  const tried = (log: Log, token?: string) =>
    Promise.all(
      log.text
        .split("\n")
        .filter((line) => line.includes("curl -H"))
        .map(async (line) => {
          const [, header = "", url = ""] = /curl -H "Authorization: (.*?)" "(.*?)"/.exec(line) ?? [];
          const authorization = token === undefined ? header : `Bearer ${token}`;
          const answer = await fetch(url, { headers: { authorization } });
          return answer.status === 200 && !(await answer.text()).includes('"items":[{') ? 0 : answer.status;
        }),
    );

  test("imports the example once, creates a new token each time, and prints commands that work", async () => {
    const port = await freePort();
    let before: string | undefined;
    for (const starts of [1, 2]) {
      const server = start("start", port);
      const log = collect(server);
      const token = await until(log, /(rb_[A-Za-z0-9_-]{43})/);
      await until(log, /(bin\/rolebook\.js help)/);
      expect(log.text.includes("Imported the example")).toBe(starts === 1);
      expect(log.text).toContain("aggregate?role=");
      expect(await tried(log)).toEqual([200, 200, 200]);
      if (before !== undefined) expect(await tried(log, before)).toEqual([401, 401, 401]);
      before = token;
      // After the line that README has too, the commands of the documents read the example.
      const [line, name = "", value] = /export (ROLEBOOK_DATABASE_URL)=(\S+)/.exec(log.text) ?? [];
      expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain(`    ${line}\n`);
      const why = spawnSync(process.execPath, [MAIN, "why", "ana", "space/api-reference"], {
        cwd: join(folder, "start"),
        env: { ...process.env, [name]: value },
        encoding: "utf8",
      });
      expect([why.status, why.stdout]).toEqual([0, expect.stringMatching(/^review, because team Docs/)]);
      server.kill("SIGTERM");
      expect(await exit(server)).toBe(0);
      // One's own database is not touched.
      expect(readdirSync(join(folder, "start")).filter((name) => !name.startsWith("example.db"))).toEqual([]);
      expect(existsSync(join(folder, "start", "example.db"))).toBe(true);
    }
  });

  test("ends with npm, whose shell does not hand on the signal", async () => {
    const cwd = join(folder, "by-npm");
    mkdirSync(cwd, { recursive: true });
    const command = `${process.execPath} ${join(ROOT, "dist/program/cli/start.js")}; true`;
    const env = { ...process.env, npm_lifecycle_event: "start", ROLEBOOK_START_PORT: "0" };
    const shell = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const log = collect(shell);
    const address = await until(log, /at (http:\S+)/);
    shell.kill("SIGTERM");
    const isThere = () =>
      fetch(address).then(
        () => true,
        () => false,
      );
    await expect.poll(isThere).toBe(false);
  });

  test("a second one says where the first runs, and leaves the first one's token alone", async () => {
    const port = await freePort();
    const first = start("twice", port);
    const log = collect(first);
    await until(log, /(bin\/rolebook\.js help)/);
    const second = await ended(start("twice", port));
    expect(second).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `Rolebook runs already at http://127.0.0.1:${port}; stop that server, or choose another port (--port; ROLEBOOK_START_PORT for npm start).\n`,
    });
    expect(await tried(log)).toEqual([200, 200, 200]);
    // On another port, a second one serves the same database, and both tokens are valid.
    const third = start("twice", 0);
    const other = collect(third);
    await until(other, /(bin\/rolebook\.js help)/);
    expect([await tried(log), await tried(other)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    for (const server of [first, third]) {
      server.kill("SIGTERM");
      expect(await exit(server)).toBe(0);
    }
  });
});

interface Log {
  text: string;
}

function collect(child: ChildProcess): Log {
  const log: Log = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (log.text += String(chunk)));
  return log;
}

/** Waits until the log matches `pattern`. Returns the first group of the match. */
async function until(log: Log, pattern: RegExp): Promise<string> {
  await expect.poll(() => log.text).toMatch(pattern);
  return pattern.exec(log.text)?.[1] ?? "";
}

function exit(child: ChildProcess): Promise<number | null> {
  return child.exitCode === null
    ? new Promise((resolve) => child.once("exit", resolve))
    : Promise.resolve(child.exitCode);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** A record with sorted fields and without defaults, so that equal records have equal texts. */
function canonical(line: string): string {
  const sort = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sort(inner)]),
        )
      : value;
  return JSON.stringify(sort(withoutDefaults(JSON.parse(line))));
}
