/** A long list, scrolled to its end. */
import { expect, test } from "vitest";
import { deskOver, focusOf } from "./desk.ts";
import { everyoneIn, multitude, strongestFirst } from "./multitude.ts";
import { walkList } from "./walk.ts";

const RECORDS = multitude(1_230);
const desk = deskOver(RECORDS, "multitude");
const EVERYONE = strongestFirst(everyoneIn(RECORDS)).map(({ id }) => id);

/** What is drawn at most (brief, "Budget"). */
const MOST = 60;

test.each([
  ["a wide screen, where the list scrolls", { width: 1440, height: 900 }],
  ["a telephone, where the page scrolls", { width: 400, height: 860 }],
])("on %s, everyone is shown exactly once, in order, with few rows in the document", async (_, viewport) => {
  const page = await desk.visit("?space=long", { viewport });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/explorer/access")) asked.push(request.url());
  });
  await page.locator("tbody tr[data-row]").first().waitFor();
  const { ids, most } = await walkList(page);
  expect(ids).toEqual(EVERYONE);
  expect(most).toBeLessThanOrEqual(MOST);
  // A hundred at a time, each page once.
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(EVERYONE.length / 100));
  expect(new Set(asked).size).toBe(asked.length);
});

test("a filtered list ends where its role does", async () => {
  const page = await desk.visit("?space=long&role=comment");
  await page.locator("tbody tr[data-row]").first().waitFor();
  const some = everyoneIn(RECORDS).filter(({ role }) => role === "comment");
  expect((await walkList(page)).ids).toEqual(some.map(({ id }) => id));
});

test("by keyboard: End goes as far as is read, again and again, and nothing loses the focus", async () => {
  const page = await desk.visit("?space=long");
  await page.locator("tbody tr[data-row] .bec button").first().focus();
  const place = () =>
    page.evaluate<number>("Number(document.activeElement.closest('[data-row]')?.dataset.row ?? -1)");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await place()).toBe(2);
  for (let before = 2; before < 500; before = await place()) {
    const end = async () => {
      await page.keyboard.press("End");
      return place();
    };
    await expect.poll(end, { timeout: 10_000 }).toBeGreaterThan(before);
  }
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  await expect.poll(place).toBe(0);
  expect(await focusOf(page)).not.toBe("");
});
