/** A long list, scrolled to its end. */
import { expect, test } from "vitest";
import { ScrollScale } from "../../../../src/explorer/page/parts/window.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../desk.ts";
import { everyoneIn, multitude, strongestFirst } from "../multitude.ts";
import { walkList } from "./walk.ts";

const RECORDS = multitude(1_230);
const desk = deskOver(RECORDS, "multitude");
const EVERYONE = strongestFirst(everyoneIn(RECORDS)).map(({ id }) => id);

/** The largest number of drawn rows. */
const MOST = 60;

test.each([
  ["a wide screen, where the list scrolls", { width: 1440, height: 900 }],
  ["a telephone, where the page scrolls", { width: 400, height: 860 }],
])("on %s, everyone is shown exactly once, in order, with few rows in the DOM", async (_, viewport) => {
  const page = await desk.visit("?space=long", { viewport });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/explorer/access")) asked.push(request.url());
  });
  await page.locator("tbody tr[data-row]").first().waitFor();
  const { ids, most } = await walkList(page);
  expect(ids).toEqual(EVERYONE);
  expect(most).toBeLessThanOrEqual(MOST);
  // Each page has 100 rows, and was requested once.
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(EVERYONE.length / 100));
  expect(new Set(asked).size).toBe(asked.length);
});

test("a tall window is filled: every row on the screen is drawn and read", async () => {
  const page = await desk.visit("?space=long", { viewport: { width: 1440, height: 9_000 } });
  await page.locator("tbody tr[data-row]").first().waitFor();
  const gap = () =>
    page.evaluate<number>(`(() => {
      const box = document.querySelector(".scroll").getBoundingClientRect();
      const rows = [...document.querySelectorAll("tbody tr[data-row]:not([data-blank])")];
      return box.bottom - Math.max(...rows.map((row) => row.getBoundingClientRect().bottom));
    })()`);
  await expect.poll(gap).toBeLessThanOrEqual(0);
  await page.evaluate(`document.querySelector(".scroll").scrollTop = ${700 * ROW}`);
  await page.locator(`#user-${EVERYONE[710]}`).waitFor();
  await expect.poll(gap).toBeLessThanOrEqual(0);
  // A list that fits is whole.
  await page.goto(`${desk.address}?space=long&role=admin`);
  const admins = everyoneIn(RECORDS).filter(({ role }) => role === "admin").length;
  await expect.poll(() => page.locator("tbody tr[data-row]").count()).toBe(admins);
});

test("a filtered list ends where its role does", async () => {
  const page = await desk.visit("?space=long&role=comment");
  await page.locator("tbody tr[data-row]").first().waitFor();
  const some = everyoneIn(RECORDS).filter(({ role }) => role === "comment");
  expect((await walkList(page)).ids).toEqual(some.map(({ id }) => id));
});

/** The scroll position and height of the list in px, and the number of visible rows that are loaded. */
const scroller = (page: Page) =>
  page.evaluate<{ top: number; height: number; seen: number }>(`(() => {
    const box = document.querySelector(".scroll");
    const { top, bottom } = box.getBoundingClientRect();
    const rows = [...document.querySelectorAll("tbody tr[data-row]:not([data-blank])")].filter((row) => {
      const { y, height } = row.getBoundingClientRect();
      return y >= top && y + height <= bottom;
    });
    return { top: box.scrollTop, height: box.scrollHeight, seen: rows.length };
  })()`);

const ROW = 36;

