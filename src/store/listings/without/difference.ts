/** The difference between the roles on a content with and without one source of access. */
import type { ContentKey } from "../../../domain/content.ts";
import { ROLES } from "../../../domain/role.ts";
import { ladderWithout, type Without, writeWithout } from "../../../domain/without.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { removeSlot, type Words } from "../../../sets/words.ts";
import type { CacheKind } from "../../cache/cache.ts";
import { chainOf, chains } from "../../directory/ancestors.ts";
import { ladderOf } from "../../directory/inheritance.ts";
import { AccessDifference, type ChunkCounts, type Side } from "../access-query/difference-of.ts";
import { type AccessQuery, openQuery } from "../access-query/query.ts";
import { ofTeam, onContent } from "../access-query/subject.ts";
import { memberOf } from "../../directory/members.ts";
import type { Reading } from "../../reading.ts";
import { memberSets } from "../../schema/set-names.ts";

/** The cached part of a difference: the query without the source, and the counts of the chunks compared so far. */
interface Known {
  readonly query: AccessQuery;
  readonly counts: ChunkCounts;
}

const KIND: CacheKind<Known> = { name: "without", bytes: ({ query }) => 50_000 + query.bytes };

/** The difference on a content; `undefined` if the content does not exist. */
export async function differenceWithout(
  reading: Reading,
  key: ContentKey,
  without: Without,
): Promise<AccessDifference | undefined> {
  const loaded = await chains(reading, [key]);
  const start = loaded.get(key);
  const query = start && (await onContent(reading, key));
  if (start === undefined || query === undefined) return undefined;
  const known = await reading.cache.once(KIND, reading.at, `${key} ${writeWithout(without)}`, async () => ({
    query: openQuery([ladderWithout(chainOf(start, loaded), without)]),
    counts: new Map(),
  }));
  const before: Side = { reading, query };
  const after: Side = { reading, query: known.query };
  const within = (isThere: (chunk: number) => boolean, leftOut: Side = after) =>
    new AccessDifference(before, leftOut, isThere, known.counts);

  if ("content" in without && !ladderOf(start, loaded).some(({ content }) => content === without.content)) {
    return within(() => false);
  }
  if (without.of === "default") return within(() => true);
  if (without.of !== "user") {
    const sets = await ofTeam(reading, without.team).sets.open(reading);
    return within((chunk) => sets.has(chunk));
  }
  const position = (await memberOf(reading, without.user))?.position ?? -1;
  const isTheirs = (chunk: number) => chunk === chunkOf(position);
  const indexes = ROLES.map((role) => known.query.sets.indexOf(memberSets.given(without.content, role)));
  const amend = (chunk: number, sets: (Words | undefined)[]) => {
    if (!isTheirs(chunk)) return;
    for (const index of indexes) {
      const words = index === undefined ? undefined : sets[index];
      if (words !== undefined) removeSlot(words, slotOf(position));
    }
  };
  return within(isTheirs, { ...after, amend });
}
