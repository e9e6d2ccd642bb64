/** Asks a server's /healthz every 5 ms from a thread of its own, which nothing else delays. */
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, Worker, workerData } from "node:worker_threads";

/** The time between an answer and the next request, in milliseconds. */
const EVERY = 5;

/** The places of the memory that both threads share: the longest wait, in milliseconds, and the number of answers. */
const [WAIT, ANSWERS] = [0, 1];

interface Shared {
  readonly url: string;
  readonly counts: Float64Array;
}

export interface Knocking {
  /** The longest wait for an answer since the last call, in milliseconds. */
  readonly longest: () => Promise<number>;
  readonly stop: () => Promise<unknown>;
}

export function knock(url: string): Knocking {
  const counts = new Float64Array(new SharedArrayBuffer(16));
  const shared: Shared = { url, counts };
  const worker = new Worker(new URL(import.meta.url), { workerData: shared });
  return {
    async longest() {
      // The request that waits now counts, too.
      for (const answers = counts[ANSWERS]; counts[ANSWERS] === answers;) await sleep(1);
      const longest = counts[WAIT] ?? 0;
      counts[WAIT] = 0;
      return longest;
    },
    stop: () => worker.terminate(),
  };
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });
}

if (!isMainThread) {
  const { url, counts }: Shared = workerData;
  for (const agent = new Agent({ keepAlive: true }); ;) {
    const begin = performance.now();
    await ask(`${url}/healthz`, agent);
    counts[WAIT] = Math.max(counts[WAIT] ?? 0, performance.now() - begin);
    counts[ANSWERS] = (counts[ANSWERS] ?? 0) + 1;
    await sleep(EVERY);
  }
}
