/** A property that does not hold says with what, as small as it was found, and how to try that again. */
import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { histories, organizations } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";
import failedOnce from "./failed-once.json" with { type: "json" };
import { type FailedOnce, holds } from "./property.ts";

const hasTwoSpaces = (records: readonly SnapshotRecord[]) =>
  records.filter(({ object }) => object === "space").length >= 2;

/** What a property says that does not hold. */
async function saidBy(property: fc.IAsyncProperty<unknown>): Promise<string> {
  const thrown: unknown = await holds(property, {}).catch((error: unknown) => error);
  return thrown instanceof Error ? thrown.message : "";
}

/** The records of the files in a message. */
function filesIn(message: string): SnapshotRecord[][] {
  return message
    .split(/^Value \d+.*\n/m)
    .slice(1)
    .map((file) =>
      file
        .trim()
        .split("\n")
        .map((line): SnapshotRecord => JSON.parse(line)),
    );
}

test("a failing organization is small, and a file that can be imported", async () => {
  const said = await saidBy(
    fc.asyncProperty(organizations(), async (records) => {
      if (hasTwoSpaces(records)) throw new Error("two spaces");
    }),
  );
  expect(said).toMatch(/^two spaces\nProperty failed, shrunk [1-9]\d* times\. /);
  const [records = []] = filesIn(said);
  expect(hasTwoSpaces(records)).toBe(true);
  expect(records.length).toBeLessThan(5);
  const world = await World.open(sqlitePlace);
  await world.import(records);
  await world.close();
});

test("of a failing history, each state is a file", async () => {
  const said = await saidBy(
    fc.asyncProperty(histories({}, 2), async (states) => {
      if (states.some(hasTwoSpaces)) throw new Error("two spaces");
    }),
  );
  expect(filesIn(said).some(hasTwoSpaces)).toBe(true);
  expect(filesIn(said).length).toBeGreaterThan(1);
});

test("few cases are tried for a smaller one: each may take long", async () => {
  let runs = 0;
  await saidBy(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 500, maxLength: 500 }), async () => {
      runs++;
      throw new Error("always");
    }),
  );
  expect(runs).toBeLessThan(400);
});

test("a case that once failed is tried first, and again with the line that the failure names", async () => {
  const drawn: number[] = [];
  const property = fc.asyncProperty(fc.nat(), async (value) => {
    drawn.push(value);
    if (value % 7 === 0) throw new Error("a seventh");
  });
  const said = await saidBy(property);
  const again: FailedOnce = JSON.parse(/^\{.*\}$/m.exec(said)?.[0] ?? "");
  expect(again.test).toBe(expect.getState().currentTestName);
  const [failed] = drawn.filter((value) => value % 7 === 0);
  drawn.splice(0);
  await expect(holds(property, { numRuns: 1, seed: 1 }, [again])).rejects.toThrow("a seventh");
  expect(drawn[0]).toBe(failed);
});

test("a sync property too", () => {
  const property = fc.property(fc.nat(), (value) => {
    if (value > 10) throw new Error("large");
  });
  expect(() => holds(property)).toThrow(/^large\n[^]*\nValue 1: 11$/);
});

test("each case that once failed belongs to a test", () => {
  const root = new URL("../", import.meta.url);
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules/"))
    .map((file) => readFileSync(new URL(file, root), "utf8"));
  const known: readonly FailedOnce[] = failedOnce;
  expect(known.filter((each) => !sources.some((text) => text.includes(JSON.stringify(each.test))))).toEqual(
    [],
  );
  // What runs properties on its own tries none of these cases.
  expect(sources.filter((text) => text.includes(["fc", "assert("].join(".")))).toHaveLength(1);
});
