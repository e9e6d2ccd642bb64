/** Sets by name, opened once per revision. */
import { EMPTY, type Head } from "../../sets/head.ts";
import type { CacheKind } from "../cache/cache.ts";
import type { Reading } from "../reading.ts";
import { isCommonSet, type Universe } from "../schema/set-names.ts";
import { ChunkedSets, headsOf } from "./set-store.ts";

/** A selection of the sets of a universe, by name. Their heads and containers are read when needed. */
export class NamedSets {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #known: ReadonlyMap<string, Head>;
  /** Identifies these sets in cache keys. */
  readonly #key = `${++named}`;

  /** `known` has heads that need not be read. */
  constructor(
    universe: Universe,
    names: readonly string[],
    known: ReadonlyMap<string, Head> = new Map<string, Head>(),
  ) {
    this.#universe = universe;
    this.#names = names;
    this.#known = known;
    this.#indexes = new Map(names.map((name, index) => [name, index]));
  }

  /** These sets and further ones, whose heads the caller has. */
  with(names: readonly string[], heads: readonly Head[]): NamedSets {
    const more = names.map((name, index) => [name, heads[index] ?? EMPTY] as const);
    return new NamedSets(this.#universe, [...this.#names, ...names], new Map([...this.#known, ...more]));
  }

  get names(): readonly string[] {
    return this.#names;
  }

  get bytes(): number {
    return this.#names.reduce((sum, name) => sum + 70 + name.length, 200 + 200 * this.#known.size);
  }

  get size(): number {
    return this.#names.length;
  }

  /** The index of a set; `undefined` if the set is not in the selection. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  #opened(heads: ReadonlyMap<string, Head>): ChunkedSets {
    const all = this.#names.map((name) => this.#known.get(name) ?? heads.get(name) ?? EMPTY);
    return new ChunkedSets(this.#universe, this.#names, all);
  }

  /** The sets with their heads. Their containers are read later, chunk by chunk. */
  open(reading: Reading): Promise<ChunkedSets> {
    return reading.cache.once(OPEN, reading.at, this.#key, async () => {
      const unknown = this.#names.filter((name) => !this.#known.has(name));
      return this.#opened(await cachedHeads(reading, this.#universe, unknown));
    });
  }
}

let named = 0;

const OPEN: CacheKind<ChunkedSets> = { name: "sets", bytes: ({ bytes }) => bytes };

const COMMON: CacheKind<Head> = {
  name: "head",
  bytes: (head) => 200 + ("chunks" in head ? head.chunks : head.positions).byteLength,
};

/** The heads of sets, by name. Caches the heads that nearly every query uses. */
async function cachedHeads(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
): Promise<ReadonlyMap<string, Head>> {
  const heads = new Map<string, Head>();
  for (const name of names) {
    const head = isCommonSet(name) ? reading.cache.get(COMMON, reading.at, name) : undefined;
    if (head !== undefined) heads.set(name, head);
  }
  const unread = names.filter((name) => !heads.has(name));
  const read = await headsOf(reading, universe, unread);
  for (const [index, name] of unread.entries()) {
    const head = read[index] ?? EMPTY;
    if (isCommonSet(name)) reading.cache.keep(COMMON, reading.at, name, head);
    heads.set(name, head);
  }
  return heads;
}
