import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { preparePostgres, programs } from "../../parts/postgres.ts";
import { until } from "../../setup/until.ts";
import type { ServerFolder } from "./folder.ts";
import { unprivileged } from "./identity.ts";
import { children, isRunning, signal } from "./running.ts";

/**
 * How to stop a server: `smart` after its clients have disconnected, `fast` at once but cleanly, `immediate` so that
 * the next start recovers.
 */
export type StopMode = "smart" | "fast" | "immediate";

const SIGNALS = { smart: "SIGTERM", fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** The server process on one folder, running or not. */
export interface Postmaster {
  /** The id of the process; `undefined` while none runs. */
  pid(): number | undefined;
  start(): Promise<void>;
  stop(mode: StopMode): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** Whether the server with process `pid` accepts connections, by line 8 of postmaster.pid, which pg_ctl reads too. */
function isReady(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(`${data}/postmaster.pid`, "utf8").split("\n");
    // After a crash, the file is still that of the previous process.
    return lines[0] === String(pid) && lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

/** A postmaster, not started yet, for the cluster in `folder`. It will listen on `port` of 127.0.0.1. */
export function postmasterOf(folder: ServerFolder, port: number): Postmaster {
  let child: ChildProcess | undefined;

  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const pid = (): number | undefined => (hasEnded() ? undefined : child?.pid);
  const family = (): number[] => {
    const own = pid();
    return own === undefined ? [] : [own, ...children(own)];
  };

  async function ended(): Promise<void> {
    await until("PostgreSQL has ended", hasEnded);
    folder.guard(undefined);
  }

  async function kill(): Promise<void> {
    const all = family();
    // The postmaster must be killed first: it would start a recovery if a child died.
    signal(all, "SIGKILL");
    await ended();
    await until("PostgreSQL has ended", () => !all.some(isRunning));
  }

  function spawnServer(): ChildProcess {
    const command = unprivileged(programs.postgres, ["-D", folder.data, "-p", String(port)]);
    const log = openSync(folder.log, "a");
    // The log is a file: with a pipe, the server would wait while this process is busy.
    const spawned = spawn(command.file, command.args, { ...command.options, stdio: ["ignore", log, log] });
    closeSync(log);
    spawned.once("error", () => (child = undefined));
    spawned.unref();
    folder.guard(spawned.pid);
    return spawned;
  }

  return {
    pid,
    kill,

    async start() {
      if (!hasEnded()) throw new Error("this server runs already");
      preparePostgres();
      child = spawnServer();
      const { pid: own = 0 } = child;
      try {
        await until("PostgreSQL is ready", () => hasEnded() || isReady(folder.data, own));
        if (hasEnded()) throw new Error("it ended while starting");
      } catch (error) {
        await kill();
        const tail = readFileSync(folder.log, "utf8").split("\n").slice(-20).join("\n");
        throw new Error(`PostgreSQL did not start:\n${tail}`, { cause: error });
      }
    },

    async stop(mode) {
      const own = pid();
      if (own === undefined) return;
      signal([own], SIGNALS[mode]);
      await ended();
    },

    pause: () => signal(family(), "SIGSTOP"),
    resume: () => signal(family().toReversed(), "SIGCONT"),
  };
}
