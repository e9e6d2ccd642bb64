import { limit } from "../sets/limit.ts";
import { LRUCache } from "lru-cache";

/** Shares running work between concurrent callers, by key. Keeps no results and no failures. */
export class SingleFlight<Result> {
  readonly #underWay = new Map<string, Promise<Result>>();

  /**
   * Returns the result of the running work for `key`, or starts `work` if none runs. A failure rejects all waiting
   * callers.
   */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}

/** Identifies a revision uniquely, even after a backup was restored. */
interface RevisionKey {
  readonly history: number;
  readonly erasures: number;
  readonly generation: number;
  readonly revision: number;
}

/** The ids in the records that changed since a revision. */
interface Touched {
  /** Of members whose records or memberships changed, ascending as UTF-8 bytes. */
  readonly members: readonly string[];
  /** Whether members whose records did not change may have other positions, because a chunk was divided. */
  readonly haveMoved: boolean;
  /** The contents that changed, or on which a permission of a team did. */
  readonly contents: ReadonlySet<string>;
  /** The contents on which a direct permission changed. */
  readonly given: ReadonlySet<string>;
}

export interface CacheKind<Value> {
  readonly name: string;
  readonly bytes: (value: Value) => number;
  /**
   * Whether a change of records may change a value. If present, values hold for later revisions of the same generation,
   * too, until a change touches them; see {@link RevisionCache.extend}.
   */
  readonly isTouched?: (value: Value, key: string, touched: Touched) => boolean;
}

/** A value that holds from one revision up to, not including, another. */
interface Version {
  readonly since: number;
  until: number;
  /** The last revision whose changes are known not to touch the value. */
  seen: number;
  readonly value: object;
  readonly bytes: number;
}

/** What changed after one revision, up to another. Without `touched`, anything may have. */
interface ChangedSince {
  readonly from: number;
  readonly to: number;
  readonly touched: Touched | undefined;
}

/** The changes of a generation that were seen, oldest first. */
interface Generation {
  upTo: number;
  changes: ChangedSince[];
}

/** How many versions of a value are kept: current readers need one, and those who walk over older revisions another. */
const VERSIONS = limit("cache.versions", 3);

/** How many changes of a generation are kept. A value that was not used for longer is loaded again. */
const CHANGES = limit("cache.changes", 256);
const GENERATIONS = limit("cache.generations", 10_000);

/**
 * Caches values that were computed from revisions. The limit in bytes is for all kinds together. A value holds for one
 * revision, or over a range of revisions, which ends as soon as a change may have touched the value.
 */
export class RevisionCache {
  readonly #entries: LRUCache<string, readonly Version[]>;
  readonly #underWay = new SingleFlight<unknown>();
  readonly #generations = new LRUCache<string, Generation>({ max: GENERATIONS });

  /**
   * How many values left to make room for others, or never had room: these were loaded for the requests alone that
   * waited for them. A request keeps what it uses until it answers, so it loads nothing twice.
   */
  evicted = 0;

  constructor(bytes: number) {
    this.#entries = new LRUCache({
      maxSize: bytes,
      dispose: (_, __, reason) => {
        if (reason === "evict") this.evicted++;
      },
    });
  }

  get<Value extends object>(kind: CacheKind<Value>, at: RevisionKey, key: string): Value | undefined {
    for (const version of this.#entries.get(keyOf(kind, at, key)) ?? []) {
      if (version.since > at.revision) continue;
      if (version.seen < at.revision) this.#see(kind, at, key, version);
      // The stored key begins with the name of the kind, so the value is of that kind.
      if (at.revision < version.until && at.revision <= version.seen) return version.value as Value;
    }
    return undefined;
  }

  /** Holds a value against the changes that came after the last revision for which it was used. */
  #see<Value extends object>(kind: CacheKind<Value>, at: RevisionKey, key: string, version: Version): void {
    const changes = this.#generations.get(generationOf(at))?.changes ?? [];
    for (const { from, to, touched } of changes) {
      if (version.until !== Infinity) return;
      if (to <= version.seen) continue;
      const isWhole = from <= version.seen && touched !== undefined;
      if (!isWhole || kind.isTouched?.(version.value as Value, key, touched) !== false) {
        version.until = version.seen + 1;
      } else version.seen = to;
    }
  }

  keep<Value extends object>(kind: CacheKind<Value>, at: RevisionKey, key: string, value: Value): void {
    const whole = keyOf(kind, at, key);
    const bytes = Math.ceil(kind.bytes(value));
    const generation = generationOf(at);
    const { revision } = at;
    const known = this.#generations.get(generation) ?? { upTo: revision, changes: [] };
    this.#generations.set(generation, known);
    const until = kind.isTouched === undefined || revision < known.upTo ? revision + 1 : Infinity;
    const version: Version = { since: revision, until, seen: revision, value, bytes };
    const others = this.#entries.get(whole) ?? [];
    const kept = others.filter((each) => each.since > revision || each.until <= revision);
    const versions = [version, ...kept].slice(0, VERSIONS);
    const size = versions.reduce((sum, each) => sum + 100 + each.bytes, 100 + 2 * whole.length);
    this.#entries.set(whole, versions, { size });
    if (!this.#entries.has(whole)) this.evicted++;
  }

  /** The last revision of a generation whose changes were seen; `undefined` if nothing of the generation is kept. */
  seenUpTo(at: RevisionKey): number | undefined {
    return this.#generations.get(generationOf(at))?.upTo;
  }

  /**
   * Takes note of the changes after revision `from`, which was {@link seenUpTo} when they were read, up to `at`: values
   * that they do not touch hold at `at`, too. Without `touched`, no value does.
   */
  extend(from: number, at: RevisionKey, touched: Touched | undefined): void {
    const known = this.#generations.get(generationOf(at));
    if (known === undefined || known.upTo >= at.revision) return;
    known.changes = [...known.changes, { from, to: at.revision, touched }].slice(-CHANGES);
    known.upTo = at.revision;
  }

  /** Returns the cached value, or computes and caches it with `make`. Concurrent callers share one call of `make`. */
  async once<Value extends object>(
    kind: CacheKind<Value>,
    at: RevisionKey,
    key: string,
    make: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.get(kind, at, key);
    if (known !== undefined) return known;
    return this.share(kind, at, key, async () => {
      const value = await make();
      this.keep(kind, at, key, value);
      return value;
    });
  }

  /** Returns what `make` makes, uncached. Concurrent callers share one call of `make`. */
  share<Made>(
    kind: Pick<CacheKind<never>, "name">,
    at: RevisionKey,
    key: string,
    make: () => Promise<Made>,
  ): Promise<Made> {
    // The key begins with the name of the kind, so what is made is of that kind.
    return this.#underWay.do(`${keyOf(kind, at, key)} ${at.revision}`, make) as Promise<Made>;
  }

  clear(): void {
    this.#entries.clear();
    this.#generations.clear();
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

function generationOf({ history, erasures, generation }: RevisionKey): string {
  return `${history}.${erasures}.${generation}`;
}

function keyOf({ name }: Pick<CacheKind<never>, "name">, at: RevisionKey, key: string): string {
  return `${name} ${generationOf(at)}:${key}`;
}
