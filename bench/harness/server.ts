import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { SERVER_CORE, onCore } from "./cores.ts";
import { type Sample, workerSocket } from "./probe.ts";

const PROBE = new URL("probe.ts", import.meta.url).href;
const LIMIT = fileURLToPath(new URL("limit.ts", import.meta.url));

export interface ServerOptions {
  readonly flags?: readonly string[];
  /** The script and its arguments; `{port}` in an argument becomes the port. */
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The file for the output of the server. Without it, only errors are shown. */
  readonly log?: string;
  /** Whether to preload the probe, which makes the start slower. The default is true. */
  readonly probed?: boolean;
  /** The longest wait for an open port, in milliseconds. The default is 30,000. */
  readonly patience?: number;
}

/** A server in its own process, by default with the probe and on the server's core. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** The time from the start of the process to the first accepted connection, in milliseconds. */
  readonly startedIn: number;
  /** Takes a sample of the server, or of the worker with this process id. Needs the probe. */
  readonly sample: (worker?: number) => Promise<Sample>;
  /** Sends SIGTERM, and SIGKILL after ten seconds. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server and waits until its port is open. Throws if the server ends before, or takes longer than `patience`.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "bench-probe-"));
  const socket = join(folder, "probe.sock");
  const args = options.args.map((arg) => arg.replaceAll("{port}", String(port)));
  const command = [
    process.execPath,
    ...(options.probed === false ? [] : ["--import", PROBE]),
    ...(options.flags ?? []),
    options.script,
    ...args,
  ];
  const [program = "", ...rest] = onCore(SERVER_CORE, command);
  const log = options.log === undefined ? undefined : openSync(options.log, "a");
  const begin = performance.now();
  const child = spawn(program, rest, {
    env: { ...process.env, ...options.env, BENCH_PROBE: socket },
    stdio: ["ignore", log ?? "ignore", log ?? "inherit"],
  });
  if (log !== undefined) closeSync(log);
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilOpen(port, child, options.patience ?? 30_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    startedIn: performance.now() - begin,
    sample: async (worker) =>
      JSON.parse(await text(connect(worker === undefined ? socket : workerSocket(socket, worker)))),
    stop,
  };
}

/** Starts the limit server with the responses in `file` (see `capture.ts`). */
export async function startLimit(file: string): Promise<Server> {
  return await startServer({ script: LIMIT, args: ["--port", "{port}", "--responses", file] });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no TCP port was given");
  return address.port;
}

async function untilOpen(port: number, child: ChildProcess, patience: number): Promise<void> {
  const until = performance.now() + patience;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with status ${child.exitCode}`);
    const socket = connect({ port, host: "127.0.0.1" });
    try {
      await once(socket, "connect");
      return;
    } catch {
      await sleep(2);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`the server did not open port ${port} within ${patience} ms`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(late);
}
