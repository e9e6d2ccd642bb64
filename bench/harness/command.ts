import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onCore } from "./cores.ts";
import type { Peak } from "./peak.ts";

const PEAK = new URL("peak.ts", import.meta.url).href;
const run = promisify(execFile);

export interface Ran extends Peak {
  readonly seconds: number;
  readonly stdout: string;
}

/**
 * The time limit of a command, in milliseconds: far above what L (1,000,000 members) needs, so that it ends only a
 * command that hangs.
 */
const PATIENCE = 20 * 60_000;

/**
 * Runs a script with this version of Node on a core. Returns its cost. Throws with the script's errors if it fails or
 * hangs.
 */
export async function timed(
  { core }: { readonly core: number },
  script: string,
  ...args: string[]
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "bench-command-"));
  const file = join(folder, "peak.json");
  try {
    const [program = "", ...rest] = onCore(core, [process.execPath, "--import", PEAK, script, ...args]);
    const begin = performance.now();
    const options = {
      timeout: PATIENCE,
      maxBuffer: Infinity,
      env: { ...process.env, BENCH_PEAK: file },
    };
    const { stdout } = await run(program, rest, options).catch((error: { killed?: boolean }) => {
      if (error.killed === true) throw new Error(`${args[0]} was ended after ${PATIENCE / 1000} s`);
      throw error;
    });
    const seconds = (performance.now() - begin) / 1000;
    const peak: Peak = JSON.parse(readFileSync(file, "utf8"));
    return { ...peak, seconds, stdout: stdout.trim() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
