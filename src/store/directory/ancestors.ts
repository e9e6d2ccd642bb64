import type { ContentKey } from "../../domain/content.ts";
import type { Content } from "./content.ts";
import { contents } from "./inheritance.ts";
import type { Reading } from "../reading.ts";

/**
 * Loads contents and all their ancestors, even those from which they do not inherit. Contents that do not exist are
 * absent from the result.
 */
export async function chains(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (let wanted = keys; wanted.length > 0;) {
    const loaded = await contents(reading, wanted);
    for (const [key, content] of loaded) found.set(key, content);
    const parents = new Set([...loaded.values()].flatMap(({ parent }) => parent ?? []));
    wanted = [...parents].filter((key) => !found.has(key));
  }
  return found;
}

/** A content, followed by all its ancestors, nearest first. `loaded` has all of them. */
export function chainOf(start: Content, loaded: ReadonlyMap<ContentKey, Content>): [Content, ...Content[]] {
  const chain: [Content, ...Content[]] = [start];
  for (let key = start.parent; key !== undefined;) {
    const level = loaded.get(key);
    if (level === undefined) throw new Error(`${key}, above ${start.content}, is not in the revision.`);
    chain.push(level);
    key = level.parent;
  }
  return chain;
}
