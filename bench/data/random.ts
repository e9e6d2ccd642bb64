/**
 * All random choices of the benchmark's data. There is no state: the choices for a record follow from (seed, kind,
 * index), so every record, id and special case can be computed by itself.
 */

/** The 32-bit finalizer of MurmurHash3: a bijection on unsigned 32-bit numbers. */
export function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A 32-bit hash of up to three numbers; for fixed `seed` and `kind` it is a bijection of `index`. */
export function hash(seed: number, kind: number, index: number): number {
  return mix(mix(mix(seed) ^ kind) ^ index);
}

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

/** The generator mulberry32 (Tommy Ettinger, public domain): 32 bits of state, period 2^32. */
export function mulberry32(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random element of `list`, which must not be empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new RangeError("pick from an empty list");
  return found;
}

/**
 * A pseudo-random permutation of 0 … size - 1 that needs no memory: a Feistel network of four rounds over the next even
 * number of bits, applied again until the result is below `size`. So the images of 0 … k - 1 are k distinct random
 * numbers.
 */
export function permutation(size: number, key: number): (index: number) => number {
  let half = 1;
  while (4 ** half < size) half += 1;
  const mask = 2 ** half - 1;
  const keys = [hash(key, 1, 0), hash(key, 2, 0), hash(key, 3, 0), hash(key, 4, 0)];
  return (index) => {
    let value = index;
    do {
      let left = value >>> half;
      let right = value & mask;
      for (const round of keys) {
        const next = left ^ (mix(right ^ round) & mask);
        left = right;
        right = next;
      }
      value = ((left << half) | right) >>> 0;
    } while (value >= size);
    return value;
  };
}

/**
 * Splits `total` into whole numbers in proportion to `weights`, none above `most`. Each number is the step of the
 * rounded running sum; what exceeds `most` goes to the next numbers with room.
 */
export function share(total: number, weights: Float64Array, most: number): Uint32Array {
  let sum = 0;
  for (const weight of weights) sum += weight;
  const counts = new Uint32Array(weights.length);
  let running = 0;
  let given = 0;
  for (let i = 0; i < weights.length; i += 1) {
    const weight = weights[i] ?? 0;
    if (weight === 0) continue;
    running += weight;
    const wanted = Math.round((running / sum) * total) - given;
    counts[i] = Math.min(wanted, most);
    given += counts[i] ?? 0;
  }
  for (let i = 0; i < counts.length && given < total; i += 1) {
    if ((weights[i] ?? 0) === 0) continue;
    const more = Math.min(most - (counts[i] ?? 0), total - given);
    counts[i] = (counts[i] ?? 0) + more;
    given += more;
  }
  if (given !== total) throw new RangeError(`${total} cannot be shared out with at most ${most} each`);
  return counts;
}
