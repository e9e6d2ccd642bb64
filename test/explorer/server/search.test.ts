/** What a search finds in the example organization, and in which order. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SearchAnswer } from "../../../src/explorer/wire/answers.ts";
import { acme } from "../../examples/acme.ts";
import { ownPlace, World } from "../../world.ts";
import { answer } from "./found-by.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await World.open(ownPlace, { rateLimit: 1_000_000 });
  await world.import(acme);
  token = await world.token("acme");
});
afterAll(() => world.close());

/** A text, and what is found, the best first. */
const SEARCHES: readonly (readonly [q: string, why: string, found: readonly string[]])[] = [
  [
    "docs",
    "an id or a whole title, the beginning, then words",
    ["team/docs", "collection/developer-docs", "site/acme-docs"],
  ],
  [
    "ana",
    "an id, then what is inside words, by name",
    ["member/ana", "member/dana", "member/emi", "member/oana"],
  ],
  [
    "mar",
    "beginnings of texts, then of words, then inside",
    ["member/maria-elena", "member/quentin", "member/ivo", "member/amara"],
  ],
  ["book", "inside words of titles", ["collection/handbook", "space/webhooks-cookbook"]],
  ["ebh ok", "each word is inside one", ["space/webhooks-cookbook"]],
  ["osei daniel", "two words swapped", ["member/daniel"]],
  ["kofi@part", "an address by its beginning", ["member/kofi@partner.example"]],
  ["@acme.example", "nothing behind the @ of an address", []],
  ["acme.example", "nothing behind the @ of an address", []],
];

test.each(SEARCHES)("%j: %s", async (q, _, found) => {
  const path = `/explorer/search?q=${encodeURIComponent(q)}`;
  const { items, more } = await answer<SearchAnswer>(world, path, token);
  expect(items.map(({ kind, id }) => `${kind}/${id}`)).toEqual(found);
  expect(more).toBe(false);
  const list = `/explorer/access?list=found&q=${encodeURIComponent(q)}`;
  const { items: all } = await answer<SearchAnswer>(world, list, token);
  expect(all.map(({ kind, id }) => `${kind}/${id}`).toSorted()).toEqual(found.toSorted());
});

test("twelve things are shown, and whether there are more", async () => {
  const { items, more } = await answer<SearchAnswer>(world, "/explorer/search?q=e", token);
  expect(items).toHaveLength(12);
  expect(more).toBe(true);
  expect(items.slice(0, 3).map(({ id }) => id)).toEqual(["ebenezer", "élodie", "emi"]);
});

test("a member finds contents that they see and themselves, and no team, site or other member", async () => {
  const own = await world.token("acme", "ana");
  const ask = async (q: string) => {
    const { items } = await answer<SearchAnswer>(world, `/explorer/search?q=${encodeURIComponent(q)}`, own);
    return items.map(({ kind, id }) => `${kind}/${id}`);
  };
  expect(await ask("docs")).toEqual(["collection/developer-docs"]);
  expect(await ask("acme-docs")).toEqual([]);
  expect(await ask("salar")).toEqual([]);
  expect(await ask("dana")).toEqual([]);
  expect(await ask("ana")).toEqual(["member/ana"]);
});
