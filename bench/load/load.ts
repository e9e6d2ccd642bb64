/**
 * The load generator: keep-alive connections with one request at a time. It runs in its own process. Its orders come
 * over IPC (see `generator.ts`) or from the command line:
 *
 *     node bench/load/load.ts --url http://127.0.0.1:3000 --paths FILE --token T [--connections 16] [--seconds 5] [--repeat]
 */
import { readFileSync } from "node:fs";
import { createHistogram, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Connection } from "./connection.ts";
import type { Order, Outcome, Report } from "./order.ts";

const files = new Map<string, string[]>();

function pathsOf(file: string): string[] {
  const known = files.get(file);
  if (known !== undefined) return known;
  const paths = readFileSync(file, "latin1")
    .split("\n")
    .filter((path) => path !== "");
  files.set(file, paths);
  return paths;
}

/** Loads a server until `stopped` resolves. Calls `report` when the measurement begins and when it ends. */
async function load(order: Order, report: (report: Report) => void, stopped: Promise<void>): Promise<void> {
  const paths = pathsOf(order.paths);
  const target = new URL(order.url);
  const rest = ` HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${order.token}\r\n\r\n`;
  const latency = createHistogram();
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let next = order.from;
  let running = true;
  let counting = false;
  let requests = 0;
  let bytes = 0;
  let lastAt = 0;

  function take(): string | undefined {
    if (order.repeat && next >= paths.length) next = 0;
    const path = running ? paths[next] : undefined;
    if (path === undefined) {
      end();
      return undefined;
    }
    next += 1;
    return `GET ${path}${rest}`;
  }

  function done(size: number, milliseconds: number): void {
    if (!counting) return;
    requests += 1;
    bytes += size;
    lastAt = performance.now();
    latency.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  // The process never sleeps. Otherwise every answer of a slow server would have to wake it, and those of the fast
  // limit server would not.
  const stayAwake = (): unknown => running && setImmediate(stayAwake);
  stayAwake();
  const connections = Array.from(
    { length: order.connections },
    () => new Connection(target.hostname, Number(target.port), take, done, fail),
  );
  try {
    await Promise.race([sleep(order.warmSeconds * 1000), over]);
    counting = true;
    const begin = performance.now();
    report({ type: "begin" });
    await Promise.race([sleep(order.seconds * 1000), over]);
    const exhausted = running && !order.repeat && next >= paths.length;
    if (requests === 0)
      throw new Error(`nothing was answered in the window; ${order.paths} has ${paths.length} paths`);
    const seconds = ((exhausted ? lastAt : performance.now()) - begin) / 1000;
    counting = false;
    const outcome: Outcome = {
      requests,
      seconds,
      perSecond: requests / seconds,
      bytes,
      latency: {
        p50: latency.percentile(50) / 1000,
        p99: latency.percentile(99) / 1000,
        max: latency.max / 1000,
      },
      exhausted,
    };
    report({ type: "end", outcome });
    await Promise.race([stopped, over.then(() => stopped)]);
  } finally {
    running = false;
    for (const connection of connections) connection.close();
  }
  report({ type: "stopped", next });
}

if (process.send !== undefined) {
  const send = process.send.bind(process);
  let stop: (() => void) | undefined;
  process.on("message", (order: Order | "stop") => {
    if (order === "stop") return stop?.();
    const { promise, resolve } = Promise.withResolvers<void>();
    stop = resolve;
    load(order, send, promise).catch((error: unknown) => send({ type: "failed", message: String(error) }));
  });
} else if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      paths: { type: "string" },
      token: { type: "string", default: "none" },
      connections: { type: "string", default: "16" },
      seconds: { type: "string", default: "5" },
      from: { type: "string", default: "0" },
      repeat: { type: "boolean", default: false },
    },
  });
  if (values.url === undefined || values.paths === undefined) {
    console.error(
      "usage: node bench/load/load.ts --url URL --paths FILE [--token T] [--connections N] [--seconds N]",
    );
    process.exit(2);
  }
  const order = {
    url: values.url,
    paths: values.paths,
    token: values.token,
    connections: Number(values.connections),
    warmSeconds: 1,
    seconds: Number(values.seconds),
    from: Number(values.from),
    repeat: values.repeat,
  };
  await load(
    order,
    (report) => {
      if (report.type === "end") console.log(JSON.stringify(report.outcome));
    },
    Promise.resolve(),
  );
}
