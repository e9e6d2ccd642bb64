/**
 * All metrics but the times of requests, in the order in which they are published. Loaded by the first scrape.
 *
 * A metric is read when it is scraped. What the database says is asked once for a scrape, with patience for 2 s, and keeps
 * its last value while the database does not answer. No label has an id (docs/operations.md).
 */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { performance } from "node:perf_hooks";
import { type Aggregator, AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import type { Engine } from "../store/engine/engine.ts";
import { type Freshness, freshness } from "../store/revisions/organizations.ts";
import type { Models } from "../store/models.ts";
import { breachTotals } from "../store/rule-results.ts";
import { nextExpiry } from "../store/tokens.ts";
import { type ProcessMetrics, RequestTimes, withRequests } from "./request-times.ts";
import type { Service } from "./service.ts";

/** Counts that begin before the first scrape creates the registry. */
interface EarlyCounts {
  readonly lag: { readonly seconds: number };
  unreadable: number;
}

/** The metrics of this process. */
export function registryOf(server: Server, service: Service, counted: EarlyCounts): Registry {
  const { load, responses, store, version } = service;
  const metrics = [
    counter({
      name: "rolebook_http_unreadable_total",
      help: "Connections that were closed because their input was refused before it was a request.",
      read: () => counted.unreadable,
    }),
    counter({
      name: "rolebook_page_cache_hits_total",
      help: "Pages sent again from the cache.",
      read: () => responses.hits,
    }),
    counter({
      name: "rolebook_page_cache_misses_total",
      help: "Pages that were read and rendered.",
      read: () => service.pagesRead,
    }),
    gauge({
      name: "rolebook_page_cache_bytes",
      help: "Bytes of the answers in the cache of pages.",
      read: () => responses.bytes,
    }),
    gauge({
      name: "rolebook_store_cache_bytes",
      help: "Approximate bytes in the cache of the store.",
      read: () => store.cache.bytes,
    }),
    counter({
      name: "rolebook_store_cache_evictions_total",
      help: "Values that left the cache of the store to make room for others, or had no room in it: whoever asks next loads them again.",
      read: () => store.cache.evicted,
    }),
    ...ofModels(store.models),
    gauge({ name: "rolebook_http_connections", help: "Open connections.", read: () => connections(server) }),
    labelled("of", {
      name: "rolebook_http_used_ratio",
      help: "How much is used of what callers share, by what one of them may use alone: above 1 while others need it too.",
      of: "max",
      read: () => load.used(),
    }),
    ...ofImports(store.engine),
    ...ofRules(store.engine),
    gauge({
      name: "rolebook_token_next_expiry_timestamp_seconds",
      help: "When the next token expires, in seconds since 1970; without rotated tokens and those made for less than 14 days. Absent if no token expires.",
      of: "min",
      read: async () => {
        const next = await within(nextExpiry(store.engine));
        return next === undefined ? undefined : Date.parse(next) / 1000;
      },
    }),
    gauge({
      name: "rolebook_event_loop_lag_max_seconds",
      help: "The longest delay of the event loop in the last one to two minutes.",
      of: "max",
      read: () => counted.lag.seconds,
    }),
    ...(["active", "idle"] as const).map((state) =>
      counter({
        name: `rolebook_event_loop_${state}_seconds_total`,
        help: `Seconds for which the event loop was ${state}; its utilisation is active / (active + idle).`,
        read: () => performance.eventLoopUtilization()[state] / 1000,
      }),
    ),
    ...ofProcess(version),
  ];
  const registry = new Registry();
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}

/** The metrics of several processes as text. */
export async function aggregate(metrics: readonly ProcessMetrics[]): Promise<string> {
  const times = new RequestTimes();
  for (const { answers } of metrics) times.add(answers);
  const others = AggregatorRegistry.aggregate(metrics.map((each) => each.others));
  return withRequests(times, others);
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}

function ofModels(models: Models): (Counter | Gauge)[] {
  return [
    gauge({
      name: "rolebook_models",
      help: "Revisions of organizations in memory.",
      read: () => models.count,
    }),
    gauge({
      name: "rolebook_models_bytes",
      help: "Bytes of these; ROLEBOOK_MEMORY is the most.",
      read: () => models.bytes,
    }),
    counter({
      name: "rolebook_model_loads_total",
      help: "Revisions of organizations that were loaded from the database.",
      read: () => models.loads,
    }),
    counter({
      name: "rolebook_model_follows_total",
      help: "Revisions of organizations that were made from another one in memory and what changed in between.",
      read: () => models.follows,
    }),
    counter({
      name: "rolebook_model_seconds_total",
      help: "Seconds that loading and making these took, beside other work.",
      read: () => models.spent / 1000,
    }),
    gauge({
      name: "rolebook_model_waiting_requests",
      help: "Requests that wait for an organization to be loaded.",
      read: () => models.waiting,
    }),
  ];
}

/** The age of the oldest and of the newest import, because ages by organization would need ids as labels. */
function ofImports(engine: Engine): (Counter | Gauge)[] {
  let last: Freshness = { organizations: 0, imported: undefined, confirmed: undefined };
  let asked: Promise<boolean> | undefined;
  /** When the last query ended: ages of one scrape are as of one time. */
  let now = 0;
  /** One query for all metrics of a scrape. Resolves to whether the database answered. */
  const ask = () =>
    (asked ??= within(freshness(engine)).then((found) => {
      last = found ?? last;
      now = Date.now();
      asked = undefined;
      return found !== undefined;
    }));
  const age = (which: "oldest" | "newest") => async () => {
    await ask();
    const at = last.imported?.[which];
    return at === undefined ? undefined : Math.max(0, (now - Date.parse(at)) / 1000);
  };
  return [
    gauge({
      name: "rolebook_database_up",
      help: "1 if the database answered within 2 seconds of this scrape, otherwise 0. While it is 0, organizations and import ages keep their last values.",
      of: "min",
      read: async () => ((await ask()) ? 1 : 0),
    }),
    gauge({
      name: "rolebook_organizations",
      help: "Organizations in the database.",
      of: "max",
      read: async () => {
        await ask();
        return last.organizations;
      },
    }),
    gauge({
      name: "rolebook_import_age_max_seconds",
      help: "Seconds since the oldest current import.",
      of: "max",
      read: age("oldest"),
    }),
    gauge({
      name: "rolebook_import_age_min_seconds",
      help: "Seconds since the newest current import.",
      of: "min",
      read: age("newest"),
    }),
    labelled("which", {
      name: "rolebook_import_confirmed_timestamp_seconds",
      help: "When an import last confirmed an organization, whether or not it changed anything, in seconds since 1970. The label which is oldest or newest.",
      of: "max",
      read: async () => {
        await ask();
        return Object.entries(last.confirmed ?? {}).map(([which, at]) => [which, Date.parse(at) / 1000]);
      },
    }),
  ];
}

/**
 * The breaches of each rule at its last check. The label is the rule's text, which an operator wrote and which may name
 * people and contents: `/metrics` must stay off public networks.
 */
function ofRules(engine: Engine): Gauge[] {
  let last: Awaited<ReturnType<typeof breachTotals>> = [];
  const totals = async () => (last = (await within(breachTotals(engine))) ?? last);
  return [
    labelled("rule", {
      name: "rolebook_rule_breaches",
      help: "Breaches of each rule when its result was last recorded, over all organizations; a rule that could not be checked counts as one. The label rule is the rule's own words.",
      of: "max",
      read: async () => (await totals()).map(({ rule, breaches }) => [rule, breaches]),
    }),
    labelled("rule", {
      name: "rolebook_rule_checked_timestamp_seconds",
      help: "When the result of each rule was last recorded, in seconds since 1970; of several organizations, the one recorded longest ago.",
      of: "min",
      read: async () => (await totals()).map(({ rule, checkedAt }) => [rule, Date.parse(checkedAt) / 1000]),
    }),
  ];
}

/** Uses the names of the official Prometheus client libraries, so that existing dashboards work. */
function ofProcess(version: string): (Counter | Gauge)[] {
  return [
    gauge({
      name: "process_resident_memory_bytes",
      help: "Memory of the process in RAM; on Linux without mapped files, such as the database.",
      read: ownMemory,
    }),
    gauge({
      name: "nodejs_heap_size_used_bytes",
      help: "JavaScript heap in use.",
      read: () => process.memoryUsage().heapUsed,
    }),
    gauge({
      name: "nodejs_external_memory_bytes",
      help: "Memory of buffers outside the JavaScript heap, such as rendered pages.",
      read: () => process.memoryUsage().external,
    }),
    counter({
      name: "process_cpu_seconds_total",
      help: "Processor time of the process, system calls included.",
      read: () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      },
    }),
    gauge({
      name: "process_start_time_seconds",
      help: "When the process started, in seconds since 1970.",
      of: "min",
      read: () => Math.round(performance.timeOrigin / 1000),
    }),
    labelled("version", {
      name: "rolebook_info",
      help: "Always 1; the label version is the program's version.",
      of: "first",
      read: () => [[version, 1]],
    }),
  ];
}

