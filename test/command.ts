import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const MAIN = fileURLToPath(new URL("../bin/rolebook.js", import.meta.url));
/** The time limit of a command in milliseconds; no test needs that long. */
const LONGEST = 60_000;

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `rolebook` in its own process. `environment` has all its settings named ROLEBOOK_…; `main` is the script of
 * another version.
 */
export async function rolebook(
  args: readonly string[],
  environment: Record<string, string> = {},
  main = MAIN,
): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ROLEBOOK_"));
  return ended(
    spawn(process.execPath, [main, ...args], {
      env: { ...Object.fromEntries(inherited), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST,
    }),
  );
}

/** Resolves with the output and the exit status of a process when it ends. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