test("by keyboard: End goes to the end, Home to the beginning, and the focus is never lost", async () => {
  const page = await desk.visit("?space=long");
  await page.locator("tbody tr[data-row] .bec button").first().focus();
  const place = () =>
    page.evaluate<number>("Number(document.activeElement.closest('[data-row]')?.dataset.row ?? -1)");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await place()).toBe(2);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.keyboard.press("End");
  await expect.poll(place).toBe(EVERYONE.length - 1);
  // Only the last rows and those on the screen above them are loaded, nothing in between.
  expect(asked.filter((url) => url.includes("/explorer/access"))).toHaveLength(2);
  expect(await page.evaluate<string>("document.activeElement.id")).toBe(`reason-${EVERYONE.at(-1)}`);
  await page.keyboard.press("ArrowUp");
  await expect.poll(place).toBe(EVERYONE.length - 2);
  await page.keyboard.press("Home");
  await expect.poll(place).toBe(0);
  expect(await focusOf(page)).not.toBe("");
});

test("the scrollbar shows the length of the list, and rows are read where scrolling stops", async () => {
  const page = await desk.visit("?space=long");
  await expect.poll(async () => (await scroller(page)).height).toBeGreaterThan(EVERYONE.length * ROW);
  expect((await scroller(page)).height).toBeLessThan((EVERYONE.length + 3) * ROW);
  await page.evaluate(`document.querySelector(".scroll").scrollTop = ${700 * ROW}`);
  await page.locator(`#user-${EVERYONE[710]}`).waitFor();
  await expect.poll(async () => (await scroller(page)).seen).toBeGreaterThan(10);
  expect(await page.locator('tr[data-row="710"] th a').getAttribute("id")).toBe(`user-${EVERYONE[710]}`);
});

test("a list that is opened again is at the same position", async () => {
  const page = await desk.visit("?space=long");
  await expect.poll(async () => (await scroller(page)).height).toBeGreaterThan(EVERYONE.length * ROW);
  await page.evaluate(`document.querySelector(".scroll").scrollTop = ${900 * ROW + 7}`);
  await page.locator(`#user-${EVERYONE[905]}`).waitFor();
  // The position is stored when scrolling stops.
  await expect.poll(() => page.evaluate<number>("history.state.position?.list")).toBe(900 * ROW + 7);
  await page.reload();
  await page.locator(`#user-${EVERYONE[905]}`).waitFor();
  await expect.poll(async () => (await scroller(page)).top).toBe(900 * ROW + 7);
});

test("up to half a million rows have full height, more are placed in proportion, the last one at the end", () => {
  const view = 600;
  for (const [count, height] of [
    [500_000, 500_000 * ROW],
    [1_000_000, 500_000 * ROW],
  ] as const) {
    const rows = new ScrollScale(count, ROW, view);
    expect(rows.height).toBe(height);
    expect(rows.rowAt(0)).toBe(0);
    expect(rows.rowAt(height - view)).toBeCloseTo(count - view / ROW, 3);
    for (const row of [0, 7, count / 2, count - 20]) {
      const place = rows.scrollFor(row);
      expect(rows.rowAt(place)).toBeCloseTo(row, 3);
      expect(rows.topOf(row, place)).toBeCloseTo(place, 3);
      expect(rows.topOf(row + 1, place) - rows.topOf(row, place)).toBeCloseTo(ROW, 3);
    }
  }
});

test("if a search finds more than it shows, all matches are a list that can be filtered by kind", async () => {
  const page = await desk.visit("?space=long");
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]").fill("ines");
  await page.getByText("The first 12 matches").first().waitFor();
  const all = page.getByRole("option", { name: /^All [\d,]+ matches$/ });
  const [number = ""] = /[\d,]+/.exec(await all.innerText()) ?? [];
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await shows(page, "Matches of “ines”");
  await page
    .getByText(new RegExp(`^${number} matches`))
    .first()
    .waitFor();
  expect(placeOf(page)).toBe("/?found&q=ines");
  // With the keyboard, choose a filter without results and one that everyone passes.
  await page.getByRole("button", { name: "Teams 0" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nothing here matches: teams").waitFor();
  await page.getByRole("button", { name: `Members ${number}` }).click();
  await rowsOf(page);
  expect(placeOf(page)).toBe("/?found&kind=member&q=ines");
});
