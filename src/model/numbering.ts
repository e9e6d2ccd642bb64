/** The numbers of members, teams, contents or sites in the next model: most stay together, and only move. */

/** Stands for the number of what a state does not have. */
export const ABSENT = -1;

export interface Numbering {
  /** How many there are in the next model. */
  readonly count: number;
  /** What stays together, ascending by next number. What lies between two stretches is new. */
  readonly stretches: readonly Stretch[];
  /** The next number by number, or {@link ABSENT}; `undefined` if every number stays. */
  readonly now: Int32Array | undefined;
}

interface Stretch {
  readonly was: number;
  readonly now: number;
  readonly length: number;
}

export function unmoved(count: number): Numbering {
  return { count, stretches: [{ was: 0, now: 0, length: count }], now: undefined };
}

/** The next number of `number`, or {@link ABSENT}. */
export function nextOf({ now }: Numbering, number: number): number {
  return now === undefined ? number : (now[number] ?? ABSENT);
}

/**
 * The numbers after those that are `gone` have gone, and new ones have come before those at `places`. Both ascend;
 * `came` are the numbers of the new ones.
 */
export function merged(
  count: number,
  gone: readonly number[],
  places: readonly number[],
): Numbering & { readonly came: readonly number[] } {
  if (gone.length + places.length === 0) return { ...unmoved(count), came: [] };
  const now = new Int32Array(count).fill(ABSENT);
  const came: number[] = [];
  const stretches: Stretch[] = [];
  let [was, next] = [0, 0];
  const stayUpTo = (edge: number) => {
    if (edge > was) stretches.push({ was, now: next, length: edge - was });
    while (was < edge) now[was++] = next++;
  };
  for (let g = 0, c = 0; g < gone.length || c < places.length;) {
    const [leaver, place] = [gone[g] ?? count, places[c] ?? count];
    const isNew = c < places.length && place <= leaver;
    stayUpTo(isNew ? place : leaver);
    if (isNew) c = came.push(next++);
    else {
      was++;
      g++;
    }
  }
  stayUpTo(count);
  return { count: next, stretches, now, came };
}

/** Numbers in another order: `was` are the numbers before by next number, or {@link ABSENT}. */
export function permuted(was: Int32Array, count: number): Numbering {
  const now = new Int32Array(count).fill(ABSENT);
  const stretches: Stretch[] = [];
  for (let at = 0; at < was.length;) {
    const first = was[at] ?? ABSENT;
    const begin = at++;
    if (first === ABSENT) continue;
    while (at < was.length && was[at] === first + at - begin) at++;
    stretches.push({ was: first, now: begin, length: at - begin });
    for (let i = begin; i < at; i++) now[first + i - begin] = i;
  }
  return { count: was.length, stretches, now };
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** What `column` has by number, by next number and with `values`; `column` itself if nothing differs. */
export function renumbered<T extends Column>(
  column: T,
  { now: isMoved, count, stretches }: Numbering,
  make: new (length: number) => T,
  values: ReadonlyMap<number, number> = new Map(),
): T {
  if (isMoved === undefined && values.size === 0) return column;
  const next = new make(count);
  for (const { was, now, length } of stretches) next.set(column.subarray(was, was + length), now);
  for (const [at, value] of values) next.fill(value, at, at + 1);
  return next;
}

/** As {@link renumbered}, of texts. */
export function renumberedTexts(
  texts: readonly string[],
  { now: isMoved, count, stretches }: Numbering,
  values: ReadonlyMap<number, string>,
): readonly string[] {
  if (isMoved === undefined && values.size === 0) return texts;
  const next = Array.from({ length: count }, () => "");
  for (const { was, now, length } of stretches)
    for (let i = 0; i < length; i++) next[now + i] = texts[was + i] ?? "";
  for (const [at, value] of values) next[at] = value;
  return next;
}
