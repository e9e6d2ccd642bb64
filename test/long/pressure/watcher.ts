/** Measures a server in a separate thread, so that the test's own work does not delay the measurements. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Line } from "../../hostile/ask.ts";
import { residentOf } from "./resident.ts";

const { pid, port }: { pid: number; port: number } = workerData;
const line = new Line(port, 1);
const healthz: number[] = [];
const stage = { over: false };
let peak = 0;
parentPort?.once("message", () => (stage.over = true));
while (!stage.over) {
  const started = performance.now();
  const { status } = await line.ask({ method: "GET", target: "/healthz", headers: {} });
  if (status !== 200) throw new Error(`/healthz: ${status}`);
  healthz.push(performance.now() - started);
  peak = Math.max(peak, residentOf(pid));
  await sleep(50);
}
line.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage({ peak, healthz: healthz.toSorted((a, b) => a - b) });
