/** Ids that are made from titles, and the file that stores them. */
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slug } from "../../../src/connectors/csv/ids.ts";
import { convert, convertIn, only, refusal, refuses, SMALL } from "./sheets.ts";
import { temporaryFolder } from "../../folder.ts";

const folder = temporaryFolder();

test.each([
  ["R&D", "r-d"],
  ["Developer docs", "developer-docs"],
  ["  «Café» Łódź & Straße  ", "cafe-lodz-strasse"],
  ["snake_case 2.0", "snake_case-2-0"],
  ["株式会社", ""],
  ["a".repeat(200), "a".repeat(128)],
])("%s is %s", (title, id) => {
  expect(slug(title)).toBe(id);
});

const clash = {
  ...SMALL,
  access:
    "content,team,role\nR&D,Docs,edit\nR D,Docs,read\nHandbook / Overview,Docs,read\nPlans / Overview,Docs,read\n株式会社,Docs,read\n",
};

test("two titles with one id are an error, and so is a title without one", async () => {
  const accepted = "accepted: a column with ids, or --ids FILE, which keeps assigned ids";
  expect(await refusal(clash)).toEqual([
    `access.csv:3: "content" is "R D"; its id would be r-d, which is that of "R&D"; ${accepted}`,
    `access.csv:5: "content" is "Plans / Overview"; its id would be overview, which is that of "Handbook / Overview"; ${accepted}`,
    `access.csv:6: "content" is "株式会社"; no id can be made from it; ${accepted}`,
  ]);
});

test("--ids keeps assigned ids, whatever the later order", async () => {
  const place = mkdtempSync(join(folder, "kept-"));
  const ids = { ...clash, ids: "kind,title,id\n" };
  const first = await convertIn(place, ids);
  const assigned = only(first.records, "space").map(({ title, id }) => [title, id]);
  expect(assigned).toEqual([
    ["R&D", "r-d"],
    ["R D", "r-d-2"],
    ["Overview", "overview"],
    ["Overview", "plans-overview"],
    ["株式会社", "content"],
  ]);
  const kept = readFileSync(join(place, "ids.csv"), "utf8");
  expect(kept).toContain("content,Plans / Overview,plans-overview\n");
  expect(statSync(join(place, "ids.csv")).mode & 0o777).toBe(0o600);

  const [head, ...rows] = clash.access.trimEnd().split("\n");
  const turned = await convertIn(place, {
    ...clash,
    access: [head, "r d,Docs,read", ...rows.toReversed(), ""].join("\n"),
    ids: kept,
  });
  expect(only(turned.records, "space").map(({ id }) => id)).toEqual([
    "r-d-3",
    "content",
    "plans-overview",
    "overview",
    "r-d-2",
    "r-d",
  ]);
});

test("an unused id is not assigned again", async () => {
  const { records } = await convert({
    ...SMALL,
    access: "content,team,role\nR D,Docs,read\n",
    ids: "kind,title,id\ncontent,R&D,r-d\n",
  });
  expect(only(records, "space").map(({ id }) => id)).toEqual(["r-d-2"]);
});

refuses(SMALL, {
  'ids.csv:2: "id" is "a b"; accepted: 1 to 128 of the characters A-Z a-z 0-9 _ -': {
    ids: "kind,title,id\ncontent,A,a b\n",
  },
  'ids.csv:3: "id" is "a"; "A" has it already': { ids: "kind,title,id\ncontent,A,a\ncontent,B,a\n" },
  'ids.csv:3: "title" is "A"; it has an id already': { ids: "kind,title,id\ncontent,A,a\ncontent,A,b\n" },
  'ids.csv:2: "kind" is "page"; accepted: team, content, site': { ids: "kind,title,id\npage,A,a\n" },
});

test("the same input makes the same bytes", async () => {
  const [one, other] = [await convert(SMALL), await convert(SMALL)];
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});
