const FIRST_SIZE = 1024;

/**
 * Very many short lists of positions. All lists share two typed arrays, because an array for each list takes ten times
 * the memory. A list is the number of its last entry; 0 is the empty list.
 */
export class PositionLists {
  #positions = new Uint32Array(FIRST_SIZE);
  /** For each entry, the number of the entry before it in its list. */
  #before = new Uint32Array(FIRST_SIZE);
  #next = 1;

  /** Adds a position to a list, and returns the list with it. */
  add(list: number, position: number): number {
    if (this.#next === this.#positions.length) this.#grow();
    this.#positions[this.#next] = position;
    this.#before[this.#next] = list;
    return this.#next++;
  }

  /** The positions of a list, in the order in which they were added. */
  positionsOf(list: number): number[] {
    const positions: number[] = [];
    for (let entry = list; entry !== 0; entry = this.#before[entry] ?? 0) {
      positions.push(this.#positions[entry] ?? 0);
    }
    return positions.toReversed();
  }

  /** Whether a list has more than `limit` positions. */
  isLonger(list: number, limit: number): boolean {
    let entry = list;
    for (let seen = 0; seen < limit && entry !== 0; seen++) entry = this.#before[entry] ?? 0;
    return entry !== 0;
  }

  #grow(): void {
    const size = 2 * this.#positions.length;
    const [positions, before] = [this.#positions, this.#before];
    this.#positions = new Uint32Array(size);
    this.#positions.set(positions);
    this.#before = new Uint32Array(size);
    this.#before.set(before);
  }
}
