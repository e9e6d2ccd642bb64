/** Numbers in an order. */

/** How many numbers are sorted or merged until others get a turn: a millisecond or two. */
const NUMBERS_A_TURN = 1_000;

/** Sorts in turns. Equal numbers keep their order. */
export function* sortedInTurns(
  numbers: Uint32Array,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array> {
  let from = numbers.slice();
  for (let at = 0; at < from.length; at += NUMBERS_A_TURN) {
    from.subarray(at, at + NUMBERS_A_TURN).sort(compare);
    yield;
  }
  let to = new Uint32Array(from.length);
  for (let width = NUMBERS_A_TURN; width < from.length; width *= 2) {
    for (let begin = 0; begin < from.length; begin += 2 * width) {
      const middle = Math.min(begin + width, from.length);
      const end = Math.min(middle + width, from.length);
      for (let [left, right, at] = [begin, middle, begin]; at < end; at++) {
        const [a, b] = [from[left] ?? 0, from[right] ?? 0];
        const isLeft = right >= end || (left < middle && compare(a, b) <= 0);
        to[at] = isLeft ? a : b;
        if (isLeft) left++;
        else right++;
        if (at % NUMBERS_A_TURN === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
