/** The checks on the start page: findings to tidy up, and the outcomes of a decided report. */
import Papa from "papaparse";
import { beforeAll, expect, test } from "vitest";
import { FINDINGS } from "../../../../src/domain/findings.ts";
import { tidy } from "../../../../src/review/tidy.ts";
import { acme } from "../../../examples/acme.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import type { Page } from "../../../parts/browser.ts";
import { currentReading } from "../../../review/decided-rows.ts";
import { deskOver, placeOf, rowsOf, shows, signIn } from "../desk.ts";

const desk = deskOver(acme, "acme");
const DECIDED = "?decided";

/** The report on guests as of the first revision, with decisions. */
let report: string;
beforeAll(async () => {
  const { status, body } = await desk.world.get("/explorer/report?collection=partner", await desk.token());
  expect(status).toBe(200);
  report = decide(body, {
    "partner partner/mei": "ask,",
    "partner zanele@partner.example": 'Remove ,"Left, at last"',
    "partner kofi@partner.example": "remove,",
    "partner ana": "keep,",
  });
  await desk.world.import(LATER);
});

/** Zanele left her team; Yuki joined it. Ana fell to read on the style guide. */
const LATER = acme.flatMap((record): SnapshotRecord[] => {
  if (record.object === "permission" && record.space === "style-guide" && record.user === "ana")
    return [{ ...record, permission: "read" }];
  if (record.object !== "teamMember" || record.user !== "zanele@partner.example") return [record];
  return [{ ...record, user: "yuki@partner.example" }];
});

/** Fills in the decision and comment of some rows. */
function decide(sheet: string, decisions: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(decisions));
  const lines = sheet.split("\r\n").map((line) => {
    const [[, content, , , user] = []] = Papa.parse<string[]>(line).data;
    const decision = decisions[`${content} ${user}`];
    left.delete(`${content} ${user}`);
    return decision === undefined ? line : line.replace(/,$/, decision);
  });
  expect([...left]).toEqual([]);
  return lines.join("\r\n");
}

async function open(page: Page, text: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "review.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
}

/** The shown groups of outcomes, each with its number of rows. */
async function groupsOf(page: Page): Promise<string[][]> {
  const block = page.getByRole("region", { name: "Check a decided report" });
  const lines = await block.getByRole("listitem").allInnerTexts();
  return lines.map((text) => text.split(/\n+/));
}

test("on request, Home counts the findings of tidy, each kind with its list", async () => {
  const found: string[] = [];
  for await (const some of tidy(await currentReading(desk.world, "acme")))
    found.push(...some.map(({ kind }) => kind));
  const page = await desk.visit();
  const block = page.getByRole("region", { name: "What can be tidied up" });
  expect(await block.getByRole("listitem").count()).toBe(0);
  await block.getByRole("button", { name: "Look for findings" }).click();
  await block.getByText(`${found.length} findings in all.`).waitFor();
  const lines = (await block.getByRole("listitem").allInnerTexts()).map((text) => text.split(/\n+/));
  expect(lines.map(([words = "", number]) => [words.toLowerCase(), Number(number)])).toEqual(
    Object.entries(FINDINGS).map(([kind, words]) => [words, found.filter((each) => each === kind).length]),
  );
  await block.getByText("rolebook tidy --organization acme --format changes > ./tidy.ndjson").waitFor();
  await block.getByRole("link", { name: "Permission that changes nothing", exact: true }).click();
  await shows(page, "Permission that changes nothing");
  expect(await rowsOf(page)).toEqual([
    ["API reference", "Priya Raman", "comment", "organization admin, whatever else is set"],
  ]);
  // The number above a list is that of its rows.
  await page.getByText("1 finding in all.").waitFor();
  // The start page keeps the findings until the page shows another revision.
  await page.getByRole("link", { name: "Acme", exact: true }).click();
  await block.getByText(`${found.length} findings in all.`).waitFor();
  await page
    .getByRole("link", { name: /revision|:/ })
    .last()
    .click();
  await block.getByRole("button", { name: "Look for findings" }).waitFor();
});

test("an address of findings opens with them; reading can be cancelled", async () => {
  const page = await desk.visit("?tidy&show=no-access", { member: null });
  // The server does not answer.
  await page.route("**/explorer/tidy*", () => {});
  await signIn(page, await desk.token());
  await shows(page, "Member without access");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("0 findings so far.").waitFor();
  await page.unroute("**/explorer/tidy*");
  await page.getByRole("button", { name: "Start again" }).click();
  expect(await rowsOf(page)).toEqual([
    ["Jonas Weber", "", "", "a guest, without a permission and in no team"],
    ["Zanele Dlamini", "", "", "a guest, without a permission and in no team"],
  ]);
  await page.reload();
  expect(await rowsOf(page)).toHaveLength(2);
});

test("findings without a kind are all kinds, each with its list; so is an unknown kind", async () => {
  const page = await desk.visit("?tidy");
  await shows(page, "What can be tidied up");
  for (const words of Object.values(FINDINGS))
    await page
      .getByRole("main")
      .getByRole("link", { name: new RegExp(`^${words}$`, "i") })
      .waitFor();
  await page.goto(`${desk.address}?tidy&show=nothing-known`);
  await shows(page, "What can be tidied up");
  await page.getByRole("main").getByRole("link", { name: "Member without access" }).click();
  expect(await rowsOf(page)).toHaveLength(2);
});

