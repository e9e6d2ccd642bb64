/** Random numbers from 0 to 1 by a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Shuffles items by a seed (Fisher and Yates). Seed 0 keeps the order, so that counterexamples shrink towards a sorted
 * file.
 */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  if (seed === 0) return [...items];
  const random = randomOf(seed);
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}
