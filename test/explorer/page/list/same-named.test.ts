/** Things with the same name differ by a path, an e-mail address or an id, wherever several of them are listed. */
import { beforeAll, expect, test } from "vitest";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, rowsOf } from "../desk.ts";

const DATE = "2026-01-01T00:00:00Z";
const title = "Twin";
const both = (of: (id: string) => SnapshotRecord[]): SnapshotRecord[] => ["one", "two"].flatMap(of);
const TWINS: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  { object: "collection", id: "c", organization: "o", title: "Shelf" },
  { object: "space", id: "s", organization: "o", title: "Alone", createdAt: DATE, updatedAt: DATE },
  { object: "user", id: "ann", displayName: "Ann" },
  { object: "member", organization: "o", user: "ann", role: "read" },
  ...both((id) => [
    { object: "user", id: `u-${id}`, displayName: title },
    { object: "member", organization: "o", user: `u-${id}`, role: "read" },
    { object: "team", id: `t-${id}`, organization: "o", title, createdAt: DATE },
    { object: "collection", id: `c-${id}`, organization: "o", title, parent: "c", defaultLevel: null },
    {
      object: "space",
      id: `s-${id}`,
      organization: "o",
      title,
      parent: "c",
      defaultLevel: null,
      createdAt: DATE,
      updatedAt: DATE,
    },
    { object: "site", id: `w-${id}`, organization: "o", title },
  ]),
  ...both((id) =>
    ["ann", "u-one", "u-two"].map((user) => ({
      object: "teamMember" as const,
      team: `t-${id}`,
      user,
      role: "member" as const,
    })),
  ),
  ...both((id) =>
    ["one", "two"].flatMap((other): SnapshotRecord[] => [
      { object: "permission", space: `s-${other}`, team: `t-${id}`, permission: "edit" },
      { object: "permission", collection: `c-${other}`, team: `t-${id}`, permission: "edit" },
    ]),
  ),
  ...both((id) => [{ object: "siteSpace", site: "w-one", space: `s-${id}` }]),
];
const desk = deskOver(TWINS, "o");
beforeAll(async () => {
  await desk.world.import(
    TWINS.map((record) =>
      record.object === "permission" ? { ...record, permission: "review" as const } : record,
    ),
  );
});

/** The texts and labels of what is listed with the name; twice the same are two things that nobody can tell apart. */
const listed = (page: Page) =>
  page.evaluate<
    string[][]
  >(`[...document.querySelectorAll("tbody, ul, ol, [role=tree], [role=listbox], [role=group]")]
    .map((list) => [...list.children]
      .map((each) => (each.querySelector("a") && each.matches("tr") ? [...each.cells].map((cell) => cell.textContent).join(" | ") : each.textContent).trim())
      .filter((text) => text.includes("Twin")))
    .filter((texts) => texts.length > 0)`);

const palette = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]").fill("twin");
  await page.locator("[role=option]").nth(5).waitFor();
};

const VIEWS: readonly (readonly [query: string, act?: (page: Page) => Promise<unknown>])[] = [
  ["?teams"],
  ["?members"],
  ["?contents&show=closed"],
  ["?found&q=twin"],
  ["?collection=c&tab=contents"],
  ["?space=s-one"],
  ["?space=s-one&tab=teams"],
  ["?space=s-one&why=ann", (page) => page.getByRole("button", { name: "Show all steps" }).click()],
  ["?site=w-one&tab=spaces"],
  ["?site=w-one"],
  ["?site=w-one&why=ann", (page) => page.getByText("On each of its spaces").waitFor()],
  ["?member=ann"],
  ["?member=ann&tab=teams"],
  ["?team=t-one"],
  ["?team=t-one&tab=members"],
  ["?without=team%2Ft-one"],
  ["?compare=ann&other=u-one"],
  ["?reach=t-one"],
  ["?changes&earlier=1&later=2"],
  ["?collection=c&tab=review"],
  ["?space=s-one&tab=review", (page) => page.getByText("Narrow", { exact: true }).click()],
  ["?space=s", palette],
];

test.each(VIEWS.map(([query, act]) => ({ query, act })))("$query", async ({ query, act }) => {
  const page = await desk.visit(query);
  await rowsOf(page);
  await act?.(page);
  await page.getByRole("treeitem").first().waitFor();
  const lists = await listed(page);
  expect(lists.length).toBeGreaterThan(0);
  for (const texts of lists) expect(new Set(texts).size, texts.join("\n")).toBe(texts.length);
});
