import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { type Without, writeWithout } from "../../../domain/without.ts";
import type { CacheKind } from "../../cache/cache.ts";
import { descend } from "../../directory/below.ts";
import { contentTitleKey } from "../../schema/encoding.ts";
import { contents } from "../../directory/inheritance.ts";
import type { Reading } from "../../reading.ts";
import { setOn } from "./source.ts";

export interface Inheriting {
  readonly content: ContentKey;
  readonly title: string;
  /** The sort key in lists by title. */
  readonly position: string;
}

const KIND: CacheKind<readonly Inheriting[]> = {
  name: "inheriting",
  bytes: (found) =>
    found.reduce((sum, { content, position }) => sum + 150 + 2 * (content.length + 2 * position.length), 0),
};

/** The contents that inherit from a content, directly or through others. Empty for a space. */
async function inheritingFrom(reading: Reading, key: ContentKey): Promise<readonly Inheriting[]> {
  if (!key.startsWith("collection/")) return [];
  const found: Inheriting[] = [];
  for await (const some of descend(reading, key, true)) {
    for (const { content, title } of some)
      found.push({ content, title, position: contentTitleKey(content, title) });
  }
  return found;
}

/**
 * The contents that a source affects: those on which the source is set, and those that inherit from them. By title,
 * without duplicates.
 */
export function concernedBy(reading: Reading, without: Without): Promise<readonly Inheriting[]> {
  return reading.cache.once(KIND, reading.at, `without ${writeWithout(without)}`, async () => {
    const roots = await setOn(reading, without);
    const loaded = await contents(reading, roots);
    const found = new Map<ContentKey, Inheriting>();
    for (const root of roots) {
      // If an earlier root's contents include this root, they include everything that inherits from it, too.
      if (found.has(root)) continue;
      const title = loaded.get(root)?.title ?? "";
      found.set(root, { content: root, title, position: contentTitleKey(root, title) });
      for (const below of await inheritingFrom(reading, root)) found.set(below.content, below);
    }
    return [...found.values()].sort(byPlace);
  });
}

function byPlace({ position: a }: Inheriting, { position: b }: Inheriting): number {
  return compareIds(a, b);
}
