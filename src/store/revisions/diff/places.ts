/** Reads titles and paths of contents. */
import type { ContentKey } from "../../../domain/content.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import type { Sides } from "./forest.ts";

export interface Place {
  readonly title: string;
  /** Titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
}

interface Named {
  readonly title: string;
  readonly parent: ContentKey | undefined;
}

const NAMED = statement<[id: string, parent: string | null, title: string]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value`,
    )}`,
);

/** Titles and paths of some contents, from the later side or, if missing there, from the earlier one. */
export async function placesOf(
  { before, after }: Sides,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, Place>> {
  const found = new Map<ContentKey, Place>();
  for (const reading of [after, before]) {
    const missing = keys.filter((key) => !found.has(key));
    const named = await withAllAbove(reading, missing);
    for (const key of missing) {
      const content = named.get(key);
      if (content === undefined) continue;
      const path: string[] = [];
      for (let above = content.parent; above !== undefined; above = named.get(above)?.parent) {
        path.unshift(named.get(above)?.title ?? above);
      }
      found.set(key, { title: content.title, path });
    }
  }
  return found;
}

/** Some contents of a reading with all their ancestors. */
async function withAllAbove(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<ReadonlyMap<ContentKey, Named>> {
  const found = new Map<ContentKey, Named>();
  for (let wanted = new Set(keys); wanted.size > 0;) {
    const rows = await reading.read(NAMED, ...reading.asOf, [...wanted]);
    wanted = new Set();
    for (const [id, parent, title] of rows) {
      found.set(decodeContent(id), { title, parent: parent === null ? undefined : decodeContent(parent) });
    }
    for (const [, parent] of rows) {
      if (parent !== null && !found.has(decodeContent(parent))) wanted.add(decodeContent(parent));
    }
  }
  return found;
}
