/** Caches ladders, so that one look-up returns all levels of a content's ladder. */
import type { ContentKey } from "../../domain/content.ts";
import type { CacheKind } from "../cache/cache.ts";
import type { Reading } from "../reading.ts";
import type { Content } from "./content.ts";

/** A content, then the ancestors from which it inherits, nearest first (contract, section 3). */
export type ContentLadder = readonly [Content, ...Content[]];

/** When the recent ladders reach this many bytes, they replace the older ones. */
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

  get bytes(): number {
    return 200 + this.#recentBytes + this.#olderBytes;
  }
}

const KIND: CacheKind<KnownLadders> = { name: "ladders", bytes: ({ bytes }) => bytes };

/** The cached ladders of a revision; empty if none are cached. Call {@link keepLadders} after adding ladders. */
export function knownLadders({ cache, at }: Reading): KnownLadders {
  return cache.get(KIND, at, "") ?? new KnownLadders();
}

/** Caches ladders again. Call it after adding ladders, so that the cache measures their size. */
export function keepLadders({ cache, at }: Reading, known: KnownLadders): void {
  cache.keep(KIND, at, "", known);
}
