import type { Engine, Reader } from "./engine/engine.ts";
import { RevisionCache } from "./cache/cache.ts";
import { Reading, type Revision } from "./reading.ts";
import type { Organization } from "./revisions/organization.ts";
import { Registry } from "./revisions/registry.ts";
import type { Past } from "./revisions/past.ts";

/** How long walks go on over a revision that was replaced, in milliseconds (contract, section 5). */
export const KEPT_FOR = 24 * 60 * 60_000;

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
 * The revision on which a walk goes on: the one it began on, until a day after it was replaced, then the current one
 * (contract, section 5). `begun` is absent for a first page.
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
