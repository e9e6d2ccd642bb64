import { afterAll, beforeAll, expect, test } from "vitest";
import { find } from "../../src/explorer/server/search.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

/** Searches that try to reveal hidden data, or to overload the server. */

const MEMBERS = 1_500;
const NAME = "Abcdefghijklm Nopqrstuvwxyz";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import([
    { object: "organization", id: "o", title: "O" },
    ...Array.from({ length: MEMBERS }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `u${index}`, displayName: `${NAME} ${index}` },
      { object: "member", organization: "o", user: `u${index}`, role: "read" },
    ]).flat(),
  ]);
});
afterAll(() => world.close());

test("a caller who sees only themselves learns nothing about the number of other matches", async () => {
  const token = await world.token("o", "u7");
  const ask = async (q: string) => {
    const { body } = await world.get(`/explorer/search?q=${encodeURIComponent(q)}`, token);
    const { items, more }: { items: { id: string }[]; more: boolean } = JSON.parse(body);
    return { ids: items.map(({ id }) => id), more };
  };
  for (const q of ["a", NAME, "nopq", "nopq abc", "u7"])
    expect(await ask(q), q).toEqual({ ids: ["u7"], more: false });
  for (const q of [`${NAME} 8`, "u8", "8", "nobody"])
    expect(await ask(q), q).toEqual({ ids: [], more: false });
});

test("a query of many words reads as little as a short one, and finds the same", async () => {
  const organization = await world.store.registry.organization("o");
  if (organization === undefined) throw new Error("no organization");
  const beginnings = NAME.split(" ").flatMap((word) =>
    Array.from(word, (_, index) => word.slice(0, index + 1)),
  );
  for (const q of ["a ".repeat(4_000), beginnings.join(" "), `${beginnings.join(" ")} 77`]) {
    const reading = world.store.reading(organization.current);
    const { hits } = await find(reading, { all: true }, q);
    expect(hits.length, q.slice(0, 100)).toBeGreaterThan(0);
    expect(reading.rows).toBeLessThan(15 * MEMBERS);
  }
});
