/** A pull that is interrupted at any request leaves nothing behind. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { pullGitbookCommand } from "../../../src/cli/commands/pull.ts";
import { CommandError } from "../../../src/domain/error.ts";
import { MAIN } from "../../command.ts";
import { recordsIn } from "../../examples/acme.ts";
import { temporaryFolder } from "../../folder.ts";
import { TOKEN } from "./double/double.ts";
import { withDouble } from "./double/pulled.ts";
import { State, tamed } from "./double/state.ts";

const around = temporaryFolder();
const STATE = new State(
  tamed(
    recordsIn(`{"object":"organization","id":"tiny","title":"Tiny"}
{"object":"user","id":"ana","displayName":"Ana Lima"}
{"object":"member","organization":"tiny","user":"ana","role":"read"}
{"object":"team","id":"docs","organization":"tiny","title":"Docs","createdAt":"2026-01-01T00:00:00Z"}
{"object":"teamMember","team":"docs","user":"ana","role":"owner"}
{"object":"collection","id":"all","organization":"tiny","title":"All"}
{"object":"space","id":"notes","organization":"tiny","title":"Notes","parent":"all","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}
{"object":"site","id":"www","organization":"tiny","title":"Site"}
{"object":"siteSpace","site":"www","space":"notes"}
{"object":"permission","space":"notes","team":"docs","permission":"edit"}`),
  ),
);

vi.stubEnv("GITBOOK_TOKEN", TOKEN);
vi.spyOn(process.stderr, "write").mockReturnValue(true);
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Pulls from an API that stops answering at a request. Returns the files that are left, and the error. */
async function cutAt(request: number): Promise<{ left: string[]; failure: unknown; asked: number }> {
  const folder = mkdtempSync(join(around, "cut-"));
  return withDouble(STATE, { faults: (index) => (index >= request ? "cut" : undefined) }, async (double) => {
    const failure: unknown = await pullGitbookCommand({
      organization: "tiny",
      api: double.url,
      maxWait: "1s",
      output: join(folder, "tiny.ndjson"),
      manifest: join(folder, "manifest.json"),
      import: true,
      database: `sqlite:${join(folder, "rolebook.db")}`,
      dryRun: true,
    }).catch((error: unknown) => error);
    return { left: readdirSync(folder), failure, asked: double.asked.length };
  });
}

test("an interruption at any request leaves nothing behind", async () => {
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const whole = await cutAt(Infinity);
  expect(whole.failure).toBe(undefined);
  expect(whole.left).toEqual(expect.arrayContaining(["manifest.json", "tiny.ndjson"]));
  expect(whole.asked).toBe(2 * 6 + 1 + 2 * 2 + 3);
  print.mockClear();
  const cuts = await Promise.all(Array.from({ length: whole.asked }, (_, request) => cutAt(request)));
  expect(print).not.toHaveBeenCalled();
  print.mockRestore();
  for (const { left, failure } of cuts) {
    expect(failure).toBeInstanceOf(CommandError);
    expect(left).toEqual([]);
  }
});

test.each(["SIGTERM", "SIGKILL"] as const)("%s in the middle leaves nothing behind", async (signal) => {
  const folder = mkdtempSync(join(around, "cut-"));
  await withDouble(STATE, { faults: { 15: "hang" } }, async (double) => {
    const args = ["pull", "gitbook", "--organization", "tiny", "--api", double.url, "--concurrency", "1"];
    const child = spawn(process.execPath, [MAIN, ...args, "--output", "tiny.ndjson"], { cwd: folder });
    const printed: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    await expect.poll(() => double.asked.length).toBe(16);
    const ended = new Promise((resolve) => {
      child.on("exit", (_, by) => resolve(by));
    });
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(printed).toEqual([]);
  });
  expect(readdirSync(folder)).toEqual([]);
});
