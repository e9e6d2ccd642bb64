/** The page at a past revision: the choice by keyboard, the banner, every link, and revisions that cannot be read. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Page } from "../../../parts/browser.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { acme } from "../../../examples/acme.ts";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../desk.ts";

/** From revision 2 on, Writers may edit the handbook. In revision 3, Ana has left and Release notes has another title. */
const WRITERS: readonly SnapshotRecord[] = acme.map((record) =>
  record.object === "permission" && record.collection === "handbook" && record.team === "writers"
    ? { ...record, permission: "edit" }
    : record,
);
const WITHOUT_ANA = WRITERS.filter((record) => !("user" in record && record.user === "ana")).map(
  (record): SnapshotRecord =>
    record.object === "space" && record.id === "release-notes" ? { ...record, title: "News" } : record,
);
const desk = deskOver(acme, "acme");
const options = { allowRemovals: true, note: "before the audit" };

beforeAll(async () => {
  await desk.world.import(WRITERS, options);
  await desk.world.import(WITHOUT_ANA, options);
});

const banner = (page: Page) => page.getByRole("region", { name: "Notice" });
const asOf = /^As of \d+ \w+ \d{4}, \d\d:\d\d \(revision 1\)\./;

test("a revision is chosen by keyboard; lists, counts, files and links are of that revision, until today is shown", async () => {
  const page = await desk.visit("", { acceptDownloads: true });
  await page.goto(`${desk.address}?space=api-reference&why=ivo`);
  await rowsOf(page);
  const now = await page.getByRole("button", { name: /^All roles/ }).innerText();
  await page.getByRole("button", { name: /^Imported today/ }).focus();
  await page.keyboard.press("Enter");
  const chooser = page.getByRole("dialog", { name: "Show the directory as of" });
  await chooser.getByRole("link", { name: /import.*before the audit.*revision 3/ }).waitFor();
  // Each revision has its size, and each earlier one what changed since.
  expect(await chooser.getByRole("link", { name: /revision \d$/ }).count()).toBe(3);
  expect(await chooser.getByRole("link", { name: /^Changes since/ }).count()).toBe(2);
  await chooser.getByText("−1 member").waitFor();
  await chooser.getByRole("link", { name: /revision 1$/ }).focus();
  await page.keyboard.press("Enter");
  await banner(page).getByText(asOf).waitFor();
  expect(placeOf(page)).toBe("/?space=api-reference&why=ivo&at=1");

  await page.getByRole("row", { name: /Ana Lima/ }).waitFor();
  expect(await page.getByRole("button", { name: /^All roles/ }).innerText()).not.toBe(now);
  await page.getByText("rolebook why --at 1 ivo space/api-reference").waitFor();
  expect(await lost(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/revision 1\.csv$/);
  expect(readFileSync(await download.path(), "utf8")).toMatch(/\r\nrevision,1\r\n[^]*\r\nana,Ana Lima,/);

  // Everything that is chosen from here is at the past revision, also with Back.
  await page.getByRole("treeitem", { name: /Release notes/ }).click();
  await shows(page, "Release notes");
  expect(placeOf(page)).toBe("/?space=release-notes&at=1");
  await page.goBack();
  await page.goBack();
  await page.getByRole("button", { name: /^Imported today/ }).waitFor();
  await page.goForward();
  await banner(page).getByText(asOf).waitFor();
  await page.getByRole("link", { name: "Show today" }).click();
  await page.getByRole("button", { name: /^Imported today/ }).waitFor();
  expect([placeOf(page), await banner(page).count()]).toEqual(["/?space=api-reference&why=ivo", 0]);
});

/** The links on the page that lead out of the past. */
function lost(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll("a[href]")].filter((link) => link.textContent !== "Show today" && !link.classList.contains("skip"))
      .map((link) => link.getAttribute("href")).filter((href) => !/[?&]at=1(&|$)/.test(href))`,
  );
}

test("any two revisions are chosen in the dialog, in either order, from the list of revisions or from what changed", async () => {
  const page = await desk.visit("?space=api-reference");
  await rowsOf(page);
  await page.getByRole("button", { name: /^Imported today/ }).click();
  await page
    .getByRole("link", { name: /^Changes since/ })
    .first()
    .click();
  await page.getByText("Revision 3 compared with revision 2.").waitFor();
  expect(placeOf(page)).toBe("/?space=api-reference&tab=changes&earlier=2&later=3");
  // The later one becomes revision 1, so it is the earlier one.
  await page.getByRole("button", { name: "3: choose another later revision" }).click();
  const chooser = page.getByRole("dialog", { name: "Show what changed until" });
  await chooser.getByRole("link", { name: /revision 3$/ }).waitFor();
  expect(await chooser.getByRole("link").count()).toBe(2);
  await chooser.getByRole("link", { name: /revision 1$/ }).click();
  await page.getByText("Revision 2 compared with revision 1.").waitFor();
  // The earlier one becomes revision 3, so it is the later one.
  await page.getByRole("button", { name: "1: choose another earlier revision" }).click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /revision 3$/ })
    .click();
  await page.getByText("Revision 3 compared with revision 2.").waitFor();
  await page.getByRole("button", { name: /^Copy the command/ }).waitFor();
  expect(await page.getByRole("button", { name: /^Copy the command/ }).getAttribute("aria-label")).toBe(
    "Copy the command rolebook diff --organization acme --from 2 --to 3 --space api-reference",
  );
});

test("an address with a date shows that day; if it cannot be read, the page says so and what can be", async () => {
  const [today] = new Date().toISOString().split("T");
  const page = await desk.visit(`?space=release-notes&at=${today}`);
  await shows(page, "News");
  await banner(page)
    .getByText(/\(revision 3\), which was current when/)
    .waitFor();
  for (const [at, reason] of [
    ["99", "Revision 99 never existed here, or is no longer kept"],
    ["2020-01-01", "Nothing is kept from 2020-01-01"],
    ["9999-01-01", "9999-01-01 is in the future"],
    ["soon", "“soon” is neither a date nor a revision"],
  ] as const) {
    await page.goto(`${desk.address}?space=release-notes&at=${at}`);
    await shows(page, reason);
  }
  await page.getByText(/The earliest that can be shown is revision 1, .* the newest is revision 3/).waitFor();
  await page.getByRole("main").getByRole("link").first().click();
  await shows(page, "Release notes");
});

test("Escape leaves the choice, and the focus returns", async () => {
  const page = await desk.visit("?space=api-reference&at=2");
  await rowsOf(page);
  await banner(page).getByRole("button", { name: "Another time" }).click();
  await page.getByRole("link", { name: /revision 1$/ }).waitFor();
  await page.keyboard.press("Escape");
  expect(await focusOf(page)).toBe("Another time");
});

test("callers who do not see everything see the times of revisions, not their commands", async () => {
  const { body } = await desk.world.get("/explorer/revisions", await desk.token("bram"));
  expect(body).not.toContain("audit");
  const revisions = (await desk.world.walk("/explorer/revisions", await desk.token(), [1, 2])).map((row) =>
    Object(row),
  );
  expect(revisions.map(({ revision, command, note = "" }) => [revision, command, note])).toEqual([
    [3, "import", "before the audit"],
    [2, "import", "before the audit"],
    [1, "import", ""],
  ]);
  const [, , { importedAt }] = revisions;
  const until = await desk.world.walk(`/explorer/revisions?until=${importedAt}`, await desk.token());
  expect(until).toHaveLength(1);
});
