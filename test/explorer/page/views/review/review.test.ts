/** What a review shows of its sheet: the rows of one role, and names as the directory has them. */
import { readFileSync } from "node:fs";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { ROLES, type SnapshotRecord } from "../../../../oracle/records.ts";
import { deskOver, placeOf, rowsOf } from "../../desk.ts";
import { choicesOf as choices } from "./reviewing.ts";
import { mixed } from "../../mixed.ts";

const FORMULAS = ["=SUM", "'=SUM", "''+1", "-2+3", "@x", "＝SUM", "\u00a0=SUM", "'\u2003+1", "'plain"];
const desk = deskOver(
  [
    ...mixed(4),
    ...FORMULAS.flatMap((displayName, at): SnapshotRecord[] => [
      { object: "user", id: `=f${at}`, displayName, email: `-f${at}@ng.example` },
      { object: "member", organization: "o", user: `=f${at}`, role: "read" },
    ]),
  ],
  "o",
);

/** The rows of the sheet, as the server sends them. */
async function sheetOf(query: string): Promise<string[][]> {
  const { body } = await desk.world.get(`/explorer/report?${query}`, await desk.token());
  const { data } = Papa.parse<string[]>(body.trim());
  return data.slice(8);
}

test.each(["space=s1", "collection=c", "site=w", "member=u03"])(
  "the menu of roles counts and filters the rows of the review of %s",
  async (query) => {
    const roles = (await sheetOf(query)).map((row) => row[9]);
    const page = await desk.visit(`?${query}&tab=review`);
    await rowsOf(page);
    const menu = page.getByLabel("Filter by role");
    for (const role of ROLES) {
      const some = roles.filter((each) => each === role).length;
      await menu.selectOption({ label: `${role} (${some})` });
      await expect.poll(() => placeOf(page)).toBe(`/?${query}&tab=review&role=${role}`);
      if (some === 0) {
        await page.getByText(`No row of this sheet has ${role}.`).waitFor();
        await page.getByRole("link", { name: "Show all roles" }).click();
        expect(placeOf(page)).toBe(`/?${query}&tab=review`);
        continue;
      }
      await page
        .locator(".status", { hasText: new RegExp(`^${some} rows? with ${role}, by content`) })
        .waitFor();
      const shown = await rowsOf(page);
      expect(new Set(shown.map((row) => row.find((text) => text === role)))).toEqual(new Set([role]));
    }
  },
);

test("a decision on a filtered row stays when the filter goes, and the saved sheet has every row", async () => {
  const rows = await sheetOf("space=s1");
  const at = rows.findIndex((row) => row[9] === "review");
  const page = await desk.visit("?space=s1&tab=review&role=review", { acceptDownloads: true });
  await rowsOf(page);
  await choices(page).first().selectOption("remove");
  await page.getByText(`1 of ${rows.length} rows decided`).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save sheet" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Björn space, review, \d{4}-\d\d-\d\d, revision 1\.csv$/);
  const { data } = Papa.parse<string[]>(readFileSync(await download.path(), "utf8").trim());
  expect(data.slice(8).map((row) => row[11])).toEqual(rows.map((_, row) => (row === at ? "remove" : "")));
  await page.getByLabel("Filter by role").selectOption("");
  await expect.poll(() => page.getByRole("group", { name: /^Decision on/ }).count()).toBeGreaterThan(1);
  expect(await choices(page).nth(at).inputValue()).toBe("remove");
});

test("names, ids and addresses are shown without the ' that keeps spreadsheets from running them", async () => {
  const page = await desk.visit("?space=s1&tab=review&role=comment");
  await rowsOf(page);
  const seen: string[] = [];
  for (const [at, name] of FORMULAS.entries()) {
    const link = page.locator(`[id="user-=f${at}"]`);
    await link.scrollIntoViewIfNeeded();
    expect(await link.innerText()).toBe(name);
    expect(await link.getAttribute("href")).toBe(`?member=${encodeURIComponent(`=f${at}`)}`);
    seen.push(await page.locator("tr", { has: link }).locator(".mail").innerText());
  }
  expect(seen).toEqual(FORMULAS.map((_, at) => `-f${at}@ng.example`));
});
