import type { TwoReadings } from "../../../store/revisions/diff/log.ts";
import { memberOf } from "../../../store/directory/members.ts";
import { accessOf } from "../../../store/listings/subject.ts";
import { nextHits, positionOf } from "../../../store/listings/walk.ts";
import type { Reading } from "../../../store/reading.ts";
import { spaceOfKey } from "../../../store/schema/encoding.ts";

/**
 * The positions, at the later revision, of spaces on which a member has a role at that revision and had none at the
 * earlier one.
 */
export async function gainedSpaces({ before, after }: TwoReadings, user: string): Promise<number[]> {
  const [had, has] = [await spacesOf(before, user), await spacesOf(after, user)];
  return [...has].flatMap(([id, position]) => (had.has(id) ? [] : [position]));
}

/** The positions of the spaces on which a user has a role, by space id. */
async function spacesOf(reading: Reading, user: string): Promise<ReadonlyMap<string, number>> {
  const member = await memberOf(reading, user);
  if (member === undefined) return new Map();
  const all = { count: Infinity, order: "asc", role: undefined } as const;
  const hits = await nextHits(reading, await accessOf(reading, member), undefined, all);
  return new Map(hits.map((hit) => [spaceOfKey(hit.chunk.keyAt(hit.place)), positionOf(hit)]));
}
