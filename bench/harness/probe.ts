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
  /**
   * The most CPU of the main thread between two requests since the last sample, in microseconds: if probes come all the
   * time, how long the loop was held up, however busy the machine is.
   */
  readonly longestTurn: number;
}

let answers = 0;
let [turned, longestTurn] = [0, 0];

function ownCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function endTurn(): void {
  const now = ownCpu();
  longestTurn = Math.max(longestTurn, now - turned);
  turned = now;
}

function sample(): Sample {
  const all = process.cpuUsage();
  const longest = longestTurn;
  longestTurn = 0;
  return {
    mainCpu: ownCpu(),
    longestTurn: longest,
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
  if (process.env["BENCH_TURNS"] !== undefined) subscribe("http.server.request.start", endTurn);
  createServer((connection) => {
    connection.on("error", () => connection.destroy());
    connection.end(`${JSON.stringify(sample())}\n`);
  })
    .listen({ path: cluster.isWorker ? workerSocket(socket, process.pid) : socket, exclusive: true })
    .unref();
}
