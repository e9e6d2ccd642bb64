/** Sorted lists in the database, and what the first entries of several of them tell about all. */
import type { Dialect, Statement } from "./engine.ts";
import type { Reading } from "./reading.ts";

/** Whether a listing goes up or down. */
export type Order = "asc" | "desc";

/** How entries that lie behind another one compare with it. */
export const BEHIND: Readonly<Record<Order, string>> = { asc: ">", desc: "<" };

/** A table of sorted lists, and the column that they are sorted by. */
export interface Lists {
  readonly table: string;
  readonly entry: string;
}

export const MEMBER_LISTS: Lists = { table: "posting", entry: "member" };
export const SPACE_LISTS: Lists = { table: "space_posting", entry: "position" };

/**
 * A FROM item: the first entries of several lists, `list.value` with `head.value`. Parameters: `$1` the snapshot, `$2`
 * the names of the lists, `$3` the entry to start behind, `$4` how many of each list.
 */
export function headsOf({ texts, each }: Dialect, { table, entry }: Lists, order: Order = "asc"): string {
  return `${texts("$2", "list")} ${each(
    `SELECT ${entry} FROM ${table}
      WHERE snapshot = $1 AND source = list.value AND ${entry} ${BEHIND[order]} $3 ORDER BY ${entry} ${order} LIMIT $4`,
    entry,
    "head",
  )}`;
}

/** How the first entries of several sorted lists are read, and which of two entries comes first. */
export interface Heads {
  /** With the parameters of {@link headsOf}. */
  readonly statement: Statement<[list: string, entry: string]>;
  readonly compare: (a: string, b: string) => number;
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
  const found = new Map<string, Head>();
  for (const [list, entry] of rows) {
    const head = found.get(list);
    if (head === undefined) found.set(list, { share, entries: [entry] });
    else head.entries.push(entry);
  }
  return firstOf([...found.values()], heads.compare, size);
}

/** What was read of one list: its first entries, in whatever order, and how many were asked for. */
export interface Head {
  readonly share: number;
  readonly entries: string[];
}

/**
 * The first `size` entries that some lists have together, as far as their heads tell everything: a list that gave its
 * whole share may go on behind its last entry, so the nearest of those is the bound. A list that gave less has ended
 * and bounds nothing.
 */
export function firstOf(
  heads: readonly Head[],
  compare: Heads["compare"],
  size: number,
): { keys: string[]; upTo: string | undefined } {
  let bound: string | undefined;
  for (const { share, entries } of heads) {
    if (entries.length < share) continue;
    const last = entries.reduce((a, b) => (compare(a, b) < 0 ? b : a));
    if (bound === undefined || compare(last, bound) < 0) bound = last;
  }
  const found = new Set(heads.flatMap(({ entries }) => entries));
  const keys = [...found].filter((key) => bound === undefined || compare(key, bound) <= 0).sort(compare);
  return keys.length > size ? { keys: keys.slice(0, size), upTo: keys[size - 1] } : { keys, upTo: bound };
}
