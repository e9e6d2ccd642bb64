/** Ctrl+C: what a command that writes says, and that it is true. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, MAIN, rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";
import { hasTurn } from "../import-lock.ts";

const folder = temporaryFolder();
const database = join(folder, "rolebook.db");
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${database}` };

async function hasDatabase({ pid }: ChildProcess): Promise<void> {
  const opened = () => readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  const isOpen = () => opened().some((path) => path.endsWith("rolebook.db"));
  await expect.poll(isOpen).toBe(true);
}

/** Where an open file is; empty if it was just closed. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(fd);
  } catch {
    return "";
  }
}

/** Interrupts a command when `isThere` says so. */
async function interrupt(args: string[], env: Record<string, string>, isThere: (stderr: string) => boolean) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...environment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const done = ended(child);
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
  await expect.poll(() => isThere(stderr)).toBe(true);
  child.kill("SIGINT");
  return done;
}

test("of a pull: nothing was imported, and its unfinished file is gone", async () => {
  let asked = 0;
  const silent = createServer(() => asked++);
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const output = join(folder, "gitbook.ndjson");
    const { status, stderr } = await interrupt(
      ["pull", "gitbook", "--organization", "o", "--output", output, "--api", `http://127.0.0.1:${port}`],
      { GITBOOK_TOKEN: "token" },
      () => asked > 0,
    );
    expect([status, stderr]).toEqual([
      130,
      "\nInterrupted; nothing was imported, and no unfinished file remains.\n",
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith("gitbook"))).toEqual([]);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test("of an import that still reads: nothing was changed; of changes: which files were applied", async () => {
  const interrupted = async (
    args: string[],
    input: string,
    isThere: (child: ChildProcess) => Promise<void>,
  ) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const done = ended(child);
    child.stdin.write(input);
    // It waits for the rest of its input.
    await isThere(child);
    child.kill("SIGINT");
    return done;
  };
  const acme = readFileSync("examples/acme.ndjson", "utf8");
  const imported = await interrupted(["import", "-"], acme, (child) => hasTurn(database, child));
  expect([imported.status, imported.stderr]).toEqual([130, "\nInterrupted; nothing was changed.\n"]);
  expect((await rolebook(["organization", "list"], environment)).stdout).not.toContain("acme");

  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
  const header = '{"object":"changes","organization":"acme"}\n';
  const changed = await interrupted(["apply", "-"], header, hasDatabase);
  expect(changed.status).toBe(130);
  expect(changed.stderr).toContain(
    "Interrupted; all of - is applied, or nothing of it; rolebook revisions says which.",
  );
});

test("of a removal that waits for an import: how to see whether anything was removed", async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
  const importing = spawn(process.execPath, [MAIN, "import", "-"], {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "ignore", "ignore"],
  });
  importing.stdin.write('{"object":"organization","id":"other","title":"Other"}\n');
  await hasTurn(database, importing);
  const { status, stderr } = await interrupt(["organization", "remove", "acme", "--yes"], {}, (said) =>
    said.includes("Waiting for an import"),
  );
  importing.kill("SIGKILL");
  await once(importing, "exit");
  expect(status).toBe(130);
  expect(stderr).toContain(
    "Interrupted; if rolebook organization list still has acme, nothing was removed; otherwise run this again to end the removal.",
  );
  expect((await rolebook(["organization", "list"], environment)).stdout).toContain("acme");
});
