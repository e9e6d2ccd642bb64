import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";

/** A metric that is read only when it is scraped. */
export interface Figure<Value = number> {
  readonly name: string;
  readonly help: string;
  /** How the metrics of several processes are aggregated; the default is their sum. */
  readonly of?: Aggregator;
  readonly read: () => Value | Promise<Value>;
}

/** Publishes a metric that only increases. */
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

/** Publishes a metric that increases and decreases; `undefined` omits it. */
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
