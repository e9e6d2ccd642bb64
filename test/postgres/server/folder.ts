import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning, signal } from "./running.ts";

const PREFIX = "rolebook-postgres-";

/** A server's folder among the temporary files; `data` is the cluster, `log` the server's log. */
export interface ServerFolder {
  readonly path: string;
  readonly data: string;
  readonly log: string;
  /** Tells the guard which process to end when this process dies; `undefined` if no server runs. */
  guard(pid: number | undefined): void;
  /** Removes the folder. No server may run in it any more. */
  remove(): Promise<void>;
}

/** Reads lines 1 and 7 of postmaster.pid: the process id, and the System V shared memory segment ("key id"). */
function postmaster(data: string): { pid: number; segment: string | undefined } | undefined {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid: Number(lines[0]), segment: lines[6]?.trim().split(/\s+/)[1] };
}

/** Frees the shared memory segment that a killed server leaves unless it is started again. */
function freeSegment(data: string): void {
  const segment = postmaster(data)?.segment;
  if (segment !== undefined) spawnSync("ipcrm", ["-m", segment], { stdio: "ignore" });
}

/**
 * Starts the guard: a shell that waits until this process ends (its end of the pipe closes), then ends the server and
 * removes the folder. It reads the server's process id from standard input.
 */
function startGuard(folder: string): Pick<ServerFolder, "guard"> & { release(): void } {
  if (process.platform === "win32") return { guard: () => {}, release: () => {} };
  const script = `
    pid=
    while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -CONT "$pid"; kill -QUIT "$pid"
      tries=0
      while [ -e "$1/data/postmaster.pid" ] && kill -0 "$pid" && [ $tries -lt 60 ]; do sleep 0.1; tries=$((tries + 1)); done
      kill -KILL "$pid"
    fi
    rm -rf "$1"`;
  // The guard has its own process group, so that Ctrl-C in a terminal does not end it early.
  const shell = spawn("/bin/sh", ["-c", script, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  shell.stdin.on("error", () => {});
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return {
    guard: (pid) => void shell.stdin.write(`${pid ?? ""}\n`),
    release: () => void shell.stdin.end("\n"),
  };
}

/** Whether the process is a server on this cluster. A later process may have the same id. */
function serves(pid: number, data: string): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

/** Ends the servers and removes the folders of test processes that were killed together with their guards. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = /^rolebook-postgres-(\d+)-/.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    const path = join(tmpdir(), name);
    try {
      const data = join(path, "data");
      const left = postmaster(data);
      if (left !== undefined && serves(left.pid, data)) signal([left.pid], "SIGQUIT");
      else freeSegment(data);
      rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      // The folder belongs to another user, or another process is removing it.
    }
  }
}

/** Makes a guarded folder for a server: folder and server end with this process. */
export async function makeFolder(): Promise<ServerFolder> {
  sweep();
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const { guard, release } = startGuard(path);
  const data = join(path, "data");
  return {
    path,
    data,
    log: join(path, "log"),
    guard,
    async remove() {
      freeSegment(data);
      await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      release();
    },
  };
}
