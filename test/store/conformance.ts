import { describe } from "vitest";
import type { OpenPlace } from "../world.ts";
import { exerciseListings } from "./listings.ts";

/** Everything that a store must do, as a function of how one is opened. */
export function exerciseStore(open: OpenPlace): void {
  describe("listings", () => exerciseListings(open));
}
