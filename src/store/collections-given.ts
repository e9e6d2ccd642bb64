import { posting } from "./codes.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

const GIVEN = statement<[collection: string]>(
  () => `
    SELECT c.collection FROM collection_posting c WHERE c.snapshot = $1 AND c.source = $2
    UNION
    SELECT c.collection FROM member_team mt CROSS JOIN collection_posting c
      WHERE mt.snapshot = $1 AND mt.member = $3 AND c.snapshot = $1 AND c.source = 'team/' || mt.team`,
);

/** The collections that a member or a team of theirs was given. */
export async function collectionsGivenTo(reading: Reading, member: string): Promise<readonly string[]> {
  const known = reading.cache.collectionsGiven(reading.at, member);
  if (known !== undefined) return known;
  const rows = await reading.read(GIVEN, reading.snapshot, posting.user(member), member);
  const collections = rows.map(([collection]) => collection);
  reading.cache.keepCollectionsGiven(reading.at, member, collections);
  return collections;
}
