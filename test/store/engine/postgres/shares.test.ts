import { expect, test } from "vitest";
import { type Place, Shares } from "../../../../src/store/engine/postgres/pool.ts";

/** The longest wait for a connection, in milliseconds. */
const PATIENCE = 5;

/** Enters for each node in turn, and returns the places of those that need not wait for long. */
async function enterAll(shares: Shares, nodes: readonly string[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const node of nodes) {
    const place = await shares.enter(node).catch(() => undefined);
    if (place !== undefined) places.push(place);
  }
  return places;
}

test("a node has four fifths of the connections; nodes that were late share a quarter until one answers", async () => {
  const shares = new Shares(10, PATIENCE);
  const first = await enterAll(
    shares,
    Array.from({ length: 10 }, () => "a"),
  );
  expect(first).toHaveLength(8);
  const [late] = await enterAll(shares, ["b"]);
  // A statement that waits for the share when the node turns out to be late waits for the quarter then.
  const waiting = enterAll(shares, ["a"]);
  for (const place of [...first, late]) {
    place?.late();
    place?.leave();
  }
  expect(await waiting).toHaveLength(1);
  expect(await enterAll(shares, ["a", "b", "a"])).toHaveLength(1);
  expect(await enterAll(shares, ["c", "c", "c"])).toHaveLength(3);
  late?.answered();
  expect(await enterAll(shares, ["b", "b", "a"])).toHaveLength(2);
});
