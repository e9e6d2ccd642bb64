/** What stands on paper: all of every text, and no control of the page. */
import { expect, test } from "vitest";
import type { Page } from "../../parts/browser.ts";
import { deskOver, rowsOf } from "../desk.ts";
import { choicesOf } from "./reviewing.ts";
import { LONGEST, odd } from "./odd.ts";

const desk = deskOver(odd, "odd");

/** The width of A4 within its margins, in px. */
const PAPER = 703;

/**
 * Prints to a page of A4 width. Returns the texts of the rows, what is cut, words that are broken, the controls, and the
 * width beyond the page in px.
 */
async function printed(page: Page) {
  await page.setViewportSize({ width: PAPER, height: 900 });
  await page.emulateMedia({ media: "print" });
  return page.evaluate<
    Record<"cut" | "broken" | "controls", string[]> & { rows: string[][]; beyond: number }
  >(`(() => {
    dispatchEvent(new Event("beforeprint"));
    const paper = document.querySelector(".paper");
    const seen = (names) => [...paper.querySelectorAll(names)].filter((each) => each.checkVisibility() && each.clientWidth > 0);
    const lines = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element.lastChild);
      return range.getClientRects().length;
    };
    const told = (elements) => elements.map((element) => element.outerHTML);
    return {
      rows: [...paper.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim())),
      cut: told(seen("*").filter((each) => getComputedStyle(each).overflowX !== "visible" &&
        (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))),
      broken: told(seen("th, .role").filter((each) => /^\\S{1,20}$/.test(each.textContent) && lines(each) > 1)),
      controls: told(seen("input, select, textarea, td button")),
      beyond: document.documentElement.scrollWidth - innerWidth,
    };
  })()`);
}

const WHOLE = { cut: [], broken: [], controls: [], beyond: 0 };

test("a review is printed with its decisions and the whole comments, as text", async () => {
  const page = await desk.visit("?space=tied&tab=review");
  await rowsOf(page);
  const comment = `Left in May; ${"her successor needs the same for the release, ".repeat(6)}see below`;
  await choicesOf(page).nth(1).selectOption("remove");
  await page
    .getByRole("textbox", { name: /^Comment on/ })
    .nth(1)
    .fill(comment);
  await page.keyboard.press("Tab");
  await page.getByText(/1 of \d+ rows decided/).waitFor();
  const { rows, ...rest } = await printed(page);
  expect(rest).toEqual(WHOLE);
  expect(rows.map((row) => row.slice(-2))).toEqual(
    rows.map((_, at) => (at === 1 ? ["remove", comment] : ["", ""])),
  );
});

test("so is a decided report", async () => {
  const { body } = await desk.world.get("/explorer/report?space=tied", await desk.token());
  const comment = "her successor needs the same for the release and the one after it; ".repeat(8);
  const decided = body.replace(/(,plain,.*),\r\n/, `$1remove,${comment.trim()}\r\n`);
  expect(decided).not.toBe(body);
  const page = await desk.visit();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "review.csv", mimeType: "text/csv", buffer: Buffer.from(decided) });
  await page.getByRole("link", { name: "Remove: still there" }).click();
  await rowsOf(page);
  await page.getByRole("button", { name: /^More/ }).waitFor();
  const { rows, ...rest } = await printed(page);
  expect(rest).toEqual(WHOLE);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.at(-1)).toMatch(new RegExp(`“${comment.trim()}”$`));
});

test.each([
  "?space=tied",
  "?space=tied&tab=teams",
  "?space=long-title",
  "?site=all&tab=spaces",
  "?collection=deep-1&tab=contents",
  "?member=plain",
  "?member=plain&tab=teams",
  "?member=long&tab=review",
  "?team=fifty",
  "?team=t1&tab=members",
  "?members",
  "?teams",
  "?contents&show=closed",
  "?compare=plain&other=long",
  "?reach=t1",
])("nothing of %s is cut on paper", async (query) => {
  const page = await desk.visit(query);
  await rowsOf(page);
  const { rows, ...rest } = await printed(page);
  expect(rest).toEqual(WHOLE);
  expect(rows.length).toBeGreaterThan(0);
  if (query === "?members") expect(rows.flat().some((text) => text.includes(LONGEST))).toBe(true);
});
