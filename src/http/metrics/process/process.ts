import { Gauge, type Registry } from "prom-client";
import { ownMemory } from "./own-memory.ts";
import { counter, gauge } from "../read.ts";

/** Uses the names of the official Prometheus client libraries, so that existing dashboards work. */
export function addProcess(version: string, registry: Registry): void {
  gauge(registry, {
    name: "process_resident_memory_bytes",
    help: "Memory of the process in RAM; on Linux without mapped files, such as the database.",
    read: ownMemory,
  });
  gauge(registry, {
    name: "nodejs_heap_size_used_bytes",
    help: "JavaScript heap in use.",
    read: () => process.memoryUsage().heapUsed,
  });
  gauge(registry, {
    name: "nodejs_external_memory_bytes",
    help: "Memory of buffers outside the JavaScript heap, such as rendered pages.",
    read: () => process.memoryUsage().external,
  });
  counter(registry, {
    name: "process_cpu_seconds_total",
    help: "Processor time of the process, system calls included.",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  gauge(registry, {
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970.",
    of: "min",
    read: () => Math.round(performance.timeOrigin / 1000),
  });
  const info = new Gauge({
    name: "rolebook_info",
    help: "Always 1; the label version is the program's version.",
    aggregator: "first",
    labelNames: ["version"],
    registers: [],
  });
  info.set({ version }, 1);
  registry.registerMetric(info);
}
