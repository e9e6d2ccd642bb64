import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onCore } from "../cores.ts";
import type { Peak } from "./peak.ts";

const PEAK = new URL("peak.ts", import.meta.url).href;
const run = promisify(execFile);

/** A command that ran to its end. */
export interface Ran extends Peak {
  readonly seconds: number;
  readonly stdout: string;
}

/** Runs a script of this Node on that core and says what it took. Throws with its errors when it fails. */
export async function timed(core: number, script: string, ...args: string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "bench-command-"));
  const file = join(folder, "peak.json");
  try {
    const [program = "", ...rest] = onCore(core, [process.execPath, "--import", PEAK, script, ...args]);
    const begin = performance.now();
    const { stdout } = await run(program, rest, {
      maxBuffer: 1 << 26,
      env: { ...process.env, BENCH_PEAK: file },
    });
    const seconds = (performance.now() - begin) / 1000;
    const peak: Peak = JSON.parse(readFileSync(file, "utf8"));
    return { ...peak, seconds, stdout: stdout.trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
