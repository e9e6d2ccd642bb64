import { compareIds } from "../domain/order.ts";
import { type Facts, headedMembers, namedMembers } from "./candidates.ts";
import { statement } from "./engine.ts";
import { firstOf, type Head, type Heads, headsOf, MEMBER_LISTS, mergeHeads } from "./heads.ts";
import type { Plan } from "./plan.ts";
import type { Reading } from "./reading.ts";
import type { Posting } from "./target.ts";

const MEMBERS: Heads = {
  statement: statement((dialect) => `SELECT list.value, head.value FROM ${headsOf(dialect, MEMBER_LISTS)}`),
  compare: compareIds,
};

/** The plan for content that only those come into who were given something: takes the members of its sources. */
export function merge(reading: Reading, postings: readonly Posting[], facts: Facts): Plan {
  const names = postings.map(({ key }) => key);
  return async (after, size) => {
    if (!reading.distant && names.length <= FEW_LISTS) {
      const { keys, upTo } = await headByHead(reading, postings, after, size);
      return { candidates: await namedMembers(reading, keys, facts), upTo };
    }
    const share = shareOf(postings, size);
    if (reading.distant && names.length > 0) {
      const [{ keys, upTo }, members] = await Promise.all([
        mergeHeads(reading, MEMBERS, names, share, after, size),
        headedMembers(reading, names, after, share, size, facts),
      ]);
      const complete = new Set(keys);
      return { candidates: members.filter(({ id }) => complete.has(id)), upTo };
    }
    const { keys, upTo } = await mergeHeads(reading, MEMBERS, names, share, after, size);
    return { candidates: await namedMembers(reading, keys, facts), upTo };
  };
}

/** So many lists are read by a statement each, where a read is no wait: as many of each as it is expected to give. */
const FEW_LISTS = 16;

const HEAD = statement<[member: string]>(
  () =>
    "SELECT member FROM posting WHERE snapshot = $1 AND source = $2 AND member > $3 ORDER BY member LIMIT $4",
);

/** As {@link mergeHeads}, with a share for each list by its own size. */
async function headByHead(
  reading: Reading,
  postings: readonly Posting[],
  after: string,
  size: number,
): Promise<{ keys: string[]; upTo: string | undefined }> {
  const all = postings.reduce((sum, posting) => sum + posting.size, 0);
  const heads: Head[] = [];
  for (const { key, size: own } of postings) {
    const share = shareFor(own, all, size);
    const rows = await reading.read(HEAD, reading.snapshot, key, after, share);
    heads.push({ share, entries: rows.map(([member]) => member) });
  }
  return firstOf(heads, compareIds, size);
}

/** How many to read of each list so that about `size` come out of all: what the largest is expected to give. */
function shareOf(postings: readonly Posting[], size: number): number {
  const sizes = postings.map((posting) => posting.size);
  return shareFor(
    Math.max(...sizes),
    sizes.reduce((sum, each) => sum + each, 0),
    size,
  );
}

/**
 * How many to read of a list of `own` entries so that about `size` come out of lists of `all`: its part of them, with
 * three standard deviations to spare. The caller asks again where that was not enough.
 */
function shareFor(own: number, all: number, size: number): number {
  const expected = (size * own) / all;
  return Math.min(size, Math.ceil(expected + 3 * Math.sqrt(expected) + 3));
}
