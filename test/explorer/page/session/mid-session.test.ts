/** What happens to the page during another import, and when its token ends. */
import { expect, test } from "vitest";
import { createToken, listTokens, revokeToken } from "../../../../src/store/tokens.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, placeOf, shows, signIn } from "../desk.ts";
import { everyoneIn, multitude, strongestFirst } from "../multitude.ts";
import { walkList } from "../list/walk.ts";

const SIZE = 430;
const BEFORE = multitude(SIZE);
const AFTER = multitude(SIZE, 1);
const desk = deskOver(BEFORE, "multitude");
/** A member who is not an admin. */
const CREATOR = "m000000";
const idsOf = (records: readonly SnapshotRecord[]) => strongestFirst(everyoneIn(records)).map(({ id }) => id);

const notice = (page: Page) => page.getByRole("region", { name: "Notice" });
const firstRows = (page: Page) =>
  page.locator('main[aria-busy="false"] tbody tr[data-row]').first().waitFor();

test("the header shows when an import last confirmed the directory", async () => {
  await desk.world.import(BEFORE);
  await desk.world.import(BEFORE);
  const page = await desk.visit("?space=long");
  await page
    .getByText(/^Imported (?:today|\d+ \w+), \d\d:\d\d, confirmed (?:today|\d+ \w+), \d\d:\d\d$/)
    .waitFor();
});

test("an import is announced and does not change the shown revision until the reader chooses it", async () => {
  await desk.world.import(BEFORE);
  const page = await desk.visit("?space=long");
  await firstRows(page);
  await desk.world.import(AFTER);
  // The list continues on its first revision.
  expect((await walkList(page)).ids).toEqual(idsOf(BEFORE));
  await notice(page)
    .getByText(/^\d+ people .* here since \d\d:\d\d\.$/)
    .waitFor();
  // Lists that are opened now also show the first revision.
  await page.getByRole("tab", { name: /Direct teams/ }).click();
  expect(await page.getByRole("row", { name: /Some, of them/ }).innerText()).toContain("review");

  await page.getByRole("button", { name: "Show the new one" }).click();
  await page.getByRole("row", { name: /Some, of them.*comment/ }).waitFor();
  expect(await notice(page).count()).toBe(0);
  await page.getByRole("tab", { name: /Everyone/ }).click();
  await firstRows(page);
  expect((await walkList(page)).ids).toEqual(idsOf(AFTER));
});

test("callers who do not see everything always see the current revision", async () => {
  // A caller who may list the space before and after.
  const asCreator = (records: readonly SnapshotRecord[]) =>
    records.map((record) =>
      record.object === "permission" && record.user === CREATOR
        ? { ...record, permission: "create" as const }
        : record,
    );
  await desk.world.import(asCreator(BEFORE));
  const page = await desk.visit("?space=long", { member: CREATOR });
  await firstRows(page);
  await desk.world.import(asCreator(AFTER));
  await page.evaluate("document.querySelector('.scroll').scrollTop = 1e6");
  await page
    .getByText("The directory was imported again, and what this page shows is no longer kept.")
    .waitFor();
  await page.getByRole("button", { name: "Show the new one" }).first().click();
  await firstRows(page);
  expect((await walkList(page)).ids).toEqual(idsOf(asCreator(AFTER)));
});

test("a revoked token: all data leaves the page, and signing in leads back to the same address", async () => {
  const page = await desk.visit("?space=long&role=comment");
  await firstRows(page);
  for (const { id } of await listTokens(desk.world.store.engine))
    await revokeToken(desk.world.store.engine, id);
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await page.getByText("Your token expired or was revoked. Sign in again to go on where you were.").waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/Ines|Multitude|m\d{6}/);
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
  expect(placeOf(page)).toBe("/?space=long&tab=people");

  await signIn(page, await createToken(desk.world.store, { organization: "multitude", name: "again" }));
  await shows(page, "Long");
  await page.getByRole("tab", { name: /Direct people/, selected: true }).waitFor();
  await firstRows(page);
});
