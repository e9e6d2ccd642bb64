import { positionAt } from "../../../sets/position.ts";
import { holds } from "../../../store/schema/as-of.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { chunksOf } from "../../../store/sets/chunks.ts";
import { statement } from "../../../store/engine/engine.ts";
import { spaceOfKey } from "../../../store/schema/encoding.ts";
import type { Reading } from "../../../store/reading.ts";
import { SPACES } from "../../../store/schema/set-names.ts";
import { inTurns } from "../../../store/turns.ts";

export interface DeletedSpaces {
  readonly head: { readonly positions: Uint32Array };
  /** Deletion times by space id. */
  readonly dates: ReadonlyMap<string, string>;
}

const KIND: CacheKind<DeletedSpaces> = {
  name: "deleted-spaces",
  bytes: ({ dates }) => 200 + 150 * dates.size,
};

const MARKED = statement<[position: number, key: string, text: string]>(
  () => `
    SELECT s.position, s.key, s.doc FROM space s
      WHERE ${holds("s")} AND s.position >= $3 AND s.position < $4 AND s.doc LIKE '%"deletedAt":%'
      ORDER BY s.position`,
);

export function deletedSpaces(reading: Reading): Promise<DeletedSpaces> {
  return reading.cache.once(KIND, reading.at, "", async () => {
    const positions: number[] = [];
    const dates = new Map<string, string>();
    for await (const { number } of inTurns(await chunksOf(reading, SPACES))) {
      const [from, to] = [positionAt(number, 0), positionAt(number + 1, 0)];
      for (const [position, key, text] of await reading.read(MARKED, ...reading.asOf, from, to)) {
        // The text may also occur in a title, so the condition above is only a preselection.
        const { deletedAt }: { deletedAt?: string } = JSON.parse(text);
        if (deletedAt === undefined) continue;
        positions.push(position);
        dates.set(spaceOfKey(key), deletedAt);
      }
    }
    return { head: { positions: Uint32Array.from(positions).sort() }, dates };
  });
}
