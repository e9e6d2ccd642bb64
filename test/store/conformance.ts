import { describe } from "vitest";
import type { OpenPlace } from "../world.ts";
import { exerciseImports } from "./imports.ts";
import { exerciseListings } from "./listings.ts";
import { exercisePlans } from "./plans.ts";

/** Everything that a store must do, as a function of how one is opened. */
export function exerciseStore(open: OpenPlace): void {
  describe("listings", () => exerciseListings(open));
  describe("imports", () => exerciseImports(open));
  describe("plans", () => exercisePlans(open));
}
