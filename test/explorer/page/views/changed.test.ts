/** The tab Changes: revisions, people and causes. Also the effect of an import while the page is open. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { findBarriers } from "../../../parts/axe.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, drawnRows, focusOf, placeOf, rowsOf, shows } from "../desk.ts";

/** Writers may edit the handbook. */
const WRITERS: readonly SnapshotRecord[] = acme.map((record) =>
  record.object === "permission" && record.collection === "handbook" && record.team === "writers"
    ? { ...record, permission: "edit" }
    : record,
);
const WITHOUT_ANA = WRITERS.filter((record) => !("user" in record && record.user === "ana"));
/** Twelve people are given a role on the glossary. */
const MANY: readonly SnapshotRecord[] = [
  ...WITHOUT_ANA,
  ...WITHOUT_ANA.flatMap((record): SnapshotRecord[] => {
    if (record.object !== "member" || record.role === "admin") return [];
    return [{ object: "permission", space: "glossary", user: record.user, permission: "review" }];
  }).slice(0, 12),
];
const options = { allowRemovals: true, note: "after the audit" };
const desk = deskOver(acme, "acme");

/** Imports the three revisions, unless another test of this file has done so. */
async function threeRevisions(): Promise<void> {
  const { current } = (await desk.world.store.registry.organization("acme")) ?? {};
  if ((current?.revision ?? 0) >= 3) return;
  await desk.world.import(WRITERS, options);
  await desk.world.import(WITHOUT_ANA, options);
}

const notice = (page: Page) => page.getByRole("region", { name: "Notice" });

test("after an import, the page says how many gained and lost access, and links to them", async () => {
  const page = await desk.visit("?space=api-reference");
  const home = await desk.visit("");
  await rowsOf(page);
  await home.getByRole("treeitem", { name: /Release notes/ }).waitFor();
  await threeRevisions();
  // The next request reports the newer revision.
  await page.getByRole("tab", { name: /Direct teams/ }).click();
  await notice(page)
    .getByText(/^1 person lost access, .* here since \d\d:\d\d\.$/)
    .waitFor();
  await notice(page).getByRole("button", { name: "See them" }).click();
  await page.getByText("Revision 3 compared with revision 1.").waitFor();
  expect(placeOf(page)).toBe("/?space=api-reference&tab=changes&earlier=1&later=3");
  expect(await notice(page).count()).toBe(0);
  const [ana, ...others] = await rowsOf(page);
  expect(ana?.join(" | ")).toBe(
    "Ana Lima ana.lima@acme.example | review | none | lost review, because Ana Lima left the organization in revision 3",
  );
  expect(others.map(([, before, after]) => [before, after])).toEqual(others.map(() => ["comment", "edit"]));

  await home.getByRole("treeitem", { name: /Release notes/ }).click();
  await home.goBack();
  await notice(home)
    .getByText(/^1 person lost access, .* since/)
    .waitFor();
  await notice(home).getByRole("button", { name: "See them" }).click();
  await shows(home, "Changes from revision 1 to 3");
  expect((await rowsOf(home))[0]?.join(" | ")).toMatch(
    /^Ana Lima .* \| on 18 contents: Ana Lima left the organization\. Before: comment; admin on 1, .*, read on 4 of 18$/,
  );
  await home.getByRole("link", { name: "3 raised" }).first().click();
  await home.getByText("Revision 3 compared with revision 1.").waitFor();
});

test("the list behind a count of a filtered list has what was counted", async () => {
  await threeRevisions();
  const page = await desk.visit("?changes&earlier=1&later=3&least=review");
  await rowsOf(page);
  expect(await page.getByRole("link", { name: "3 raised" }).count()).toBe(0);
  await page.goto(`${desk.address}?changes&earlier=1&later=3&role=edit&least=comment`);
  await page.getByRole("link", { name: "3 raised" }).first().click();
  await page.getByText("Revision 3 compared with revision 1.").waitFor();
  expect(placeOf(page)).toBe(
    "/?collection=beta&tab=changes&role=edit&least=comment&change=raised&earlier=1&later=3",
  );
  expect(await rowsOf(page)).toHaveLength(3);
});

test("a content, a member and a team list what changed them and when; by keyboard, and accessibly", async () => {
  await threeRevisions();
  const page = await desk.visit("?space=api-reference");
  await rowsOf(page);
  await page.getByRole("tab", { name: /Everyone/ }).focus();
  for (const name of ["Direct people", "Direct teams", "Changes"]) {
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name, selected: true }).waitFor();
  }
  await page.getByText("2 revisions that changed API reference", { exact: true }).waitFor();
  const log = page.getByRole("tabpanel");
  await log.getByText("team Writers’s permission on collection Handbook went from comment to edit").waitFor();
  expect(await log.innerText()).toContain("“after the audit”");
  await log.getByRole("link", { name: /3 people rose in revision 2/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Revision 2 compared with revision 1.").waitFor();
  await rowsOf(page);
  expect(await drawnRows(page)).toHaveLength(3);
  await page.locator(".bar").getByText("Filters").click();
  await page.locator(".bar").getByRole("button", { name: "access gained", exact: true }).click();
  await page.getByText("Nothing here matches: access gained.").waitFor();
  await page.goBack();
  await rowsOf(page);
  await page.goBack();
  await log.getByRole("link", { name: /1 person lost access in revision 3/ }).waitFor();

  await page.goto(`${desk.address}?team=writers&tab=changes`);
  await page.getByRole("link", { name: /Whom it concerns in revision 2/ }).click();
  expect((await rowsOf(page))[0]?.slice(1).join(" | ")).toMatch(
    /^0 \| 0 \| 3 \| 0 \| team Writers’s permission/,
  );

  // A past revision shows the changes up to it.
  await page.goto(`${desk.address}?space=api-reference&tab=changes&at=2`);
  await page.getByText("1 revision that changed API reference", { exact: true }).waitFor();
});

test("long reasons are cut, and More shows all of them; otherwise there is no More", async () => {
  await threeRevisions();
  const page = await desk.visit("?changes&earlier=1&later=3");
  await rowsOf(page);
  const more = page.getByRole("button", { name: /^More about/ });
  expect(await more.count()).toBe(0);
  await desk.world.import(MANY, options);
  await page.goto(`${desk.address}?changes&earlier=3&later=4`);
  await page.getByRole("button", { name: "More about Glossary" }).focus();
  await page.keyboard.press("Enter");
  const whole = page.getByRole("dialog", { name: "Glossary" });
  const text = await whole.innerText();
  expect(text.match(/review on space Glossary/g)).toHaveLength(10);
  expect(text).toMatch(/; and 2 more$/);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await whole.waitFor({ state: "detached" });
  expect(await focusOf(page)).toMatch(/^More about Glossary/);
});
