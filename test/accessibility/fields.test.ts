/** A field, menu, date or dialog keeps the keys that it uses itself, wherever on the page it stands. */
import { expect, test } from "vitest";
import type { Page } from "../parts/browser.ts";
import { deskOver, placeOf, rowsOf, shows, signIn } from "../explorer/page/desk.ts";
import { mixed } from "../explorer/page/mixed.ts";

const desk = deskOver(mixed(4), "o");
const REVIEW = "?space=s1&tab=review";

/** The label of the focused element, and where the caret is in it. */
const focusIn = (page: Page) =>
  page.evaluate<[label: string, caret: number | undefined]>(
    "[document.activeElement.ariaLabel, document.activeElement.selectionStart]",
  );

/** The field of the fourth row of a review. */
async function review(page: Page) {
  await rowsOf(page);
  const row = page.locator("tr[data-row='3']");
  return { comment: row.getByRole("textbox") };
}

test("in a comment, Home and End go to its ends, and no arrow leaves it", async () => {
  const page = await desk.visit(REVIEW);
  const { comment } = await review(page);
  await comment.fill("left in May");
  await comment.focus();
  const [label] = await focusIn(page);
  for (const [key, caret] of [
    ["Home", 0],
    ["End", "left in May".length],
    ["ArrowUp", 0],
    ["ArrowDown", "left in May".length],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focusIn(page), key).toEqual([label, caret]);
  }
});

test("in a closed menu, arrows, Home and End choose what it offers", async () => {
  const page = await desk.visit(REVIEW);
  await rowsOf(page);
  const menu = page.getByLabel("Rows", { exact: true });
  await menu.focus();
  const [label] = await focusIn(page);
  for (const [key, value] of [
    ["ArrowDown", "open"],
    ["ArrowDown", "keep"],
    ["ArrowUp", "open"],
    ["End", "ask"],
    ["Home", ""],
  ] as const) {
    await page.keyboard.press(key);
    expect([(await focusIn(page))[0], await menu.inputValue()], key).toEqual([label, value]);
  }
});

test.each([
  ["a date", `<input type="date" value="2026-03-04">`],
  ["a number", `<input type="number" value="4">`],
  ["a long text", `<textarea>one\ntwo</textarea>`],
  ["a text that is edited in place", `<div contenteditable tabindex="0"><p>one</p><p>two</p></div>`],
  ["a dialog", `<dialog open><button type="button">A button</button></dialog>`],
])("in a row, the tree or the tabs, %s keeps every key", async (_, html) => {
  const page = await desk.visit("?space=s1&why=u01");
  await rowsOf(page);
  await page.getByRole("treeitem").first().waitFor();
  for (const place of ["tr[data-row] td", "[role=tree] li", "[role=tablist]"]) {
    await page.evaluate(`(() => {
      const field = document.createElement("div");
      field.id = "field";
      field.innerHTML = ${JSON.stringify(html)};
      document.querySelector(${JSON.stringify(place)}).append(field);
      field.querySelector("button, input, textarea, [tabindex]").focus();
      window.taken = [];
      addEventListener("keydown", (event) => event.defaultPrevented && window.taken.push(event.key));
    })()`);
    for (const key of ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", "a"])
      await page.keyboard.press(key);
    expect(await page.evaluate("window.taken"), place).toEqual([]);
    expect(await page.evaluate("document.activeElement.closest('#field') !== null"), place).toBe(true);
    await page.evaluate("document.getElementById('field').remove()");
  }
});

test("Alt and an arrow on the tabs go back in the history, as everywhere", async () => {
  const page = await desk.visit("?space=s1");
  await shows(page, "Björn space");
  const tabs = page.getByRole("tab");
  await tabs.nth(1).click();
  await page.evaluate(`addEventListener("keydown", (event) => (window.prevented = event.defaultPrevented))`);
  await page.keyboard.press("Alt+ArrowLeft");
  expect(await page.evaluate("window.prevented")).toBe(false);
});

test("Escape closes a dialog alone: Why stays open", async () => {
  const page = await desk.visit("?space=s1&why=u01");
  await page.getByRole("heading", { name: "Why" }).waitFor();
  await page.getByRole("button", { name: /^Imported/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await page.getByRole("heading", { name: "Why" }).isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Why" }).waitFor({ state: "hidden" });
});

test("in the tree, Enter on Try again tries again", async () => {
  const page = await desk.visit("", { member: null });
  await page.route("**/explorer/tree?*parent=c*", (route) => route.fulfill({ status: 400, body: "" }));
  await signIn(page, await desk.token());
  await page.getByRole("treeitem", { name: "Nils collection" }).locator(".tw").click();
  const again = page.getByRole("tree").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute("**/explorer/tree?*parent=c*");
  await again.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("treeitem", { name: "Björn space" }).waitFor();
  expect(placeOf(page)).toBe("/");
});