test("a decided report is checked, and its decisions do not leave the browser", async () => {
  const page = await desk.visit();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()} ${request.postData()}`));
  await open(page, report);
  await page
    .getByText(/^Collection partner and all that lies in it, members and guests, every role; revision 1/)
    .waitFor();
  // Groups appear while the answer arrives.
  await page.getByText(/^\d+ outcomes in all\.$/).waitFor();
  const groups = new Map(
    await groupsOf(page).then((lines) => lines.map(([words, number]) => [words, number])),
  );
  expect([...groups.keys()]).toEqual([
    "Ask: still there",
    "Keep: still there",
    "Never looked at: came",
    "Remove: removed",
    "Remove: still there",
    "Undecided: removed",
    "Undecided: still there",
  ]);
  expect(groups.get("Remove: removed")).toBe("1");
  await page.getByRole("link", { name: "Remove: removed" }).click();
  await expect.poll(() => placeOf(page)).toContain("show=remove");
  const [row = []] = await rowsOf(page);
  expect(row.slice(0, 4)).toEqual(["Partner", "Zanele Dlamini", "review", "no role"]);
  expect(row[4]).toMatch(
    /^a guest without a permission; Zanele Dlamini left team Agency in revision 2 \(.+\); “Left, at last”$/,
  );
  await page.getByRole("link", { name: "Acme", exact: true }).click();
  await page.getByRole("link", { name: "Never looked at: came" }).click();
  await expect.poll(async () => (await rowsOf(page))[0]?.slice(0, 2)).toEqual(["Partner", "Yuki Sato"]);
  expect(await page.getByText("of the file differ").count()).toBe(0);
  for (const request of asked) expect(request).toMatch(/^GET /);
  expect(asked.join()).not.toMatch(/Left|last|remove,|decision=/);
});

test("a decided report is still open after a reload, until the reader signs out", async () => {
  const page = await desk.visit();
  await open(page, report);
  await page.getByRole("link", { name: "Remove: removed" }).click();
  for (const again of [true, false]) {
    await page.getByText(/“Left, at last”$/).waitFor();
    expect((await rowsOf(page))[0]?.slice(0, 4)).toEqual(["Partner", "Zanele Dlamini", "review", "no role"]);
    if (again) await page.reload();
  }
  await page.goto(desk.address);
  await page.getByText(/^\d+ outcomes in all\.$/).waitFor();
  expect(await groupsOf(page)).toContainEqual(["Remove: removed", "1"]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Access token").waitFor();
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
});

test("a decided report for which the browser has no room is checked all the same", async () => {
  const page = await desk.visit();
  await page.evaluate(`sessionStorage.setItem("full", "x".repeat(5 * 2 ** 20 - 200))`);
  await open(page, report);
  await page.getByText("This browser does not keep the report: open it again after a reload").waitFor();
  await page.getByText(/^\d+ outcomes in all\.$/).waitFor();
});

test("who fell beneath what a report covers is apart, with the role that is left", async () => {
  const path = "/explorer/report?space=style-guide&least=create&revision=1";
  const { body } = await desk.world.get(path, await desk.token());
  const page = await desk.visit();
  await open(page, decide(body, { "style-guide ana": "remove," }));
  await page.getByRole("link", { name: "Remove: below, now read" }).click();
  const [row = []] = await rowsOf(page);
  expect(row.slice(0, 4)).toEqual(["Style guide", "Ana Lima", "admin", "read"]);
  await page.getByText("1 outcome in all.").waitFor();
});

test("rows that differ from the report are counted", async () => {
  const page = await desk.visit();
  const rows = report.split("\r\n");
  const altered = rows
    .filter((row) => !row.includes("partner/mei"))
    .map((row) => (row.includes("zanele@") ? row.replace(",review,", ",edit,") : row));
  const changed = altered.filter(
    (row, at) => row !== rows.filter((each) => !each.includes("partner/mei"))[at],
  );
  await open(page, altered.join("\r\n"));
  await page.getByText(`${changed.length} rows of the file differ from the report`).waitFor();
  await page.getByRole("link", { name: "Not in the file: still there" }).waitFor();
});

test("the reason is shown if a file is not opened or not checked", async () => {
  const page = await desk.visit(DECIDED);
  for (const [text, why] of [
    ["content,user\r\n", "This is not a sheet of rolebook report with its head."],
    [report.replace("organization,acme", "organization,other"), "It is of organization other."],
  ] as const) {
    await open(page, text);
    await page.getByText(`review.csv was not opened. ${why}`).waitFor();
  }
  await open(page, report.replace("revision,1", "revision,77"));
  await page.getByText("The report is of revision 77, and revision 2 is read").waitFor();
});

test("the server answers like rolebook review, and only to callers who see everything", async () => {
  const path = `/explorer/outcomes?earlier=1&covers=${encodeURIComponent("space sdk-guides, guests only, every role")}`;
  expect((await desk.world.get(path, await desk.token("ana"))).status).toBe(403);
  const { body } = await desk.world.get(path, await desk.token());
  expect(body.replace(/\d{4}-[^,]+Z/g, "TIME")).toContain(
    "outcome,kind,content,title,user,name,was,now,reason,revision,time,change\r\n",
  );
  expect(body).toContain(
    "still there,space,sdk-guides,SDK guides,yuki@partner.example,Yuki Sato,comment,comment,direct permission here,,,\r\n",
  );
});
