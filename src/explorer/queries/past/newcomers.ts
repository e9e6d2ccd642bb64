/** The members or spaces that are new since a time, as sets that filter lists. */
import { type ContentKey, kindOf } from "../../../domain/content.ts";
import { ApiError } from "../../../domain/error.ts";
import { EMPTY, type Head } from "../../../sets/head.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Sides } from "../../../store/revisions/diff/forest.ts";
import { revisionsUpTo } from "../../../store/revisions/list.ts";
import { spacePositions } from "../filters/named.ts";
import { changedBetween } from "./changed.ts";
import { gainedBy } from "./of-member.ts";
import { gainedOn } from "./on-content.ts";
import { sidesOf } from "./sides.ts";

/** A head that lists positions, whatever their number. */
type Positions = Extract<Head, { positions: unknown }>;

const KIND: CacheKind<Positions> = {
  name: "newcomers",
  bytes: ({ positions }) => 100 + 4 * positions.length,
};

/** The members who have a role on a content and had none before a time (ISO 8601, UTC). */
export function newOn(reading: Reading, key: ContentKey, since: string): Promise<Head> {
  return newSince(reading, since, key, async (sides) => gainedOn(await changedBetween(sides), key));
}

/** The spaces on which a member has a role and had none before a time. */
export function newOf(reading: Reading, user: string, since: string): Promise<Head> {
  return newSince(reading, since, `member/${user}`, async (sides) => {
    const gained = await gainedBy(await changedBetween(sides), user);
    return spacePositions(
      reading,
      gained.filter((key) => kindOf(key) === "space"),
    );
  });
}

async function newSince(
  reading: Reading,
  since: string,
  name: string,
  positions: (sides: Sides) => Promise<readonly number[]>,
): Promise<Head> {
  const earlier = await revisionBefore(reading, since);
  if (earlier === reading.at.revision) return EMPTY;
  const sides = await sidesOf(reading, { earlier, later: reading.at.revision });
  return reading.cache.once(KIND, reading.at, `${name} ${earlier}`, async () => ({
    positions: Uint32Array.from(await positions(sides)).sort(),
  }));
}

/** The number of the revision before a time. Throws 400 if it is not readable. */
async function revisionBefore(reading: Reading, since: string): Promise<number> {
  const { organization, revision } = reading.at;
  const time = new Date(Date.parse(since) - 1).toISOString();
  const [found] = await revisionsUpTo(reading, organization, { time, below: revision + 1, limit: 1 });
  if (found !== undefined) return found.revision;
  throw new ApiError(
    "badRequest",
    `No revision from before ${since} is kept, so nobody can tell who is new since then.`,
  );
}
