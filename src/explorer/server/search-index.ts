/**
 * The sets of members and spaces that match a text, for lists that are painted. A `thing` is a member by id, or a content
 * by key.
 */
import { matches, queryOf, type SearchQuery } from "../../domain/search.ts";
import { keyOf, memberId } from "../../model/model.ts";
import { numbersMatching } from "../../model/names.ts";
import type { SmallHead } from "../../sets/head.ts";
import type { CacheKind } from "../../store/cache.ts";
import { statement } from "../../store/engine/engine.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { holds, memberDoc } from "../../store/schema/as-of.ts";
import { MEMBERS, SPACES, type Universe } from "../../store/schema/set-names.ts";
import { inBlocks, workInTurns } from "../../store/turns.ts";

/** The things that match a query; `undefined` if they are more than `most`. */
async function thingsMatching(
  reading: Reading,
  universe: Universe,
  query: SearchQuery,
  most: number,
): Promise<readonly string[] | undefined> {
  const model = await modelOf(reading);
  const kind = universe === MEMBERS ? "member" : "content";
  const found = await workInTurns(numbersMatching(model, kind, query));
  if (found.length > most) return undefined;
  return Array.from(found, (number) => (kind === "member" ? memberId(model, number) : keyOf(model, number)));
}

const THINGS_PER_READ = 1000;

const KIND: CacheKind<SmallHead> = {
  name: "named",
  bytes: ({ positions }) => 100 + 4 * positions.length,
};

/**
 * A position and its searchable text. The text is compared with the query, because the index also has members and
 * spaces that match only at another revision.
 */
type TextRow = [position: number, text: string];

const MEMBER_ROWS = statement<TextRow>(
  ({ texts }) => `
    SELECT m.position, ${memberDoc("m")} FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);
const SPACE_ROWS = statement<TextRow>(
  ({ texts }) => `
    SELECT c.position, c.title FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const UNIVERSES = {
  [MEMBERS]: {
    rows: MEMBER_ROWS,
    textsOf(document: string): string[] {
      const { displayName, email }: { displayName: string; email?: string } = JSON.parse(document);
      return email === undefined ? [displayName] : [displayName, email];
    },
  },
  [SPACES]: {
    rows: SPACE_ROWS,
    textsOf: (title: string) => [title],
  },
} as const;

/** The set of everything that matches `text`, if it is in the cache. */
export function knownMatching(reading: Reading, universe: Universe, text: string): SmallHead | undefined {
  return reading.cache.get(KIND, reading.at, `${universe}/${queryOf(text).text}`);
}

/** The set of everything that matches `text`; `undefined` if more than `most` things do. */
export async function positionsMatching(
  reading: Reading,
  universe: Universe,
  text: string,
  most = Number.POSITIVE_INFINITY,
): Promise<SmallHead | undefined> {
  const query = queryOf(text);
  const known = knownMatching(reading, universe, text);
  if (known !== undefined) return known;
  const things = await thingsMatching(reading, universe, query, most);
  if (things === undefined) return undefined;
  return reading.cache.once(KIND, reading.at, `${universe}/${query.text}`, () =>
    headOf(reading, universe, query, things),
  );
}

async function headOf(
  reading: Reading,
  universe: Universe,
  query: SearchQuery,
  things: readonly string[],
): Promise<SmallHead> {
  const { rows, textsOf } = UNIVERSES[universe];
  const found: number[] = [];
  for await (const block of inBlocks(things, THINGS_PER_READ)) {
    for (const [position, text] of await reading.read(rows, ...reading.asOf, block)) {
      if (matches(textsOf(text), query)) found.push(position);
    }
  }
  return { positions: Uint32Array.from(found).sort() };
}
