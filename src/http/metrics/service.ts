import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Service } from "../service.ts";
import { addFreshness } from "./freshness.ts";
import { counter, gauge } from "./read.ts";
import { addRules } from "./rules.ts";
import { addTokens } from "./tokens.ts";

/** Caches, rows, connections, and how old what is served is. */
export function addServiceMetrics(app: FastifyInstance, service: Service, registry: Registry): void {
  const { pages, store } = service;
  counter(registry, {
    name: "rolebook_page_cache_hits_total",
    help: "Pages that were sent as they had been rendered before.",
    read: () => pages.hits,
  });
  counter(registry, {
    name: "rolebook_page_cache_misses_total",
    help: "Pages that had to be read and rendered.",
    read: () => pages.misses,
  });
  counter(registry, {
    name: "rolebook_page_rows_read_total",
    help: "Rows that the database gave for pages.",
    read: () => service.rowsRead,
  });
  gauge(registry, {
    name: "rolebook_page_cache_bytes",
    help: "Rendered pages that are kept.",
    read: () => pages.bytes,
  });
  gauge(registry, {
    name: "rolebook_store_cache_bytes",
    help: "What was read of revisions and is kept, about.",
    read: () => store.cache.bytes,
  });
  gauge(registry, {
    name: "rolebook_http_connections",
    help: "Open connections of clients.",
    read: () => connections(app),
  });
  addFreshness(store.engine, registry);
  addRules(store.engine, registry);
  addTokens(store.engine, registry);
}

function connections(app: FastifyInstance): Promise<number> {
  return new Promise((resolve) => {
    app.server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
