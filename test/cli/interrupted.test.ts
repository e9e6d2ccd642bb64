/** Ctrl+C: what a command that writes says, and that it is true. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { ended, MAIN, rolebook } from "../command.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-interrupted-"));
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("of an import that still reads: nothing was changed; of changes: which files were applied", async () => {
  const interrupt = async (args: string[], input: string) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const done = ended(child);
    child.stdin.write(input);
    // It waits for the rest of its input.
    await sleep(3000);
    child.kill("SIGINT");
    return done;
  };
  const acme = readFileSync("examples/acme.ndjson", "utf8");
  const imported = await interrupt(["import", "-"], acme);
  expect([imported.status, imported.stderr]).toEqual([130, "\nInterrupted; nothing was changed.\n"]);
  expect((await rolebook(["organization", "list"], environment)).stdout).not.toContain("acme");

  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
  const header = '{"object":"changes","organization":"acme"}\n';
  const changed = await interrupt(["apply", "-"], header);
  expect(changed.status).toBe(130);
  expect(changed.stderr).toContain(
    "Interrupted; all of - is applied, or nothing of it; rolebook revisions says which.",
  );
});
