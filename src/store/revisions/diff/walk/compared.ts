import { chunkOf, slotOf } from "../../../../sets/position.ts";
import type { Words } from "../../../../sets/words.ts";
import { type Forest, forestOf, type Sides } from "../contents/forest.ts";
import type { AccessChanges } from "../log/access-changes.ts";
import { Alignment } from "./alignment.ts";
import { type Plan, planOf, positionsOf } from "./plan.ts";
import { slotsByChunk } from "./slots.ts";

export interface Compared {
  readonly forest: Forest;
  readonly alignment: Alignment;
  readonly plan: Plan;
  readonly apart: ReadonlyMap<number, Words>;
}

/** Plans the comparison of all users except those in `changes.people` and in `apart`. */
export async function prepare(
  sides: Sides,
  changes: AccessChanges,
  apart: readonly string[],
): Promise<Compared> {
  const forest = await forestOf(sides, changes);
  const alignment = await Alignment.of(sides);
  const plan = await planOf(sides, changes, forest, alignment);
  const people = [...changes.people.keys(), ...apart];
  const { before, after } = sides;
  const positions = [...(await positionsOf(after, people)).values()];
  // In the same generation, users who left keep their position, and its slot is never reused.
  if (before.generation === after.generation) {
    positions.push(...(await positionsOf(before, people)).values());
  }
  const slots = slotsByChunk(positions.map((each) => [chunkOf(each), slotOf(each)]));
  return { alignment, plan, forest, apart: slots };
}
