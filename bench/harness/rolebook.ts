import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Server, startServer } from "./server.ts";

/** The script of the command `rolebook`. */
export const MAIN = fileURLToPath(new URL("../../bin/rolebook.js", import.meta.url));
/** The Node flags that docs/operations.md recommends. */
const FLAGS = ["--max-semi-space-size=8"];
const run = promisify(execFile);

/** Runs a command of Rolebook and returns its standard output, trimmed. Throws with its errors if it fails. */
export async function rolebook(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [MAIN, ...args], { maxBuffer: 1 << 26 });
  return stdout.trim();
}

/**
 * Starts `rolebook serve` on a database, and waits until it is ready: until what its callers will ask for first is
 * loaded. `env` may turn the access log on, `log` is its file, `probed` adds
 * the probe, `flags` are further Node flags, `workers` is the number of processes that share the port,
 * and `main` another build of the program.
 */
export async function serve(
  { url }: { readonly url: string },
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: string;
    readonly probed?: boolean;
    readonly flags?: readonly string[];
    readonly workers?: number;
    readonly main?: string;
  } = {},
): Promise<Server> {
  const server = await startServer({
    flags: [...FLAGS, ...(options.flags ?? [])],
    script: options.main ?? MAIN,
    args: [
      "serve",
      "--port",
      "{port}",
      "--database",
      url,
      ...(options.workers === undefined ? [] : ["--workers", String(options.workers)]),
    ],
    env: { ROLEBOOK_LOG_LEVEL: "silent", ...options.env },
    ...(options.log === undefined ? {} : { log: options.log }),
    probed: options.probed ?? true,
  });
  while (!(await isReady(server.url))) await sleep(10);
  return server;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`);
  await response.text();
  return response.ok;
}
