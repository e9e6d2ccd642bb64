import { expect, test } from "vitest";
import { fuzz } from "../hostile/fuzz.ts";
import { openTown } from "../hostile/town.ts";
import { tallied, writeFigures } from "./figures.ts";

/** Requests that nobody would send by hand, many of them. */

const RUNS = 100_000;
const TOWNS = 4;

test("100,000 random requests to four towns", async () => {
  const total = new Map<number, number>();
  let requests = 0;
  for (let seed = 1; seed <= TOWNS; seed++) {
    const town = await openTown(seed);
    try {
      for (const [status, count] of await fuzz(town, RUNS / TOWNS)) {
        total.set(status, (total.get(status) ?? 0) + count);
        requests += count;
      }
    } finally {
      await town.close();
    }
  }
  expect(requests).toBeGreaterThanOrEqual(RUNS);
  expect(total.has(500)).toBe(false);
  writeFigures("hostile", { "random requests judged": requests, "answers by status": tallied(total) });
});
