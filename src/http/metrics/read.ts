import { type Aggregator, Counter, Gauge, type Registry } from "prom-client";

/** A metric whose value is read when it is scraped. */
export interface Figure<Value = number> {
  readonly name: string;
  readonly help: string;
  /** How the values of several processes are combined; by default they are added. */
  readonly of?: Aggregator;
  readonly read: () => Value | Promise<Value>;
}

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

/** `undefined` omits the metric. */
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
