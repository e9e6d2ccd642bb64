import { compareIds } from "../domain/order.ts";
import { type Facts, headedMembers, namedMembers } from "./candidates.ts";
import { type Statement, statement } from "./engine.ts";
import type { Plan } from "./plan.ts";
import type { Reading } from "./reading.ts";
import type { Posting } from "./target.ts";

/** How the first entries of several sorted lists are read, and which of two entries comes first. */
export interface Heads {
  /** Parameters: snapshot, names of the lists, the entry to start behind, how many of each list. */
  readonly statement: Statement<[list: string, entry: string]>;
  readonly compare: (a: string, b: string) => number;
}

const MEMBERS: Heads = {
  statement: statement(
    ({ texts, each }) => `
      SELECT wanted.value, head.value FROM ${texts("$2", "wanted")} ${each(
        `SELECT member FROM posting
          WHERE snapshot = $1 AND source = wanted.value AND member > $3 ORDER BY member LIMIT $4`,
        "member",
        "head",
      )}`,
  ),
  compare: compareIds,
};

/** The plan for content that only those come into who were given something: takes the members of its sources. */
export function merge(reading: Reading, postings: readonly Posting[], facts: Facts): Plan {
  const names = postings.map(({ key }) => key);
  return async (after, size) => {
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

/**
 * The next entries of several sorted lists, each once, in order; complete up to `upTo`, or to the end without one.
 * `share` is how many are read of each list.
 */
export async function mergeHeads(
  reading: Reading,
  heads: Heads,
  names: readonly string[],
  share: number,
  after: string,
  size: number,
): Promise<{ keys: string[]; upTo: string | undefined }> {
  if (names.length === 0) return { keys: [], upTo: undefined };
  const rows = await reading.read(heads.statement, reading.snapshot, names, after, share);
  const bound = completeUpTo(rows, share, heads.compare);
  const keys = [...new Set(rows.map(([, entry]) => entry))]
    .filter((key) => bound === undefined || heads.compare(key, bound) <= 0)
    .sort(heads.compare);
  return keys.length > size ? { keys: keys.slice(0, size), upTo: keys[size - 1] } : { keys, upTo: bound };
}

/**
 * How far the heads tell everything: a list that gave its whole share may go on behind its last entry, so the
 * nearest of those is the bound. A list that gave less has ended and bounds nothing.
 */
function completeUpTo(
  rows: readonly [list: string, entry: string][],
  share: number,
  compare: (a: string, b: string) => number,
): string | undefined {
  const heads = new Map<string, { read: number; last: string }>();
  for (const [list, entry] of rows) {
    const head = heads.get(list);
    const last = head === undefined || compare(entry, head.last) > 0 ? entry : head.last;
    heads.set(list, { read: (head?.read ?? 0) + 1, last });
  }
  let bound: string | undefined;
  for (const { read, last } of heads.values()) {
    if (read === share && (bound === undefined || compare(last, bound) < 0)) bound = last;
  }
  return bound;
}

/**
 * How many to read of each list so that about `size` come out of all. The largest list is expected to give its
 * part of them, with three standard deviations to spare; the caller asks again where that was not enough.
 */
function shareOf(postings: readonly Posting[], size: number): number {
  let largest = 0;
  let all = 0;
  for (const posting of postings) {
    largest = Math.max(largest, posting.size);
    all += posting.size;
  }
  const expected = (size * largest) / all;
  return Math.min(size, Math.ceil(expected + 3 * Math.sqrt(expected) + 3));
}
