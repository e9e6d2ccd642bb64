/**
 * The items in another order, the same one for the same seed; seed 0 leaves them as they are, so that a
 * counterexample shrinks towards an orderly file. (mulberry32 and Fisher and Yates.)
 */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  if (seed === 0) return [...items];
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}
