import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const MAIN = new URL("../../../bin/rolebook.js", import.meta.url).pathname;
const PEAK = new URL("../../record-peak-memory.ts", import.meta.url).pathname;

/** The result of an import from standard input. */
export interface Streamed {
  readonly status: number | null;
  readonly stderr: string;
  /** The peak memory of the program, in bytes. */
  readonly peak: number;
  readonly milliseconds: number;
}

/** Imports the output of a generator through standard input into a new database. */
export async function importStream(source: Iterable<Buffer>): Promise<Streamed> {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-stream-"));
  const log = join(folder, "peak");
  const started = Date.now();
  try {
    const database = `sqlite:${join(folder, "rolebook.db")}`;
    const child = spawn(process.execPath, ["--import", PEAK, MAIN, "import", "--database", database, "-"], {
      stdio: ["pipe", "ignore", "pipe"],
      env: { ...process.env, PEAK_LOG: log },
    });
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString("utf8")));
    const status = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
    // A program that refuses its input early closes it, which fails the pipeline.
    await pipeline(Readable.from(source, { highWaterMark: 2 }), child.stdin).catch(() => {});
    const ended = await status;
    return {
      status: ended,
      stderr,
      peak: Number(readFileSync(log, "utf8")),
      milliseconds: Date.now() - started,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Yields the same bytes `count` times. */
export function* repeated(bytes: Buffer, count: number): Generator<Buffer> {
  for (let index = 0; index < count; index++) yield bytes;
}