/**
 * The resident memory that only this process uses, in bytes. On Linux, mapped files such as the database are excluded:
 * the system keeps them in memory once for all processes. Elsewhere, all resident memory.
 */
export function ownMemory(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  const status = readFileSync("/proc/self/status", "latin1");
  // `RssShmem` would count a mapped database in /dev/shm.
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? process.memoryUsage.rss() : 1024 * Number(kibibytes);
}

/** How long a scrape waits for the database, in milliseconds. */
const PATIENCE = 2_000;

/** `undefined` if the query fails or takes longer than {@link PATIENCE}. */
async function within<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface MetricFigure<Value> {
  readonly name: string;
  readonly help: string;
  /** How the values of several processes are combined; by default they are added. */
  readonly of?: Aggregator;
  readonly read: () => Value | Promise<Value>;
}

function counter({ name, help, read, of = "sum" }: MetricFigure<number>): Counter {
  return new Counter({
    name,
    help,
    aggregator: of,
    registers: [],
    async collect() {
      const value = await read();
      this.reset();
      this.inc(value);
    },
  });
}

/** `undefined` omits the metric. */
function gauge({ name, help, read, of = "sum" }: MetricFigure<number | undefined>): Gauge {
  return new Gauge({
    name,
    help,
    aggregator: of,
    registers: [],
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** One value for each value of a label. */
function labelled(
  label: string,
  { name, help, read, of = "sum" }: MetricFigure<readonly (readonly [label: string, value: number])[]>,
): Gauge {
  return new Gauge({
    name,
    help,
    aggregator: of,
    labelNames: [label],
    registers: [],
    async collect() {
      const values = await read();
      this.reset();
      for (const [each, value] of values) this.set({ [label]: each }, value);
    },
  });
}
