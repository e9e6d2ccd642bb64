/**
 * Compares the operations that Rolebook declares with the newest `@gitbook/api` on npm, and prints what is new since the
 * version of the tests. Exit status 1 if npm cannot be reached.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { driftOf } from "../test/docs/client-methods.ts";
import { gitbookOpenapi, isDocument } from "../test/parts/clients.ts";
import { npmCommand, npmEnvironment } from "../test/parts/npm.ts";

const run = promisify(execFile);
const pinned = "0.202.0";

const folder = mkdtempSync(join(tmpdir(), "rolebook-drift-"));
try {
  const { file, before, shell } = npmCommand(process.env);
  const asked = [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefix",
    folder,
    "@gitbook/api@latest",
  ];
  await run(file, [...before, ...asked], { shell, env: npmEnvironment(process.env) });
  const place = join(folder, "node_modules/@gitbook/api");
  const { version }: { version: string } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  const document: unknown = JSON.parse(readFileSync(join(place, "spec/openapi.json"), "utf8"));
  if (!isDocument(document)) throw new Error(`@gitbook/api ${version} has no OpenAPI document.`);
  const lines = driftOf(gitbookOpenapi("newest"), document);
  console.log(`@gitbook/api ${version}, compared with ${pinned}:`);
  console.log(lines.join("\n") || "nothing new");
} catch (error) {
  console.error(`npm cannot be reached, or does not have @gitbook/api: ${String(error).split("\n", 1)[0]}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
