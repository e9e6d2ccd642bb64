/**
 * Preloaded into a server under test with `--import`. Answers each connection to the Unix socket `BENCH_PROBE` with one
 * JSON line about the main thread, and closes the connection. Each worker has its own socket. With `BENCH_COUNT`,
 * counts answers.
 */
import cluster from "node:cluster";
import { subscribe } from "node:diagnostics_channel";
import { createServer } from "node:net";
import { isMainThread } from "node:worker_threads";
import { ownMemory } from "../../src/http/metrics-registry.ts";
import { peakMemory } from "../../test/peak-memory.ts";

/** Counters of a server process since its start. A figure is the difference of two samples. */
export interface Sample {
  /** The CPU time, user and system, of the main thread and of all threads, in microseconds. */
  readonly mainCpu: number;
  readonly processCpu: number;
  /**
   * `rss` is the resident memory now, without mapped files; `peakRss` is its highest value, with mapped files. Both in
   * bytes.
   */
  readonly rss: number;
  readonly peakRss: number;
  /** The number of answers sent; 0 unless answers are counted. */
  readonly answers: number;
}

let answers = 0;

function sample(): Sample {
  const main = process.threadCpuUsage();
  const all = process.cpuUsage();
  return {
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
