import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";

/** A figure that is kept elsewhere and only read at each scrape: it costs nothing in between. */
export interface Figure<Value = number> {
  readonly name: string;
  readonly help: string;
  /** How the figures of several processes become one; by default they are added. */
  readonly of?: Aggregator;
  readonly read: () => Value | Promise<Value>;
}

/** Publishes a figure that only ever grows. */
export function counter(registry: Registry, { name, help, read, of = "sum" }: Figure): void {
  const metric = new Counter({
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
  registry.registerMetric(metric);
}

/** Publishes a figure that goes up and down; `undefined` leaves it out. */
export function gauge(
  registry: Registry,
  { name, help, read, of = "sum" }: Figure<number | undefined>,
): void {
  const metric = new Gauge({
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
  registry.registerMetric(metric);
}
