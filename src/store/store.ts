import type { Engine, Reader } from "./engine/engine.ts";
import { RevisionCache } from "./cache/cache.ts";
import { Reading, type Revision } from "./reading.ts";
import type { Organization } from "./revisions/organizations/organization.ts";
import { Registry } from "./revisions/organizations/registry.ts";
import type { Past } from "./revisions/past/past.ts";

/** How long walks may continue on a replaced revision, in milliseconds (contract, section 5). */
export const KEPT_FOR = 24 * 60 * 60_000;

/** An engine with its caches: everything that serves the listings. */
export class Store {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly cache: RevisionCache;

  constructor(engine: Engine, cacheBytes = 24 << 20) {
    this.engine = engine;
    this.registry = new Registry(engine);
    this.cache = new RevisionCache(cacheBytes);
  }

  /** The reads of one request, all at revision `at`. `reader` may be a consistent read. */
  reading(at: Revision, reader: Reader = this.engine): Reading {
    return new Reading(reader, at, this.cache);
  }
}

/**
 * The revision on which a walk continues: the one on which it began, until a day after that one was replaced; then the
 * current one (contract, section 5). `begun` is absent on a first page.
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
