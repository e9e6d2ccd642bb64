/** A downloaded list is complete and safe to open. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import Papa from "papaparse";
import { expect, test } from "vitest";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, focusOf } from "../desk.ts";
import { everyoneIn, type Listed, multitude } from "../multitude.ts";

const RECORDS = multitude(1_500);
const desk = deskOver(RECORDS, "multitude");
const EVERYONE = everyoneIn(RECORDS);

const safe = (text: string) => (/^'*(?:\s*[=+\-@]|[\t\r])/.test(text) ? `'${text}` : text);
const cells = ({ id, name, email, role }: Listed) => [id, name, email, role].map(safe);

/** What a file says. `day` is the day of the import. */
function read(text: string): { day: string; covers: string[]; head: string[]; rows: string[][] } {
  // Spreadsheets recognize UTF-8 by the byte order mark. Every line ends with CRLF.
  expect(text.startsWith("\uFEFFRolebook list\r\norganization,multitude,Multitude\r\nrevision,")).toBe(true);
  const { data, errors } = Papa.parse<string[]>(text, { newline: "\r\n", skipEmptyLines: true });
  expect(errors).toEqual([]);
  const [, , , imported = [], covers = [], head = [], ...rows] = data;
  expect(imported).toEqual(["imported", expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)]);
  return { day: imported[1]?.slice(0, 10) ?? "", covers, head, rows };
}

async function listOf(query: string): Promise<Page> {
  const page = await desk.visit(query, { acceptDownloads: true });
  await page.locator("tbody tr[data-row]").first().waitFor();
  return page;
}

/** In bytes per second: the file takes minutes, unless a test ends the limit. */
const SLOW = 1_000;

/** Limits downloads to {@link SLOW}. The returned function ends it, for the download that is under way, too. */
async function slow(page: Page): Promise<() => Promise<void>> {
  // Another session would not end what this one began.
  const session = await page.context().newCDPSession(page);
  const limit = (downloadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput,
      uploadThroughput: -1,
    });
  await session.send("Network.enable");
  await limit(SLOW);
  return async () => void (await limit(-1));
}

const csv = (page: Page) => page.getByRole("button", { name: "CSV" });

test.each([
  ["", "Long, everyone", [], () => true],
  ["&role=review", "Long, everyone, review", ["role review only"], ({ role }: Listed) => role === "review"],
])(
  "a download of the list%s equals the oracle's list, every cell safe",
  async (filter, name, covers, wanted) => {
    const page = await listOf(`?space=long${filter}`);
    const [download] = await Promise.all([page.waitForEvent("download"), csv(page).click()]);
    const text = await readFile(await download.path(), "utf8");
    const { day, covers: told, head, rows } = read(text);
    expect(download.suggestedFilename()).toBe(`${name}, ${day}, revision 1.csv`);
    expect(told).toEqual(["covers", "everyone with access", "space long", "Long", ...covers]);
    expect(head).toEqual(["id", "name", "email", "role", "because"]);
    const expected = EVERYONE.filter(wanted);
    expect(rows.map((row) => row.slice(0, 4))).toEqual(expected.map(cells));
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    // The list has cells, also in reasons, that a spreadsheet would run as formulas.
    expect(rows.filter(([id]) => id?.startsWith("'=")).length).toBeGreaterThan(20);
    expect(rows.some((row) => row[4] === "team =Some, of them here")).toBe(true);
    await page
      .getByText(`Saved ${expected.length.toLocaleString("en")} rows.`)
      .first()
      .waitFor();
  },
);

test("other lists: all members, a member's spaces", async () => {
  const page = await listOf("?members");
  const [members] = await Promise.all([page.waitForEvent("download"), csv(page).click()]);
  const { day, head, rows } = read(await readFile(await members.path(), "utf8"));
  expect(members.suggestedFilename()).toBe(`Members, ${day}, revision 1.csv`);
  expect(head).toEqual(["id", "name", "email", "role"]);
  expect(rows.map(([id]) => id)).toEqual(EVERYONE.map(({ id }) => safe(id)));

  await page.goto(`${desk.address}?member=m000000`);
  await page.locator("tbody tr[data-row]").first().waitFor();
  const [spaces] = await Promise.all([page.waitForEvent("download"), csv(page).click()]);
  expect(read(await readFile(await spaces.path(), "utf8")).rows).toHaveLength(1);
});

test("a download shows its progress, and the list stays usable", async () => {
  const page = await listOf("?space=long");
  const free = await slow(page);
  await csv(page).click();
  const progress = page.getByRole("progressbar", { name: /^Writing Long, everyone, .*\.csv$/ });
  await progress.waitFor();
  await page.getByText(/^[1-9][\d,]* of 1,500 rows$/).waitFor();
  await page.getByRole("tab", { name: /Direct teams/ }).click();
  await page.getByRole("row", { name: /^=Some, of them/ }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), free()]);
  const rows = read(await readFile(await download.path(), "utf8")).rows;
  expect(rows.map((row) => row.slice(0, 4))).toEqual(EVERYONE.map(cells));
  await page.getByText("Saved 1,500 rows.").first().waitFor();
});

test("cancelled: nothing is saved", async () => {
  const page = await listOf("?space=long");
  const downloads = downloadsOf(page);
  await slow(page);
  await csv(page).click();
  await page.getByText(/^[1-9][\d,]* of 1,500 rows$/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled. Nothing was saved.").first().waitFor();
  expect(downloads).toEqual([]);
});

test("by keyboard: Cancel directly follows CSV, and Escape does the same", async () => {
  const page = await listOf("?space=long");
  const downloads = downloadsOf(page);
  await slow(page);
  await csv(page).focus();
  await page.keyboard.press("Enter");
  await page.getByText(/^[1-9][\d,]* of 1,500 rows$/).waitFor();
  // Cancel comes directly after the button in tab order, before filters and rows.
  await page.keyboard.press("Tab");
  expect(await focusOf(page)).toBe("Cancel");
  // It is still shown below the list.
  const cancel = await page.getByRole("button", { name: "Cancel" }).boundingBox();
  expect(cancel?.y).toBeGreaterThan(860);
  await page.keyboard.press("Escape");
  await page.getByText("Cancelled. Nothing was saved.").first().waitFor();
  expect(downloads).toEqual([]);
});

/** The names of the files that the page saves from now on. */
function downloadsOf(page: Page): string[] {
  const names: string[] = [];
  page.on("download", (download) => names.push(download.suggestedFilename()));
  return names;
}

test("interrupted: the page says so, and can start again", async () => {
  const sockets = new Set<Socket>();
  desk.world.app.server.on("connection", (socket) => sockets.add(socket));
  const page = await listOf("?space=long");
  // Cuts the connection as a crash of the server does: the file ends after its first part.
  const before = new Map([...sockets].map((socket) => [socket, socket.bytesWritten]));
  const cut = setInterval(() => {
    for (const socket of sockets) {
      if (socket.bytesWritten - (before.get(socket) ?? 0) > 60_000) socket.destroy();
    }
  });
  await csv(page).click();
  await page
    .getByText(/^Stopped after [\d,]+ rows: the server went away. Nothing was saved.$/)
    .first()
    .waitFor();
  clearInterval(cut);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Start again" }).click(),
  ]);
  expect(read(await readFile(await download.path(), "utf8")).rows).toHaveLength(EVERYONE.length);
});
