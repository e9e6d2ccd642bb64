/** The page that `npm ci` built is current. Its build fails above the sizes of vite.config.ts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const VITE = join(ROOT, "node_modules/vite/bin/vite.js");
const BUILT = join(ROOT, "dist/explorer");

/** The files of a built page, by name. */
function filesOf(folder: string): Map<string, Buffer> {
  const assets = readdirSync(join(folder, "assets")).map((name) => `assets/${name}`);
  return new Map(["index.html", ...assets].map((name) => [name, readFileSync(join(folder, name))]));
}

test("it is built from these sources", () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-built-"));
  try {
    // The test runner's settings would make Vite build another page.
    const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
    const { status, stderr } = spawnSync(
      process.execPath,
      [VITE, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"],
      { cwd: ROOT, env: environment, encoding: "utf8" },
    );
    expect(status, stderr).toBe(0);
    // The names contain a hash of the content.
    expect([...filesOf(BUILT).keys()]).toEqual([...filesOf(folder).keys()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("it names no other host, has no inline style or script, and loads nothing else", () => {
  const index = filesOf(BUILT).get("index.html")?.toString() ?? "";
  expect(index).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\bon\w+=/);
  expect(
    [...index.matchAll(/(?:src|href)="([^"]*)"/g)]
      .map(([, url = ""]) => url)
      .filter((url) => !url.startsWith("./assets/") && !url.startsWith("data:")),
  ).toEqual([]);
  for (const [name, bytes] of filesOf(BUILT)) {
    const hosts = [...bytes.toString().matchAll(/\b(?:https?:)?\/\/[a-z0-9-]+\.[a-z0-9.-]+/gi)].map(
      ([url]) => url,
    );
    expect(
      hosts.filter((url) => !url.endsWith("//www.w3.org")),
      name,
    ).toEqual([]);
  }
});
