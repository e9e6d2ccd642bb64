/** What sites say, in the browser: what would be without it, and how a review groups the roles that it gives. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { parseSheet, sourceOf } from "../../../../src/explorer/page/views/review/sheet.ts";
import { deskOver, placeOf, rowsOf, shows } from "../desk.ts";

const SITE = "acme-docs";
const desk = deskOver(
  [
    ...acme.map((record): SnapshotRecord =>
      record.object === "site" && record.id === SITE ? { ...record, defaultLevel: "comment" } : record,
    ),
    { object: "permission", site: SITE, team: "docs", permission: "edit" },
    { object: "permission", site: SITE, user: "kofi@partner.example", permission: "read" },
  ],
  "acme",
);

test("from a site's level, and from the step of a site that decides, to the effect of removing it", async () => {
  const page = await desk.visit(`?site=${SITE}`);
  await rowsOf(page);
  await page.getByRole("link", { name: "Without it" }).click();
  await shows(page, "Without the default level of site Acme Docs (comment)");
  const on = `on=${encodeURIComponent("space/sdk-guides")}`;
  for (const [user, source, heading] of [
    ["bram", `team/docs@site/${SITE}`, "Without team Docs’s edit on site Acme Docs"],
    ["nils", `default@site/${SITE}`, "Without the default level of site Acme Docs (comment)"],
    ["kofi@partner.example", `user/kofi%40partner.example@site/${SITE}`, undefined],
  ] as const) {
    await page.goto(`${desk.address}?space=sdk-guides&why=${encodeURIComponent(user)}`);
    await page.getByRole("link", { name: "What if this were not there?" }).click();
    await expect.poll(() => placeOf(page)).toBe(`/?without=${encodeURIComponent(source)}&${on}`);
    if (heading !== undefined) await shows(page, heading);
  }
});

test("a review groups the roles that a site gives by what gives them", async () => {
  const { body } = await desk.world.get("/explorer/report?space=sdk-guides", await desk.token());
  const { rows } = parseSheet(String(body));
  const of = (user: string) => rows.filter((row) => row.user.id === user).map((row) => sourceOf(row));
  expect(of("bram")).toEqual(["through team Docs"]);
  expect(of("nils")).toEqual(["through the default level"]);
  expect(of("kofi@partner.example")).toEqual(["by a direct permission"]);
});
