/** Reads titles and paths of contents. */
import type { ContentKey } from "../../../../domain/content.ts";
import { statement } from "../../../engine/engine.ts";
import type { Reading } from "../../../reading.ts";
import { holds } from "../../../schema/as-of.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import type { Sides } from "./forest.ts";

export interface ContentName {
  readonly title: string;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
}

export interface Named {
  readonly title: string;
  readonly parent: ContentKey | undefined;
}

type Known = Pick<ReadonlyMap<ContentKey, Named>, "get">;
const NOTHING: Known = new Map<ContentKey, Named>();

const NAMED = statement<[id: string, parent: string | null, title: string]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value`,
    )}`,
);

/**
 * The titles and paths of contents at the later revision, or at the earlier one if a content is missing at the later.
 * `known` has contents of the later revision that were read before.
 */
export async function contentNames(
  { before, after }: Sides,
  keys: readonly ContentKey[],
  known: Known = NOTHING,
): Promise<ReadonlyMap<ContentKey, ContentName>> {
  const found = new Map<ContentKey, ContentName>();
  for (const reading of [after, before]) {
    const missing = keys.filter((key) => !found.has(key));
    const named = await withAllAbove(reading, missing, reading === after ? known : NOTHING);
    const paths = new Map<ContentKey, readonly string[]>();
    for (const key of missing) {
      const content = named.get(key);
      if (content !== undefined)
        found.set(key, { title: content.title, path: pathIn(named, content, paths) });
    }
  }
  return found;
}

/** The titles of a content's ancestors, topmost first. `paths` caches them by parent. */
function pathIn(
  named: Known,
  { parent }: Named,
  paths: Map<ContentKey, readonly string[]>,
): readonly string[] {
  if (parent === undefined) return [];
  const known = paths.get(parent);
  if (known !== undefined) return known;
  const above = named.get(parent);
  const path = [...(above === undefined ? [] : pathIn(named, above, paths)), above?.title ?? parent];
  paths.set(parent, path);
  return path;
}

/** Loads contents with all their ancestors. */
async function withAllAbove(
  reading: Reading,
  keys: readonly ContentKey[],
  known: Known,
): Promise<ReadonlyMap<ContentKey, Named>> {
  const found = new Map<ContentKey, Named>();
  const unknown: ContentKey[] = [];
  const climb = (key: ContentKey | undefined): void => {
    while (key !== undefined && !found.has(key)) {
      const named = known.get(key);
      if (named === undefined) {
        unknown.push(key);
        return;
      }
      found.set(key, named);
      key = named.parent;
    }
  };
  for (const key of keys) climb(key);
  while (unknown.length > 0) {
    const rows = await reading.read(NAMED, ...reading.asOf, [...new Set(unknown.splice(0))]);
    const parents = rows.map(([id, parent, title]) => {
      const above = parent === null ? undefined : decodeContent(parent);
      found.set(decodeContent(id), { title, parent: above });
      return above;
    });
    for (const parent of parents) climb(parent);
  }
  return found;
}
