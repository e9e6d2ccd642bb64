import type { Engine, Reader } from "./engine.ts";
import { RevisionCache } from "./cache.ts";
import { Reading, type Revision } from "./reading.ts";
import { type Organization, Registry } from "./registry.ts";

/** How long the revision before the current one serves walks that began on it, in milliseconds (contract, section 5). */
export const KEPT_FOR = 10 * 60_000;

/** What serves the listings: an engine with what is remembered of it. */
export class Store {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly cache: RevisionCache;

  constructor(engine: Engine, cacheBytes = 24 << 20) {
    this.engine = engine;
    this.registry = new Registry(engine);
    this.cache = new RevisionCache(cacheBytes);
  }

  /** The reads of one request, all of `at`. `reader`, when given, is one that the engine keeps consistent. */
  reading(at: Revision, reader: Reader = this.engine): Reading {
    return new Reading(reader, at, this.cache);
  }
}

/**
 * The revision on which a walk goes on: the one it began on while that is kept, then the current one (contract,
 * section 5). `begun` is absent for a first page.
 */
export function revisionFor({ current, previous }: Organization, begun: number | undefined): Revision {
  if (begun === undefined || previous === undefined || begun !== previous.revision) return current;
  return Date.now() - Date.parse(previous.replacedAt) < KEPT_FOR ? previous : current;
}
