/** docs/api.md: its tables agree with the code, and its examples run against a server. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acme, textOf } from "../examples/acme.ts";
import { fenced } from "./reading/fence.ts";
import { idIn, tableUnder } from "./reading/table.ts";
import { routesOf } from "../http/openapi/routes.ts";
import { oracle } from "../oracle/oracle.ts";
import { PUBLIC_URL } from "../world.ts";
import { type Served, serveAcme } from "./served.ts";
import { HANG } from "../setup/hang.ts";

const doc = textOf("docs/api.md");
const root = new URL("../../", import.meta.url).pathname;
const run = promisify(execFile);

let served: Served;
let folder: string;
beforeAll(async () => {
  served = await serveAcme();
  folder = mkdtempSync(join(tmpdir(), "rolebook-api-doc-"));
});
afterAll(async () => {
  await served.world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program with the server's settings in its environment. Returns its output. Throws unless it exits with 0. */
async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...served.environment },
    timeout: HANG,
  });
  return stdout;
}

/**
 * The expected output of each example that walks through a list: user and effective role on the API reference, by user
 * id.
 */
function walked(): string {
  const answers = oracle(acme, { publicUrl: PUBLIC_URL });
  const space = { kind: "space", id: "api-reference" } as const;
  const members = acme.flatMap((record) => (record.object === "member" ? [record.user] : []));
  return members
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((user) => [user, answers.effective("acme", user, space)])
    .filter(([, role]) => role !== null)
    .map((words) => `${words.join(" ")}\n`)
    .join("");
}

test("the walk in bash prints everyone", async () => {
  const [, , walk] = fenced(doc, "bash");
  const pages = (await output("bash", "-c", walk ?? "")).trimEnd().split("\n");
  const items = pages.flatMap(
    (page): { user: { id: string }; permission: string }[] => JSON.parse(page).items,
  );
  expect(pages.length).toBeGreaterThan(2);
  expect(items.map(({ user, permission }) => `${user.id} ${permission}\n`).join("")).toBe(walked());
});

test("the walk in Python prints everyone", async () => {
  const [walk] = fenced(doc, "python");
  expect(await output("python3", "-c", walk ?? "")).toBe(walked());
});

describe.each(["gitbook-api-0.91.0", "gitbook-api-newest"])(
  "in a folder that is empty but for %s",
  (name) => {
    let empty: string;
    beforeAll(() => {
      empty = join(folder, name);
      const modules = join(empty, "node_modules");
      mkdirSync(join(modules, "@gitbook"), { recursive: true });
      // The folder is as `npm install @gitbook/api` leaves it.
      symlinkSync(join(root, "test/parts/node_modules", name), join(modules, "@gitbook/api"));
      writeFileSync(join(empty, "package.json"), '{ "dependencies": { "@gitbook/api": "*" } }\n');
    });

    test.each(["mts", "mjs"])(
      "the walks with the official client print everyone, as walk.%s",
      async (ending) => {
        const [walk, encoded] = fenced(doc, "ts");
        for (const [text, printed] of [
          [walk, walked()],
          [encoded, "agency member\ntranslators member\n"],
        ]) {
          const file = join(empty, `walk.${ending}`);
          writeFileSync(file, text ?? "");
          const { stdout, stderr } = await run(process.execPath, [file], {
            cwd: empty,
            env: { PATH: process.env.PATH, ...served.environment },
            timeout: HANG,
          });
          expect([stdout, stderr]).toEqual([printed, ""]);
        }
      },
    );

    test("the examples pass the strictest type checks", async () => {
      const types = join(empty, "node_modules/@types");
      symlinkSync(join(root, "node_modules/@types"), types);
      const files = fenced(doc, "ts").map((text, index) => {
        writeFileSync(join(empty, `${index}.mts`), text);
        return `${index}.mts`;
      });
      // The client's types import files without extensions, which only bundlers resolve.
      const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "--types", "node"];
      await run(join(root, "node_modules/.bin/tsc"), [...options, ...files], { cwd: empty });
    });
  },
);

test("one thing", async () => {
  const [command] = fenced(doc, "bash");
  const answers = oracle(acme, { publicUrl: PUBLIC_URL });
  const team = answers.thing("acme", { one: "team", id: "docs" }, { kind: "organization" });
  expect(JSON.parse(await output("bash", "-c", command ?? ""))).toEqual(team);
});

test("a token is enough to find every space", async () => {
  const [, command] = fenced(doc, "bash");
  const spaces = acme.flatMap((record) => (record.object === "space" ? [record.id] : []));
  const found = (await output("bash", "-c", command ?? "")).trim().split("\n");
  expect(found.map((line) => /"id":"(.*)"$/.exec(line)?.[1]).sort()).toEqual(spaces.sort());
});

test("a repeated request gets a 304", async () => {
  const [, , , again] = fenced(doc, "bash");
  expect(await output("bash", "-c", again ?? "")).toBe("304\n");
});

test("every example is tested", () => {
  expect(fenced(doc, "bash")).toHaveLength(4);
  expect(fenced(doc, "ts")).toHaveLength(2);
  expect(fenced(doc, "python")).toHaveLength(1);
});

test("lists the headers of a page", async () => {
  const { headers } = await served.world.get(
    "/v1/spaces/api-reference/permissions/users",
    served.environment.ROLEBOOK_TOKEN,
  );
  for (const [cell = ""] of tableUnder(doc, "Conditional requests")) {
    expect(Object.keys(headers)).toContain(idIn(cell).toLowerCase());
  }
});

test("lists every path beside the API, and no other", async () => {
  const paths = tableUnder(doc, "Beside the API").map(([cell]) => idIn(cell));
  for (const path of paths) {
    expect((await served.world.get(path)).status, path).toBe(200);
    const posted = await served.world.ask("POST", path);
    expect([posted.status, posted.headers.allow], path).toEqual([405, "GET, HEAD"]);
  }
  const others = (await routesOf(served.world.app)).filter(
    (route) => !/^\/(v1|at|explorer|assets|s)\/(?!openapi)|^\/(favicon\.ico|export)?$/.test(route),
  );
  expect([...paths].sort()).toEqual(others.sort());
});
