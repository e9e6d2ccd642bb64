/** One process of several that serve the same port: what it owes its supervisor (see workers.ts). */
import cluster from "node:cluster";
import { overloaded } from "../../http/admission/admission.ts";
import type { Fellows, Figures } from "../../http/metrics/fellows.ts";
import type { ToSupervisor, ToWorker } from "./worker-messages.ts";

export interface WorkerChannel extends Fellows {
  /** Resolves when the supervisor tells to stop. */
  readonly stop: Promise<void>;
  /** Tells that this process listens. */
  serving(name: string, address: string): void;
  /** Says goodbye: what the supervisor could still say keeps this process from ending. */
  leave(): void;
}

/** This process among its fellows; `undefined` where it serves alone. */
export function channelOfProcess(): WorkerChannel | undefined {
  if (!cluster.isWorker) return undefined;
  const stop = Promise.withResolvers<void>();
  const scrapes = new Map<number, (figures: Figures[] | null) => void>();
  let own: (() => Promise<Figures>) | undefined;
  const send = (message: ToSupervisor) => void process.send?.(message, () => {});
  process.on("message", (message: ToWorker) => {
    if (message.say === "stop") stop.resolve();
    if (message.say === "count") {
      void own?.().then((figures) => send({ say: "figures", round: message.round, figures }));
    }
    if (message.say === "all") {
      scrapes.get(message.scrape)?.(message.figures);
      scrapes.delete(message.scrape);
    }
  });
  let last = 0;
  return {
    stop: stop.promise,
    serving: (name, address) => send({ say: "serving", name, address }),
    leave: () => void cluster.worker?.disconnect(),
    join: (figures) => (own = figures),
    async figures() {
      const scrape = ++last;
      const figures = await new Promise<Figures[] | null>((resolve) => {
        scrapes.set(scrape, resolve);
        send({ say: "scraped", scrape });
      });
      if (figures !== null) return figures;
      throw overloaded();
    },
  };
}
