/**
 * `rolebook serve --workers N`: processes that share a port, and the one that supervises, measures and stops them. Both
 * sides talk in the messages below. prom-client's own wait for every connected process, so a scrape fails while one starts
 * or dies; cluster's events do not say which database a worker serves, and `disconnect` closes the port at once.
 */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { overloaded } from "../../http/load.ts";
import type { ProcessMetrics, WorkerMetrics } from "../../http/request-times.ts";

type ToSupervisor =
  /** The worker listens. `name` is the name of its database, `address` its URL. */
  | { readonly say: "serving"; readonly name: string; readonly address: string }
  /** A scrape asks for the metrics of all workers. */
  | { readonly say: "collect"; readonly scrape: number }
  | { readonly say: "metrics"; readonly round: number; readonly metrics: ProcessMetrics };

type ToWorker =
  | { readonly say: "stop" }
  /** Asks for the metrics of this worker. */
  | { readonly say: "read"; readonly round: number }
  /** Answers `collect`. `metrics` is `null` if a worker did not answer in time. */
  | { readonly say: "collected"; readonly scrape: number; readonly metrics: ProcessMetrics[] | null };

/**
 * A worker that ends sooner than this after its start is replaced after a pause of the same length, in milliseconds.
 */
const SHORT_LIFE = 1_000;
/** Log messages of every server, with workers or without. */
export const STOPS = "Rolebook is stopping; it answers the accepted requests first";
export const STOPPED = "Rolebook has stopped";
/** How long a scrape waits for the metrics of all workers, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Runs `count` workers with these arguments until SIGINT or SIGTERM, and replaces those that die. If the first worker
 * cannot serve, it logs why; then no other is started, and the exit status is 1.
 */
export async function supervise(count: number, args: readonly string[], log: Logger): Promise<void> {
  cluster.setupPrimary({ args: [...args] });
  const group = new WorkerGroup(log);
  const stopping = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  });
  const first = await group.start();
  if (first === undefined) {
    process.exitCode = 1;
    return;
  }
  void stopping.then(() => group.stop());
  await Promise.all(Array.from({ length: count - 1 }, () => group.start()));
  if (!group.stopping) log.info(`Rolebook serves ${first.name} at ${first.address}, with ${count} workers`);
  await group.ended();
  log.info(STOPPED);
}

/** A free port. With port 0, each worker that replaces another might get another port. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await once(server.listen(0, host), "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

type Serving = Extract<ToSupervisor, { say: "serving" }>;

class WorkerGroup {
  readonly #log: Logger;
  readonly #workers = new Set<Worker>();
  /** The workers that listen. Only they are asked for metrics. */
  readonly #serving = new Set<Worker>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #rounds = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>();
  #round = 0;
  /** Whether any worker has listened. Before that, a worker that ends is not replaced. */
  #served = false;
  stopping = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Starts a worker. Resolves to what it serves; `undefined` if it ends before it listens. */
  async start(): Promise<Serving | undefined> {
    const worker = cluster.fork();
    const began = performance.now();
    this.#workers.add(worker);
    const serving = Promise.withResolvers<Serving | undefined>();
    worker.on("error", () => {});
    worker.on("message", (message: ToSupervisor) => {
      if (message.say === "metrics") this.#rounds.get(message.round)?.(worker, message.metrics);
      if (message.say === "collect") void this.#collect(worker, message.scrape);
      if (message.say !== "serving") return;
      this.#serving.add(worker);
      this.#served = true;
      if (this.stopping) tell(worker, { say: "stop" });
      serving.resolve(message);
    });
    worker.once("exit", (status: number | null, signal: string | null) => {
      serving.resolve(undefined);
      this.#workers.delete(worker);
      this.#serving.delete(worker);
      if (this.stopping || !this.#served) {
        if (this.#workers.size === 0) this.#ended.resolve();
        return;
      }
      this.#log.warn(`A worker ended (${signal ?? status}) and will be replaced.`);
      void this.#replace(performance.now() - began);
    });
    return serving.promise;
  }

  /** Tells all workers to answer their accepted requests and end. */
  stop(): void {
    this.stopping = true;
    this.#log.info(STOPS);
    for (const worker of this.#workers) tell(worker, { say: "stop" });
    if (this.#workers.size === 0) this.#ended.resolve();
  }

  /** Resolves when no worker is left. */
  ended(): Promise<void> {
    return this.#ended.promise;
  }

  async #replace(lived: number): Promise<void> {
    if (lived < SHORT_LIFE) await sleep(SHORT_LIFE);
    if (this.stopping) return;
    const serving = await this.start();
    if (serving !== undefined) this.#log.info("A new worker has replaced it.");
  }

  async #collect(asking: Worker, scrape: number): Promise<void> {
    const round = ++this.#round;
    const missing = new Set(this.#serving);
    const metrics: ProcessMetrics[] = [];
    const whole = Promise.withResolvers<ProcessMetrics[] | null>();
    const late = setTimeout(() => whole.resolve(null), PATIENCE);
    this.#rounds.set(round, (worker, found) => {
      metrics.push(found);
      missing.delete(worker);
      if (missing.size === 0) whole.resolve(metrics);
    });
    for (const worker of missing) tell(worker, { say: "read", round });
    tell(asking, { say: "collected", scrape, metrics: await whole.promise });
    clearTimeout(late);
    this.#rounds.delete(round);
  }
}

/** Does nothing if the worker has died. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** The worker's side. */
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
