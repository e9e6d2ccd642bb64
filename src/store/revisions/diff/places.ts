import type { ContentKey } from "../../../domain/content.ts";
import { chainOf, chains } from "../../directory/ancestors.ts";
import type { Sides } from "./forest.ts";

/** What a content is called, and where it lies. */
export interface Place {
  readonly title: string;
  /** Titles of the collections above it, topmost first. */
  readonly path: readonly string[];
}

/** Where some contents lie at the later side, or else where they lay. */
export async function placesOf(
  { before, after }: Sides,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, Place>> {
  const found = new Map<ContentKey, Place>();
  for (const reading of [after, before]) {
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length === 0) break;
    const loaded = await chains(reading, missing);
    for (const key of missing) {
      const content = loaded.get(key);
      if (content === undefined) continue;
      const [, ...above] = chainOf(content, loaded);
      found.set(key, { title: content.title, path: above.map(({ title }) => title).toReversed() });
    }
  }
  return found;
}
