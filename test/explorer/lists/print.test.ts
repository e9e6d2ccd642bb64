/** A printed list is complete, with a heading and page numbers. */
import { expect, test } from "vitest";
import type { Page } from "../../parts/browser.ts";
import { deskOver, shows } from "../desk.ts";
import { everyoneIn, multitude, strongestFirst } from "../multitude.ts";

const RECORDS = multitude(5_100);
const desk = deskOver(RECORDS, "multitude");
const EVERYONE = strongestFirst(everyoneIn(RECORDS));
/**
 * Of the roles that fill more than one page of the list, the role with the fewest members, because printing is slow.
 */
const [ROLE = "read", HOLDERS = []] =
  Object.entries(Object.groupBy(EVERYONE, ({ role }) => role))
    .filter(([, holders]) => (holders?.length ?? 0) > 150)
    .sort(([, a = []], [, b = []]) => a.length - b.length)[0] ?? [];

/** Starts printing with `start`. Returns the printed text and the number of PDF pages. */
async function printed(page: Page, start: () => Promise<void>) {
  await page.evaluate(`window.print = () => { window.asked = true; }`);
  await start();
  await expect.poll(() => page.evaluate<boolean>("window.asked === true")).toBe(true);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const paper = await page.evaluate<{ head: string; ids: string[] }>(`(() => {
    const paper = document.querySelector(".paper");
    const ids = [...paper.querySelectorAll("tbody a[id^=user-]")].map(({ id }) => id.slice("user-".length));
    return { head: paper.querySelector("header").textContent, ids };
  })()`);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator(".paper").count()).toBe(0);
  return { ...paper, pages: pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0 };
}

test("the whole list is printed, however much was read before, with organization, revision and filter", async () => {
  const page = await desk.visit(`?space=long&role=${ROLE}`);
  await shows(page, "Long");
  await page.locator("tbody tr[data-row]").first().waitFor();
  const { head, ids, pages } = await printed(page, () => page.getByRole("button", { name: "Print" }).click());
  expect(head).toMatch(/^Multitude, revision \d+, imported today, \d\d:\d\dLongEveryone with access to Long/);
  expect(head).toContain(`${HOLDERS.length.toLocaleString("en")} members with ${ROLE}, by member id`);
  expect(ids).toEqual(HOLDERS.map(({ id }) => id));
  expect(pages).toBeGreaterThan(HOLDERS.length / 80);
  await page.emulateMedia({ media: "print" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator("#page").isVisible()).toBe(false);
  expect(await page.locator(".paper .go").first().isVisible()).toBe(false);
});

test("by the shortcut too; a list of more than 5,000 rows is refused with advice to save a file", async () => {
  const page = await desk.visit("?space=long");
  await page.locator("tbody tr[data-row]").first().waitFor();
  const { head, ids, pages } = await printed(page, () => page.keyboard.press("Control+p"));
  expect(head).toContain("This list has 5,100 rows; lists of up to 5,000 can be printed. Choose CSV");
  expect(ids).toEqual([]);
  expect(pages).toBe(1);
});
