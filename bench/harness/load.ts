/**
 * The load generator's process: keep-alive connections with one request at a time. Takes orders over IPC from
 * `generator.ts`.
 */
import { readFileSync } from "node:fs";
import { Connection } from "./connection.ts";
import type { Order, Report } from "./generator.ts";

/** Requests every path of the order once. */
async function load({ url, paths, token, connections }: Order): Promise<void> {
  const all = readFileSync(paths, "latin1")
    .split("\n")
    .filter((path) => path !== "");
  const target = new URL(url);
  const rest = ` HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [next, answered] = [0, 0];
  const take = (): string | undefined => {
    const path = all[next++];
    return path === undefined ? undefined : `GET ${path}${rest}`;
  };
  const done = (): void => {
    answered += 1;
    if (answered === all.length) resolve();
  };
  // The process never sleeps. Otherwise every answer of a slow server would have to wake it, and those of the fast
  // limit server would not.
  let running = true;
  const stayAwake = (): unknown => running && setImmediate(stayAwake);
  stayAwake();
  const open = Array.from(
    { length: connections },
    () => new Connection(target.hostname, Number(target.port), take, done, reject),
  );
  try {
    await promise;
  } finally {
    running = false;
    for (const connection of open) connection.close();
  }
}

const send = (report: Report): void => void process.send?.(report);
process.on("message", (order: Order) => {
  load(order).then(
    () => send({ type: "done" }),
    (error: unknown) => send({ type: "failed", message: String(error) }),
  );
});
