/**
 * The filter "new or risen since": who has access now and had none, or a lower role, when that day began. It is chosen,
 * counted and downloaded.
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { statement } from "../../../../src/store/engine/engine.ts";
import { acme } from "../../../examples/acme.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { deskOver, focusOf, placeOf, rowsOf } from "../desk.ts";

/** Without Ana and Bram, who came with the second import. */
const BEFORE: readonly SnapshotRecord[] = acme.filter(
  (record) => !("user" in record && ["ana", "bram"].includes(record.user ?? "")),
);
const desk = deskOver(BEFORE, "acme");
const IMPORT_AT = statement<never>(() => "UPDATE revision SET imported_at = $1 WHERE revision = 1");

const DAY = 86_400_000;
const NOW = Date.now();
const dayAgo = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10);

beforeAll(async () => {
  await desk.world.store.engine.transaction(async (connection) => {
    await connection.write(IMPORT_AT, `${dayAgo(10)}T12:00:00.000Z`);
    await desk.world.store.engine.announce(connection, "anything");
  });
  await desk.world.import(acme);
});

test("by keyboard: people who are new on a content since the first kept day, and new spaces of a member", async () => {
  const page = await desk.visit("", { acceptDownloads: true, timezoneId: "UTC" });
  await page.goto(`${desk.address}?space=api-reference`);
  await rowsOf(page);
  await page.getByRole("button", { name: "New or risen since" }).focus();
  await page.keyboard.press("Enter");
  // If thirty days are not kept, the filter begins with the day after the earliest revision.
  await expect.poll(() => placeOf(page)).toBe(`/?space=api-reference&since=${dayAgo(9)}`);
  expect(await focusOf(page)).toBe("new or risen since");
  await page
    .getByText(/^2 members \(new or risen since /)
    .first()
    .waitFor();
  expect((await rowsOf(page)).map(([name]) => name)).toEqual([
    expect.stringMatching(/^Ana Lima/),
    expect.stringMatching(/^Bram de Wit/),
  ]);
  await expect.poll(() => page.getByRole("button", { name: /^All roles/ }).innerText()).toMatch(/2$/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8");
  expect(file).toContain(`,new or risen since ${dayAgo(9)}T00:00:00.000Z\r\n`);
  expect(file.trimEnd().split("\r\n")).toHaveLength(6 + 2);

  await page.goto(`${desk.address}?member=ana&since=${dayAgo(5)}`);
  const spaces = await rowsOf(page);
  expect(spaces.length).toBeGreaterThan(3);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect.poll(() => placeOf(page)).toBe("/?member=ana");
  expect(await rowsOf(page)).toHaveLength(spaces.length);
});

test("an invalid day, and a day before the first kept one, get a clear message", async () => {
  const page = await desk.visit("?space=api-reference&since=soon");
  await page.getByText(/The parameter since is .soon.; accepted/).waitFor();
  await page.goto(`${desk.address}?space=api-reference&since=2000-01-01`);
  await page.getByText(/^No revision from before .* is kept/).waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await rowsOf(page);
});
