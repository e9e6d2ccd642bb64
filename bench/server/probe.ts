/**
 * Preloaded into a server under test with `--import`: answers each connection to the Unix socket `BENCH_PROBE` with one
 * JSON line about the main thread, and closes it. A worker has a socket of its own. With `BENCH_COUNT`, it counts
 * answers.
 */
import cluster from "node:cluster";
import { subscribe } from "node:diagnostics_channel";
import { createServer } from "node:net";
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import { ownMemory } from "../../src/http/metrics/process/own-memory.ts";
import { peakMemory } from "../../test/hell/peak-memory.ts";

/** Counters of a server process since its start; a figure is the difference of two samples. */
export interface Sample {
  /** The server's own clock, milliseconds. */
  readonly at: number;
  /** Milliseconds that the main thread's event loop was idle and active. */
  readonly idle: number;
  readonly active: number;
  /** CPU time, user and system, of the main thread and of all threads; microseconds. */
  readonly mainCpu: number;
  readonly processCpu: number;
  /** Resident memory now, without mapped files, and at its highest with them; bytes. */
  readonly rss: number;
  readonly peakRss: number;
  /** Answers that were sent; 0 if they are not counted. */
  readonly answers: number;
}

let answers = 0;

function sample(): Sample {
  const { idle, active } = performance.eventLoopUtilization();
  const main = process.threadCpuUsage();
  const all = process.cpuUsage();
  return {
    at: performance.now(),
    idle,
    active,
    mainCpu: main.user + main.system,
    processCpu: all.user + all.system,
    rss: ownMemory(),
    peakRss: peakMemory(),
    answers,
  };
}

/** The socket of a worker's probe. */
export function workerSocket(path: string, pid: number): string {
  return `${path}.${pid}`;
}

const socket = process.env["BENCH_PROBE"];
if (isMainThread && socket !== undefined) {
  if (process.env["BENCH_COUNT"] !== undefined) subscribe("http.server.response.finish", () => answers++);
  createServer((connection) => {
    connection.on("error", () => connection.destroy());
    connection.end(`${JSON.stringify(sample())}\n`);
  })
    .listen({ path: cluster.isWorker ? workerSocket(socket, process.pid) : socket, exclusive: true })
    .unref();
}
