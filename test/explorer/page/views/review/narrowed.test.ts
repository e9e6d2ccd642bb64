/**
 * A review without organization admins, and of who is new or risen since a day; and a sheet that an earlier version wrote,
 * which had only who is new.
 */
import { beforeAll, expect, test, vi } from "vitest";
import { writeReport } from "../../../../../src/cli/commands/report.ts";
import type { SnapshotRecord } from "../../../../oracle/records.ts";
import { deskOver, placeOf, rowsOf } from "../../desk.ts";
import { keptMarks, marks, open, save } from "./reviewing.ts";

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const DATE = "2026-01-01T00:00:00Z";
const SINCE = dayAgo(5);

/** Of the space `s`: Rita rises, Nell is new, Sam stays, and Ada, who is new too, is an admin. */
const recordsOf = (roles: Readonly<Record<string, "admin" | "read" | "edit">>): SnapshotRecord[] => [
  { object: "organization", id: "o", title: "O" },
  { object: "space", id: "s", organization: "o", title: "Space s", createdAt: DATE, updatedAt: DATE },
  ...Object.entries(roles).flatMap(([name, role]): SnapshotRecord[] => [
    { object: "user", id: name.toLowerCase(), displayName: name },
    { object: "member", organization: "o", user: name.toLowerCase(), role },
  ]),
];

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${dayAgo(10)}T12:00:00Z`) });
});
const desk = deskOver(recordsOf({ Rita: "read", Sam: "read" }), "o");
beforeAll(async () => {
  vi.useRealTimers();
  await desk.world.import(recordsOf({ Ada: "admin", Nell: "read", Rita: "edit", Sam: "read" }));
});

test("the menu leaves out organization admins, then who has the same role as on a day; address and sheet say so", async () => {
  const page = await desk.visit("?space=s&tab=review", { acceptDownloads: true, timezoneId: "UTC" });
  await rowsOf(page);
  await page.getByText("Narrow", { exact: true }).click();
  await page.getByRole("button", { name: "without admins" }).click();
  await page.locator(".status", { hasText: /^3 rows \(without organization admins\)/ }).waitFor();
  expect(placeOf(page)).toBe("/?space=s&tab=review&admins=none");
  await page.getByRole("button", { name: "new or risen since" }).click();
  await page.getByLabel("New or risen since", { exact: true }).fill(SINCE);
  await page.locator(".status", { hasText: /^2 rows \(.*new or risen since / }).waitFor();
  expect(placeOf(page)).toBe(`/?space=s&tab=review&admins=none&since=${SINCE}`);
  expect((await rowsOf(page)).map(([name]) => name)).toEqual([
    expect.stringMatching(/^Nell/),
    expect.stringMatching(/^Rita/),
  ]);
  await page
    .getByRole("group", { name: /^Decision on Rita/ })
    .getByRole("button", { name: "Keep" })
    .click();
  const [, covers] = /^covers,(.*)$/m.exec(await save(page)) ?? [];
  expect(covers?.trim()).toBe(
    `space s,members and guests,every role; without organization admins; new or risen since ${SINCE}`,
  );
});

test("a sheet that has only who is new opens in the review that has who rose, too, and so does its draft", async () => {
  let text = "";
  const scope = { spaces: ["s"], newSince: SINCE };
  await writeReport(desk.world.store, "o", scope, {
    say() {},
    async write(piece) {
      text += piece;
    },
  });
  expect(text).toContain(`every role; new since ${SINCE}\r\n`);
  expect(text).not.toContain(",rita,");
  const page = await desk.visit("?space=s&tab=review", { acceptDownloads: true, timezoneId: "UTC" });
  await rowsOf(page);
  await open(page, text.replace(/(,nell,.*),,\r\n/u, "$1,remove,left\r\n"));
  await expect.poll(() => placeOf(page)).toBe(`/?space=s&tab=review&since=${SINCE}`);
  await page.getByText("1 of 3 rows decided").waitFor();
  await marks(page).toEqual(["Nell, read on Space s: remove, left"]);
  // What the browser kept for the sheet of an earlier version has its words.
  expect((await keptMarks(page)).map(({ covers }) => covers)).toContain(
    `space s, members and guests, every role; new since ${SINCE}`,
  );
  await page.reload();
  await page.getByText("1 of 3 rows decided").waitFor();
});

test("a sheet that the server refuses comes with the command that narrows it as the page does", async () => {
  const narrowing = "least=edit&reason=direct&guests=only&admins=none&since=2000-01-01";
  const page = await desk.visit(`?space=s&tab=review&${narrowing}&at=2`);
  await page.getByText("No revision from before 2000-01-01 is kept").waitFor();
  const command = await page.locator("code", { hasText: "rolebook report" }).innerText();
  expect(command).toBe(
    "rolebook report --organization=o --space=s --least=edit --direct --guests --without-admins --since=2000-01-01 --at=2 > ./review.csv",
  );
});
