import { Gauge, type Registry } from "prom-client";
import type { Engine } from "../../store/engine/engine.ts";
import { type Freshness, freshness } from "../../store/revisions/organizations.ts";
import { gauge } from "./read.ts";

/** How long a scrape waits for the database, in milliseconds. */
const PATIENCE = 2_000;

/**
 * The age of the oldest and of the newest import. Ages by organization would need ids as labels, which the contract,
 * section 9, excludes. While the database does not answer, the metrics keep their last values.
 */
export function addFreshness(engine: Engine, registry: Registry): void {
  let last: Freshness = { organizations: 0, imported: undefined, confirmed: undefined };
  let asked: Promise<boolean> | undefined;
  /** One query for all metrics of a scrape. Resolves to whether the database answered. */
  const ask = () =>
    (asked ??= within(freshness(engine)).then((found) => {
      last = found ?? last;
      asked = undefined;
      return found !== undefined;
    }));
  gauge(registry, {
    name: "rolebook_database_up",
    help: "1 if the database answered this scrape, otherwise 0. While it is 0, organizations and import ages keep their last values.",
    of: "min",
    read: async () => ((await ask()) ? 1 : 0),
  });
  gauge(registry, {
    name: "rolebook_organizations",
    help: "Organizations in the database.",
    of: "max",
    read: async () => {
      await ask();
      return last.organizations;
    },
  });
  gauge(registry, {
    name: "rolebook_import_age_max_seconds",
    help: "Seconds since the oldest current import.",
    of: "max",
    read: async () => {
      await ask();
      return ageOf(last.imported?.oldest);
    },
  });
  gauge(registry, {
    name: "rolebook_import_age_min_seconds",
    help: "Seconds since the newest current import.",
    of: "min",
    read: async () => {
      await ask();
      return ageOf(last.imported?.newest);
    },
  });
  const confirmed = new Gauge({
    name: "rolebook_import_confirmed_timestamp_seconds",
    help: "When an import last confirmed an organization, whether or not it changed anything, in seconds since 1970. The label which is oldest or newest.",
    labelNames: ["which"],
    aggregator: "max",
    registers: [],
    async collect() {
      await ask();
      if (last.confirmed === undefined) return this.reset();
      for (const which of ["oldest", "newest"] as const) {
        this.set({ which }, Date.parse(last.confirmed[which]) / 1000);
      }
    },
  });
  registry.registerMetric(confirmed);
}

function ageOf(importedAt: string | undefined): number | undefined {
  return importedAt === undefined ? undefined : Math.max(0, (Date.now() - Date.parse(importedAt)) / 1000);
}

/** `undefined` if the query fails or takes longer than {@link PATIENCE}. */
export async function within<T>(promise: Promise<T>): Promise<T | undefined> {
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
