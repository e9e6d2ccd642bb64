/** Caches the ladders that were used last, so that one look-up returns all levels of a content. */
import type { ContentKey } from "../../domain/content.ts";
import type { CacheKind } from "../cache/cache.ts";
import type { Reading } from "../reading.ts";
import type { Content } from "./content.ts";

/** A content, then everything from which it inherits (contract, section 3). */
export type ContentLadder = readonly [Content, ...Content[]];

/** The cache has recent and older ladders. When the recent ones reach this many bytes, they replace the older ones. */
const RECENT_BYTES = 4 << 20;

class KnownLadders {
  #recent = new Map<ContentKey, ContentLadder>();
  #older: ReadonlyMap<ContentKey, ContentLadder> = new Map();
  #recentBytes = 0;
  #olderBytes = 0;

  get(key: ContentKey): ContentLadder | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.add(older);
    return older;
  }

  add(ladder: ContentLadder): void {
    const [{ content, teams }] = ladder;
    this.#recent.set(content, ladder);
    this.#recentBytes += 600 + 60 * teams.size;
    if (this.#recentBytes < RECENT_BYTES) return;
    this.#older = this.#recent;
    this.#olderBytes = this.#recentBytes;
    this.#recent = new Map();
    this.#recentBytes = 0;
  }

  /** The approximate bytes in memory; increases with each added ladder. */
  get bytes(): number {
    return 200 + this.#recentBytes + this.#olderBytes;
  }
}

const KIND: CacheKind<KnownLadders> = { name: "ladders", bytes: ({ bytes }) => bytes };

/** The cached ladders of the revision; empty if none are cached. */
export function knownLadders({ cache, at }: Reading): KnownLadders {
  return cache.get(KIND, at, "") ?? new KnownLadders();
}

/** Caches the ladders from {@link knownLadders} again after some were added, because their size has changed. */
export function keepLadders({ cache, at }: Reading, known: KnownLadders): void {
  cache.keep(KIND, at, "", known);
}
