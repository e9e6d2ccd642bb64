/** Drafts of reviews: through imports, other tabs, opened files, and browsers that store nothing. */
import { expect, test } from "vitest";
import type { SnapshotRecord } from "../../oracle/records.ts";
import type { Page } from "../../parts/browser.ts";
import { deskOver, rowsOf } from "../desk.ts";
import { mixed } from "../mixed.ts";

const desk = deskOver(mixed(4), "o");
const ADDRESS = "?space=s1&tab=review";

/** A revision with the same roles. */
const team = (id: string): SnapshotRecord => ({
  object: "team",
  id,
  organization: "o",
  title: id,
  createdAt: "2026-01-01T00:00:00Z",
});

/** Has a page look for a newer revision, as it does when it becomes visible after a while. */
async function look(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    document.dispatchEvent(new Event("visibilitychange"));
    Date.now = now;
  })()`);
}

test("after an import, the review of the new revision has its rows", async () => {
  const page = await desk.visit(ADDRESS);
  const before = await rowsOf(page);
  await desk.world.import([...mixed(4), team("later")]);
  await look(page);
  // The sheet is the first answer of the new revision.
  await page.route(/\/explorer\/(?!report)/, async (route) => {
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await page.getByRole("button", { name: "Show the new one" }).click();
  await page.getByText(/; revision 2, imported/).waitFor();
  expect(await rowsOf(page)).toEqual(before);
});
