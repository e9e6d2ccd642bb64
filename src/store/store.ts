import type { Engine, Reader } from "./engine/engine.ts";
import { RevisionCache } from "./cache.ts";
import { Models } from "./models.ts";
import { Reading, type Revision } from "./reading.ts";
import type { Organization, Past } from "./revisions/past.ts";
import { Registry } from "./revisions/registry.ts";

/** How long a walk may continue on a revision that is no longer current, in milliseconds (docs/api.md). */
export const KEPT_FOR = 24 * 60 * 60_000;

/** An engine with the caches of a process. */
export class Store {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly cache: RevisionCache;
  readonly models: Models;

  constructor(engine: Engine, cacheBytes = 96 << 20, models = new Models()) {
    this.engine = engine;
    this.registry = new Registry(engine);
    this.cache = new RevisionCache(cacheBytes);
    this.models = models;
  }

  /** Reads at revision `at` for one request. `reader` may be a consistent read. */
  reading(at: Revision, reader: Reader = this.engine): Reading {
    return new Reading(reader, at, this.cache, this.models);
  }
}

/**
 * The revision on which a walk continues (docs/api.md): the revision on which the walk began, or the current
 * one if that revision was replaced {@link KEPT_FOR} ago or earlier. `begun` is absent for a first page.
 */
export async function revisionFor(
  past: Past,
  organization: Organization,
  begun: number | undefined,
): Promise<Revision> {
  const { current } = organization;
  if (begun === undefined || begun === current.revision) return current;
  const found = await past.byNumber(organization, begun);
  return found !== undefined && Date.now() - Date.parse(found.replacedAt) < KEPT_FOR ? found : current;
}
