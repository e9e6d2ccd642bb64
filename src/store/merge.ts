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
  const found = new Set<string>();
  let bound: string | undefined;
  for (const posting of postings) {
    const share = shareFor(posting.size, all, size);
    const rows = await reading.read(HEAD, reading.snapshot, posting.key, after, share);
    for (const [member] of rows) found.add(member);
    // A list that gave less has ended and bounds nothing.
    const last = rows.length === share ? rows.at(-1)?.[0] : undefined;
    if (last !== undefined && (bound === undefined || compareIds(last, bound) < 0)) bound = last;
  }
  return firstOf(found, bound, compareIds, size);
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
  return firstOf(new Set(rows.map(([, entry]) => entry)), bound, heads.compare, size);
}

/** The first `size` of what was found up to the bound; without one, all of it. */
function firstOf(
  found: ReadonlySet<string>,
  bound: string | undefined,
  compare: Heads["compare"],
  size: number,
): { keys: string[]; upTo: string | undefined } {
  const keys = [...found].filter((key) => bound === undefined || compare(key, bound) <= 0).sort(compare);
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
