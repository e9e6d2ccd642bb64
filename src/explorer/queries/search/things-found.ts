import { idOf, kindOf } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { teamNodes } from "../../../store/directory/teams.ts";
import type { Reading } from "../../../store/reading.ts";
import { contentTitleKey, decodeContent, titleKeyOf } from "../../../store/schema/encoding.ts";
import { type Group, matches, queryOf } from "../../../store/schema/search-terms.ts";
import { inBlocks } from "../../../store/turns.ts";
import { siteNodes } from "../tree/sites.ts";
import { changedSince } from "./found-then.ts";
import { thingsMatching } from "./search-index.ts";

/** `position` sorts by kind, then title. */
export interface FoundThing {
  readonly kind: "collection" | "space" | "site" | "team";
  readonly id: string;
  readonly position: string;
}

const BLOCK = 1000;

const KIND: CacheKind<readonly FoundThing[]> = {
  name: "things-found",
  bytes: (found) => 100 + 200 * found.length,
};

type Titled = FoundThing & { readonly title: string };

/** How to read each group, in list order. The positions put collections before spaces, sites and teams. */
const GROUPS: readonly (readonly [
  Group,
  (reading: Reading, things: readonly string[]) => Promise<readonly Titled[]>,
])[] = [
  [
    "content",
    async (reading, things) => {
      const keys = things.map(decodeContent);
      // The result also has ancestors of the requested contents.
      const loaded = await contents(reading, keys);
      return keys
        .flatMap((key) => loaded.get(key) ?? [])
        .map(({ content, title }) => ({
          kind: kindOf(content),
          id: idOf(content),
          title,
          position: contentTitleKey(content, title),
        }));
    },
  ],
  [
    "site",
    async (reading, things) =>
      [...(await siteNodes(reading, things.map(idIn))).values()].map(({ kind, id, title }) => ({
        kind,
        id,
        title,
        position: `2${titleKeyOf(title, id)}`,
      })),
  ],
  [
    "team",
    async (reading, things) =>
      [...(await teamNodes(reading, things.map(idIn))).values()].map(({ kind, id, title }) => ({
        kind,
        id,
        title,
        position: `3${titleKeyOf(title, id)}`,
      })),
  ],
];

function idIn(thing: string): string {
  return thing.slice(thing.indexOf("/") + 1);
}

/** The contents, sites and teams whose title matches a text, sorted by kind, title and id. Cached per revision. */
export function thingsFound(reading: Reading, text: string): Promise<readonly FoundThing[]> {
  const query = queryOf(text);
  return reading.cache.once(KIND, reading.at, query.text, async () => {
    const found: FoundThing[] = [];
    for (const [group, read] of GROUPS) {
      const things = new Set(await thingsMatching(reading, group, query, Number.POSITIVE_INFINITY));
      // The index has the titles of the last revision of the generation. At an earlier revision, everything that
      // changed since may have had another title, and is compared too.
      for (const thing of await changedSince(reading, group, Number.MAX_SAFE_INTEGER)) things.add(thing);
      for await (const block of inBlocks([...things], BLOCK)) {
        for (const { title, ...thing } of await read(reading, block))
          if (matches([title], query)) found.push(thing);
      }
    }
    return found.sort((a, b) => compareIds(a.position, b.position));
  });
}
