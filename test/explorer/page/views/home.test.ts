/** The start page: its numbers, and the lists that they count. */
import { expect, test } from "vitest";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { mixed } from "../mixed.ts";
import { deskOver } from "../desk.ts";

const RECORDS: readonly SnapshotRecord[] = [
  ...mixed(4),
  // The collection from which a deleted space inherits is not deleted.
  { object: "collection", id: "above", organization: "o", title: "Above" },
  {
    object: "space",
    id: "below",
    organization: "o",
    title: "Below",
    parent: "above",
    createdAt: "2024-01-01T00:00:00Z",
    updatedAt: "2024-01-01T00:00:00Z",
    deletedAt: "2025-01-01T00:00:00Z",
  },
];
const desk = deskOver(RECORDS, "o");

/** The number of matching records. */
const count = (says: (record: Readonly<Record<string, unknown>>) => boolean) =>
  String(RECORDS.filter((record) => says({ ...record })).length);

const EXPECTED = [
  ["Organization admins", count(({ object, role }) => object === "member" && role === "admin")],
  ["Guests", count(({ object, role }) => object === "member" && role === null)],
  ["Edit or stronger by default", count(({ defaultLevel }) => defaultLevel === "edit")],
  ["Closed contents", count(({ defaultLevel }) => defaultLevel === null)],
  ["Deleted spaces", count(({ deletedAt }) => deletedAt !== undefined)],
] as const;

test("each line of the start page is a number, and a link to the list that it counts", async () => {
  const page = await desk.visit();
  const first = page.getByRole("region", { name: "What to look at first" });
  for (const [name, number] of EXPECTED) {
    const line = first.getByRole("listitem").filter({ hasText: name });
    await line.waitFor();
    await expect.poll(() => line.locator("span").innerText()).toBe(number);
    await line.getByRole("link", { name }).click();
    await page.locator(".foot .status", { hasText: new RegExp(`^${number} `) }).waitFor();
    expect(await page.locator("tbody tr[data-row]").count()).toBe(Number(number));
    await page.goBack();
    await first.waitFor();
  }
});

test("each total is a link to a list of so many rows, and each import says how large it was and what it changed", async () => {
  const page = await desk.visit();
  for (const kind of ["members", "teams", "spaces", "collections"]) {
    const total = page.getByRole("main").getByRole("link", { name: new RegExp(`^\\d+ ${kind}$`) });
    const number = await total.innerText();
    await total.click();
    const noun = kind === "spaces" || kind === "collections" ? "content" : kind.slice(0, -1);
    await page.locator(".foot .status", { hasText: new RegExp(`^${number} ${noun}`) }).waitFor();
    await page.goBack();
  }
  await desk.world.import([
    ...RECORDS,
    { object: "team", id: "new", organization: "o", title: "New", createdAt: "2025-01-01T00:00:00Z" },
  ]);
  const again = await desk.visit();
  const imports = again.getByRole("region", { name: "Last imports and changes" });
  await imports.getByText("+1 team").waitFor();
  await imports.getByRole("link", { name: "What changed in revision 2" }).click();
  await again.getByText("Revision 2 compared with revision 1.").waitFor();
});

test("on a telephone these lines are above the tree, and the checks are collapsed", async () => {
  const page = await desk.visit("", { viewport: { width: 400, height: 860 } });
  const look = page.getByRole("button", { name: "Look for findings" });
  await page.getByText("Checks and last imports").click();
  await look.waitFor();
  await page.getByText("Checks and last imports").click();
  await look.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Closed contents" }).click();
  await page.getByRole("heading", { name: "Closed contents" }).waitFor();
  expect(await page.locator("tbody tr[data-row]").count()).toBe(2);
});

test("contents with a setting can be filtered by title, and their file has their settings", async () => {
  const page = await desk.visit("?contents&show=deleted");
  await page.getByRole("row", { name: /Nils space/ }).waitFor();
  await page.getByLabel("Filter by title").fill("chl");
  await page.locator(".foot .status", { hasText: /^1 content / }).waitFor();
  const { body } = await desk.world.get("/explorer/csv?list=contents&show=deleted&q=chl", await desk.token());
  expect(body).toContain("covers,deleted spaces,the organization,filter chl\r\n");
  expect(body).toContain(
    "kind,id,title,path,defaultLevel,deletedAt\r\nspace,s2,Chloé space,,null,2025-01-01",
  );
});

test("the last imports are links to the page at that revision", async () => {
  const page = await desk.visit();
  const imports = page.getByRole("region", { name: "Last imports and changes" });
  await imports.getByText("revision 1").waitFor();
  expect(await imports.getByRole("link", { name: /^(?:today|\d+ \w+), \d\d:\d\d/ }).count()).toBe(
    await imports.getByRole("listitem").count(),
  );
});

test("the counts of several contents are one answer, with those alone that the caller may list", async () => {
  const all = await desk.token();
  const contents = ["collection/above", "space/below", "space/nix"];
  const { body } = await desk.world.get(`/explorer/counts?contents=${contents.join()}`, all);
  const found = JSON.parse(body).contents;
  expect(Object.keys(found)).toEqual(contents.slice(0, 2));
  for (const [kind, id] of [
    ["collection", "above"],
    ["space", "below"],
  ] as const) {
    const one = JSON.parse((await desk.world.get(`/explorer/counts?${kind}=${id}`, all)).body);
    expect(found[`${kind}/${id}`]).toEqual({ roles: one.roles, tabs: one.tabs });
  }
  const { body: little } = await desk.world.get(
    `/explorer/counts?contents=${contents.join()}`,
    await desk.token("u01"),
  );
  expect(JSON.parse(little).contents).toEqual({});
  for (const wrong of [
    "",
    "space",
    "space/a,,space/b",
    "site/a",
    "space/a%00",
    Array(101).fill("space/a").join(),
  ])
    expect((await desk.world.get(`/explorer/counts?contents=${wrong}`, all)).status, wrong).toBe(400);
});

test("callers who do not see everything get neither numbers nor lists", async () => {
  const token = await desk.token("u01");
  expect((await desk.world.get("/explorer/overview", token)).status).toBe(403);
  expect((await desk.world.get("/explorer/access?list=contents", token)).status).toBe(403);
});
