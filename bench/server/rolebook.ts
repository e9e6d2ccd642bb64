import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeSnapshot } from "../data.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Size } from "../data/sizes.ts";
import { type Server, startServer } from "./server.ts";

/** The script of the command `rolebook`. */
export const MAIN = fileURLToPath(new URL("../../bin/rolebook.js", import.meta.url));
/** The Node flags that docs/operations.md recommends. */
const FLAGS = ["--max-semi-space-size=8"];
const run = promisify(execFile);

/** A Rolebook database with one generated organization. */
export interface Prepared {
  /** Path of the SQLite file. */
  readonly path: string;
  /** Path of the snapshot file that it was imported from. */
  readonly snapshot: string;
  /** Organization token that lists everything. */
  readonly token: string;
  readonly importSeconds: number;
}

/** Generates the organization of a size and seed in `folder`, imports it with `rolebook import`, and creates a token. */
export async function prepare(size: Size, seed: number, folder: string): Promise<Prepared> {
  const snapshot = join(folder, `${size}-${seed}.ndjson`);
  const path = join(folder, `${size}-${seed}.db`);
  await writeSnapshot(size, seed, createWriteStream(snapshot));
  const begin = performance.now();
  await rolebook("import", "--database", `sqlite:${path}`, snapshot);
  const importSeconds = (performance.now() - begin) / 1000;
  const token = await rolebook(
    "token",
    "create",
    "--database",
    `sqlite:${path}`,
    "--organization",
    ORGANIZATION,
  );
  return { path, snapshot, token, importSeconds };
}

/** Runs a command of Rolebook and returns its standard output, trimmed. Throws with its errors if it fails. */
export async function rolebook(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [MAIN, ...args], { maxBuffer: 1 << 26 });
  return stdout.trim();
}

/**
 * Starts `rolebook serve` on a prepared database. `env` may turn the access log on, `log` is its file, `probed` adds
 * the probe, `flags` are further Node flags, `workers` is the number of processes that share the port,
 * and `main` another build of the program.
 */
export async function serve(
  prepared: Pick<Prepared, "path">,
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: string;
    readonly probed?: boolean;
    readonly flags?: readonly string[];
    readonly pinned?: boolean;
    readonly workers?: number;
    readonly main?: string;
  } = {},
): Promise<Server> {
  return await startServer({
    flags: [...FLAGS, ...(options.flags ?? [])],
    script: options.main ?? MAIN,
    args: [
      "serve",
      "--port",
      "{port}",
      "--database",
      `sqlite:${prepared.path}`,
      ...(options.workers === undefined ? [] : ["--workers", String(options.workers)]),
    ],
    env: { ROLEBOOK_LOG_LEVEL: "silent", ...options.env },
    ...(options.log === undefined ? {} : { log: options.log }),
    probed: options.probed ?? true,
    pinned: options.pinned ?? true,
  });
}
