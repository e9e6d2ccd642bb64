import { LRUCache } from "lru-cache";
import type { Revision } from "../reading.ts";
import { SingleFlight } from "./single-flight.ts";

/** Something that is worked out of a revision and remembered: its name, and about how many bytes one takes. */
export interface CacheKind<Value> {
  readonly name: string;
  readonly bytes: (value: Value) => number;
}

/**
 * What was worked out of revisions, bounded in bytes, whatever kind it is. Every key starts with the revision, so
 * nothing in it can be stale and nothing has to be thrown away.
 */
export class RevisionCache {
  readonly #entries: LRUCache<string, object>;
  readonly #underWay = new SingleFlight<object>();

  constructor(bytes: number) {
    this.#entries = new LRUCache({ maxSize: bytes });
  }

  get<Value extends object>(kind: CacheKind<Value>, at: Revision, key: string): Value | undefined {
    // A key begins with the name of its kind: what lies under it is of that kind.
    return this.#entries.get(keyOf(kind, at, key)) as Value | undefined;
  }

  keep<Value extends object>(kind: CacheKind<Value>, at: Revision, key: string, value: Value): void {
    const whole = keyOf(kind, at, key);
    this.#entries.set(whole, value, { size: 100 + 2 * whole.length + Math.ceil(kind.bytes(value)) });
  }

  /** What is remembered, or what `make` makes; it is made once, however many ask meanwhile. */
  async once<Value extends object>(
    kind: CacheKind<Value>,
    at: Revision,
    key: string,
    make: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.get(kind, at, key);
    if (known !== undefined) return known;
    const made = await this.#underWay.do(keyOf(kind, at, key), async () => {
      const value = await make();
      this.keep(kind, at, key, value);
      return value;
    });
    return made as Value;
  }

  /** Forgets everything: for those who measure what a first read costs. */
  clear(): void {
    this.#entries.clear();
  }

  /** About how many bytes are in use. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

function keyOf(
  { name }: { readonly name: string },
  { history, erasures, revision }: Revision,
  key: string,
): string {
  return `${name} ${history}.${erasures}.${revision}/${key}`;
}
