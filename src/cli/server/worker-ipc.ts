/** How a worker talks to its supervisor (workers.ts). */
import cluster from "node:cluster";
import { overloaded } from "../../http/load.ts";
import type { ProcessMetrics, WorkerMetrics } from "../../http/metrics/workers.ts";
import type { ToSupervisor, ToWorker } from "./worker-messages.ts";

export interface WorkerChannel extends WorkerMetrics {
  /** Resolves when the supervisor tells the worker to stop. */
  readonly stop: Promise<void>;
  serving(name: string, address: string): void;
  /** Closes the channel. An open channel keeps the process alive. */
  leave(): void;
}

/** `undefined` if this process is not a worker. */
export function channelOfProcess(): WorkerChannel | undefined {
  if (!cluster.isWorker) return undefined;
  const stop = Promise.withResolvers<void>();
  const scrapes = new Map<number, (metrics: ProcessMetrics[] | null) => void>();
  let own: (() => Promise<ProcessMetrics>) | undefined;
  const send = (message: ToSupervisor) => void process.send?.(message, () => {});
  process.on("message", (message: ToWorker) => {
    if (message.say === "stop") stop.resolve();
    if (message.say === "read") {
      void own?.().then((metrics) => send({ say: "metrics", round: message.round, metrics }));
    }
    if (message.say === "collected") {
      scrapes.get(message.scrape)?.(message.metrics);
      scrapes.delete(message.scrape);
    }
  });
  let last = 0;
  return {
    stop: stop.promise,
    serving: (name, address) => send({ say: "serving", name, address }),
    leave: () => void cluster.worker?.disconnect(),
    provide: (read) => (own = read),
    async collect() {
      const scrape = ++last;
      const metrics = await new Promise<ProcessMetrics[] | null>((resolve) => {
        scrapes.set(scrape, resolve);
        send({ say: "collect", scrape });
      });
      if (metrics !== null) return metrics;
      throw overloaded();
    },
  };
}
