/** The sheet of a review: its download, decisions, draft, saved file and reopening. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeReport } from "../../../../../src/cli/commands/report.ts";
import type { ReportScope } from "../../../../../src/domain/scope.ts";
import { mixed } from "../../mixed.ts";
import { deskOver } from "../../desk.ts";
import { choicesOf, keptMarks } from "./reviewing.ts";

const desk = deskOver(mixed(4), "o");
const ADDRESS = "?space=s1&tab=review";
const DOWNLOADS = { acceptDownloads: true } as const;

/** The file that `rolebook report` writes. */
async function reported(scope: ReportScope): Promise<string> {
  let text = "";
  await writeReport(desk.world.store, "o", scope, {
    say() {},
    async write(piece) {
      text += piece;
    },
  });
  return text;
}

test("the sheet equals the output of rolebook report byte for byte; only callers who see everything get it", async () => {
  const token = await desk.token();
  for (const [query, scope] of [
    ["space=s1", { spaces: ["s1"] }],
    ["collection=c", { collections: ["c"] }],
    ["site=w", { sites: ["w"] }],
    ["member=u03", { users: ["u03"] }],
  ] as const) {
    const { status, body } = await desk.world.get(`/explorer/report?${query}`, token);
    expect([status, body], query).toEqual([200, await reported(scope)]);
  }
  const own = await desk.world.get("/explorer/report?member=u03", await desk.token("u03"));
  expect(own.status).toBe(403);
});

test("there is no sheet of a content that the revision does not have", async () => {
  const { world } = desk;
  const token = await desk.token();
  const later = { object: "space", id: "later", organization: "o", title: "Later" } as const;
  const date = "2026-01-01T00:00:00Z";
  await world.import([...mixed(4), { ...later, createdAt: date, updatedAt: date }]);
  expect((await world.get("/explorer/report?space=later", token)).status).toBe(200);
  const { status, body } = await world.get("/explorer/report?space=later&revision=1", token);
  expect([status, body]).toEqual([404, expect.stringContaining('There is no space \\"later\\"')]);
});

test("decisions are kept without names, saved to a file and opened again; signing out asks about unsaved ones", async () => {
  const page = await desk.visit(ADDRESS, DOWNLOADS);
  await page.getByText("Marks only: nothing is changed.").waitFor();
  const decision = choicesOf(page).first();
  await decision.selectOption("remove");
  await page
    .getByRole("textbox", { name: /^Comment on/ })
    .first()
    .fill(' =left, "gone"');
  await page.keyboard.press("Tab");
  await page.getByText(/1 of \d+ rows decided, not saved to a file yet/).waitFor();
  const kept = JSON.stringify(await keptMarks(page));
  expect(kept).toContain("remove");
  expect(kept).not.toMatch(/Ana|Nils|Zo|Bj|Chlo|mile|@/);
  // The draft is there when the page is reopened, and signing out asks for confirmation.
  await page.reload();
  await page.getByText(/1 of \d+ rows decided, not saved/).waitFor();
  expect(await choicesOf(page).first().inputValue()).toBe("remove");
  await page.getByRole("button", { name: "Sign out" }).first().click();
  const asked = page.getByRole("alertdialog");
  await asked.getByText("1 decision of a review is not saved to a file yet.").waitFor();
  await asked.getByRole("button", { name: "Stay signed in" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save sheet" }).click(),
  ]);
  const path = await download.path();
  const text = readFileSync(path, "utf8");
  const lines = (await reported({ spaces: ["s1"] })).split("\r\n");
  const decided = text.split("\r\n");
  expect(decided[0]).toBe("\uFEFFRolebook report,decided with,test");
  expect(decided.slice(1, 8)).toEqual(lines.slice(1, 8));
  expect(decided[8]).toBe(`${lines[8]?.slice(0, -1)}remove,"' =left, ""gone"""`);
  expect(decided.slice(9)).toEqual(lines.slice(9));
  // Without the draft, the saved file opens with its decisions, and its rows are checked against the hash.
  await page.getByRole("button", { name: "Discard decisions" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByText(/0 of \d+ rows decided/).waitFor();
  const chooser = page.getByLabel("A sheet to open");
  await chooser.setInputFiles({ name: "sheet.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByText("Opened; its rows are those that the server wrote.").waitFor();
  await page.getByText(/1 of \d+ rows decided/).waitFor();
  const forged = text.replace(",admin,", ",read,");
  expect(forged).not.toBe(text);
  await chooser.setInputFiles({ name: "forged.csv", mimeType: "text/csv", buffer: Buffer.from(forged) });
  await page.getByText(/forged.csv was not opened. Its rows are not those that the server wrote/).waitFor();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByLabel("Access token").waitFor();
});
