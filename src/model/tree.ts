/** The order of contents: depth first, those of one collection in the order of their keys. */

export interface Tree {
  /** The number of each content, by its place in the order of keys. */
  readonly byKey: Uint32Array;
  /** The number of the collection around it, or -1, by number. */
  readonly parents: Int32Array;
  /** What is inside content `x` are the contents after `x` up to `ends[x]`. */
  readonly ends: Uint32Array;
}

/** How many contents are looked at until others get a turn. */
const CONTENTS_A_TURN = 5_000;

/** Numbers contents, whose parents are given by places in the order of keys; -1 for none. Throws if they are a cycle. */
export function* depthFirst(parentOf: Int32Array): Generator<void, Tree> {
  const count = parentOf.length;
  // The children of a content are a linked list: the first one, and of each content the next one.
  const first = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  let root = -1;
  for (let at = count - 1; at >= 0; at--) {
    const parent = parentOf[at] ?? -1;
    if (parent < 0) [next[at], root] = [root, at];
    else [next[at], first[parent]] = [first[parent] ?? -1, at];
    if (at % CONTENTS_A_TURN === 0) yield;
  }
  const byKey = new Uint32Array(count);
  const parents = new Int32Array(count);
  const ends = new Uint32Array(count);
  let length = 0;
  for (let at = root; at >= 0;) {
    const parent = parentOf[at] ?? -1;
    byKey[at] = length;
    parents[length] = parent < 0 ? -1 : (byKey[parent] ?? -1);
    if (++length % CONTENTS_A_TURN === 0) yield;
    let down = first[at] ?? -1;
    // Upwards, until there is a next one beside.
    for (; down < 0 && at >= 0; at = parentOf[at] ?? -1) {
      ends[byKey[at] ?? 0] = length;
      down = next[at] ?? -1;
    }
    at = down;
  }
  if (length < count) throw new Error("A collection is inside itself.");
  return { byKey, parents, ends };
}
