import type { Server } from "node:http";
import type { Registry } from "prom-client";
import type { Service } from "../service.ts";
import { addFreshness } from "./freshness.ts";
import { counter, gauge } from "./read.ts";
import { addRules } from "./rules.ts";
import { addTokens } from "./tokens.ts";

export function addServiceMetrics(server: Server, service: Service, registry: Registry): void {
  const { responses, store } = service;
  counter(registry, {
    name: "rolebook_page_cache_hits_total",
    help: "Pages sent again from the cache.",
    read: () => responses.hits,
  });
  counter(registry, {
    name: "rolebook_page_cache_misses_total",
    help: "Pages that were read and rendered.",
    read: () => service.pagesRead,
  });
  counter(registry, {
    name: "rolebook_page_rows_read_total",
    help: "Rows read from the database for pages.",
    read: () => service.rowsRead,
  });
  gauge(registry, {
    name: "rolebook_page_cache_bytes",
    help: "Bytes of the answers in the cache of pages.",
    read: () => responses.bytes,
  });
  gauge(registry, {
    name: "rolebook_store_cache_bytes",
    help: "Approximate bytes in the cache of the store.",
    read: () => store.cache.bytes,
  });
  gauge(registry, {
    name: "rolebook_http_connections",
    help: "Open connections.",
    read: () => connections(server),
  });
  addFreshness(store.engine, registry);
  addRules(store.engine, registry);
  addTokens(store.engine, registry);
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
