/** The commands in documents find the program. In a wrong folder they run nothing and contact no registry. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { DOCUMENTS, ROOT } from "./reading/documents.ts";

/** The commands in a document that start the program or its Node by a path or a package runner. */
function starts(text: string): string[] {
  return [
    ...text.matchAll(/(?:npx|npm exec|node|node_modules\/\.bin\/node) (?:bin\/)?rolebook(?:\.js)?/g),
  ].map(([start]) => start);
}

test("no document uses npx, and SECURITY says why", () => {
  const runners = DOCUMENTS.filter((name) => /\b(npx|npm exec|npm x)\b/.test(textOf(name)));
  expect(runners).toEqual(["SECURITY.md"]);
  expect(new Set(DOCUMENTS.flatMap((name) => (name === "SECURITY.md" ? [] : starts(textOf(name)))))).toEqual(
    new Set(["node bin/rolebook.js"]),
  );
  expect(textOf("src/cli/start.ts")).not.toMatch(/\bnpx\b/);
});

/** Runs a printed command in a folder, with the test's own package registry. */
async function start(cwd: string, registry: string) {
  const env = { ...process.env, npm_config_registry: registry };
  const child = spawn("sh", ["-c", "node bin/rolebook.js --version"], { cwd, env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (part) => (stdout += part));
  child.stderr.on("data", (part) => (stderr += part));
  const [status]: unknown[] = await once(child, "close");
  return { status, stdout, stderr };
}

test("commands in documents run only the program in the checkout", async () => {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const elsewhere = mkdtempSync(join(tmpdir(), "rolebook-elsewhere-"));
  try {
    const address = registry.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const run = (cwd: string) => start(cwd, `http://127.0.0.1:${port}/`);
    const { version }: { version: string } = JSON.parse(textOf("package.json"));
    expect(await run(ROOT)).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(await run(elsewhere)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Cannot find module"),
    });
    expect(asked).toEqual([]);
  } finally {
    registry.close();
    rmSync(elsewhere, { recursive: true });
  }
});
