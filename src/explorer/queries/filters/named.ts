/** The members and spaces that match a text as in the search, as sets of positions. */
import type { Head } from "../../../sets/head.ts";
import { holds, memberDoc } from "../../../store/schema/as-of.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { changedSince } from "../search/found-then.ts";
import { thingsMatching } from "../search/search-index.ts";
import { MEMBERS, SPACES, type Universe } from "../../../store/schema/set-names.ts";
import { inBlocks } from "../../../store/turns.ts";
import { matches, type Query, queryOf } from "../../../store/schema/search-terms.ts";

const BLOCK = 1000;

/**
 * No limit: the index describes the last revision of the generation, so at an earlier revision, everything that changed
 * since must be read.
 */
const MOST_CHANGED = Number.MAX_SAFE_INTEGER;

type Positions = Extract<Head, { positions: unknown }>;

const KIND: CacheKind<Positions> = { name: "named", bytes: ({ positions }) => 100 + 4 * positions.length };

/**
 * A position and its searchable text. The text is compared with the query, because the index also has members and
 * spaces that match only at another revision.
 */
type Row = [position: number, text: string];

const MEMBER_ROWS = statement<Row>(
  ({ texts }) => `
    SELECT m.position, ${memberDoc("m")} FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);
const SPACE_ROWS = statement<Row>(
  ({ texts }) => `
    SELECT c.position, c.title FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const UNIVERSES = {
  [MEMBERS]: {
    group: "member",
    rows: MEMBER_ROWS,
    keyOf: (thing: string) => thing.slice("member/".length),
    textsOf(document: string): string[] {
      const { displayName, email }: { displayName: string; email?: string } = JSON.parse(document);
      return email === undefined ? [displayName] : [displayName, email];
    },
  },
  [SPACES]: {
    group: "content",
    rows: SPACE_ROWS,
    keyOf: (thing: string) => thing,
    textsOf: (title: string) => [title],
  },
} as const;

/** The set of everything that matches `text`, if it is in the cache. */
export function knownNamed(reading: Reading, universe: Universe, text: string): Positions | undefined {
  return reading.cache.get(KIND, reading.at, `${universe}/${queryOf(text).text}`);
}

/** The set of everything that matches `text`; `undefined` if the index has more than `most` entries for it. */
export async function named(
  reading: Reading,
  universe: Universe,
  text: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Positions | undefined> {
  const query = queryOf(text);
  const known = knownNamed(reading, universe, text);
  if (known !== undefined) return known;
  const things = await thingsMatching(reading, UNIVERSES[universe].group, query, most);
  if (things === undefined) return undefined;
  for (const thing of await changedSince(reading, UNIVERSES[universe].group, MOST_CHANGED)) things.add(thing);
  return reading.cache.once(KIND, reading.at, `${universe}/${query.text}`, () =>
    headOf(reading, universe, query, [...things]),
  );
}

async function headOf(
  reading: Reading,
  universe: Universe,
  query: Query,
  things: readonly string[],
): Promise<Positions> {
  const { rows, keyOf, textsOf } = UNIVERSES[universe];
  const found: number[] = [];
  for await (const block of inBlocks(things, BLOCK)) {
    for (const [position, text] of await reading.read(rows, ...reading.asOf, block.map(keyOf))) {
      if (matches(textsOf(text), query)) found.push(position);
    }
  }
  return { positions: Uint32Array.from(found).sort() };
}
