/** Spellings of an id: texts that equal the id except for the case of A to Z, in the order of their UTF-8 bytes. */
const CASE = 0x20;

/** The first spelling of an id that is equal to `floor` or greater; `undefined` if there is none. */
export function spellingFrom(id: string, floor: string): string | undefined {
  const letters = Buffer.from(id);
  const least = Buffer.from(floor);
  // The last index at which a spelling that equals the floor before it can have a greater byte.
  let exceeding: number | undefined;
  let same = 0;
  for (; same < letters.length; same++) {
    const bound = least[same];
    if (bound === undefined) return spelt(letters, least, same);
    const [upper, lower] = casesOf(letters[same] ?? 0);
    if (lower > bound) exceeding = same;
    if (upper !== bound && lower !== bound) break;
  }
  if (same === letters.length && same === least.length) return floor;
  if (exceeding === undefined) return undefined;
  const [upper, lower] = casesOf(letters[exceeding] ?? 0);
  const found = Buffer.from(spelt(letters, least, exceeding));
  found[exceeding] = upper > (least[exceeding] ?? 0) ? upper : lower;
  return found.toString();
}

/** The lowest spelling of `letters` that begins with the first `same` bytes of `begin`. */
function spelt(letters: Buffer, begin: Buffer, same: number): string {
  return Buffer.concat([
    begin.subarray(0, same),
    letters.subarray(same).map((letter) => casesOf(letter)[0]),
  ]).toString();
}

/** The upper and lower case of a byte; for a byte that is not a letter, the same byte as both. */
function casesOf(letter: number): readonly [upper: number, lower: number] {
  const upper = letter & ~CASE;
  return upper >= 0x41 && upper <= 0x5a ? [upper, upper | CASE] : [letter, letter];
}
