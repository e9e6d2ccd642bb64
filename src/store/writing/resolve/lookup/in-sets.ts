import { addContainer } from "../../../../sets/container.ts";
import { positionAt } from "../../../../sets/position.ts";
import { noSlots, slotsFrom } from "../../../../sets/words.ts";
import type { Reading } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { headsOf, OF_SET } from "../../../sets/containers.ts";

/** The positions of all members of the given sets. A member of several sets occurs several times. */
export async function positionsIn(at: Reading, names: readonly string[]): Promise<number[]> {
  const positions: number[] = [];
  for (const [place, head] of (await headsOf(at, MEMBERS, names)).entries()) {
    if ("positions" in head) {
      for (const position of head.positions) positions.push(position);
      continue;
    }
    const name = names[place] ?? "";
    for (const [chunk, bits] of await at.read(OF_SET, ...at.asOf, MEMBERS, name, [...head.chunks])) {
      const words = noSlots();
      addContainer(words, bits);
      for (const slot of slotsFrom(words)) positions.push(positionAt(chunk, slot));
    }
  }
  return positions;
}
