/** Everything works without a mouse: sign-in, search, tree, roles, lists, Why, download and sign-out. */
import { expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import type { Page } from "../parts/browser.ts";
import { deskOver, focusOf, placeOf, shows } from "../explorer/page/desk.ts";

const desk = deskOver(acme, "acme");

/** Presses Tab until an element whose text or label matches has the focus. Throws if none does. */
async function tabTo(page: Page, wanted: RegExp, key = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key);
    const focus = await focusOf(page);
    if (wanted.test(focus)) return;
    passed.push(focus.slice(0, 40));
  }
  throw new Error(`Nothing like ${wanted} takes the focus, only ${passed.join(" | ")}`);
}

const focusIsSeen = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  })()`);

test("from signing in to a file", async () => {
  const page = await desk.visit("", { member: null });
  await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("token");
  await page.keyboard.type(await desk.token());
  await page.keyboard.press("Enter");
  await shows(page, "Acme");
  await expect.poll(() => focusOf(page)).toBe("Acme");

  // The tree is one tab stop; arrows expand and move without selecting; letters search.
  await page.getByRole("treeitem").first().waitFor();
  await tabTo(page, /^Handbook/, "Shift+Tab");
  await expect.poll(() => focusIsSeen(page)).toBe(true);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("treeitem", { name: /Developer docs/ }).waitFor();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => focusOf(page)).toMatch(/^Developer docs/);
  await page.keyboard.press("End");
  await expect.poll(() => focusOf(page)).toMatch(/^Release notes/);
  await page.keyboard.press("Home");
  await expect.poll(() => focusOf(page)).toMatch(/^Handbook/);
  await page.keyboard.type("part");
  await expect.poll(() => focusOf(page)).toMatch(/^Partner/);
  await expect.poll(() => placeOf(page)).toBe("/");
  await page.keyboard.press("Enter");
  await shows(page, "Partner");
  await expect.poll(() => focusOf(page)).toBe("Partner");

  // Roles are buttons, lists are tabs with arrows.
  await page
    .getByRole("button", { name: /^comment/ })
    .first()
    .waitFor();
  await tabTo(page, /^comment/);
  await expect.poll(() => focusIsSeen(page)).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => placeOf(page)).toBe("/?collection=partner&role=comment");
  await tabTo(page, /^Everyone/);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => focusOf(page)).toMatch(/^Direct people/);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => focusOf(page)).toMatch(/^Everyone/);
  await expect.poll(() => placeOf(page)).toBe("/?collection=partner");

  // Names and reasons are tab stops; arrows move among the reasons; Enter opens Why, Escape closes it.
  await page.getByText("Ivo Marten", { exact: true }).first().waitFor();
  await tabTo(page, /^Ivo Marten$/);
  await tabTo(page, /^Why Ivo Marten has admin$/);
  await expect.poll(() => focusIsSeen(page)).toBe(true);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focusOf(page)).toBe("Why Oana Ionescu has admin");
  await page.keyboard.press("Enter");
  await page.getByText("admin, because Oana Ionescu has admin directly on this collection.").waitFor();
  await expect.poll(() => focusOf(page)).toBe("Why");
  await tabTo(page, /^Copy sentence$/);
  await page.keyboard.press("Escape");
  await expect.poll(() => placeOf(page)).toBe("/?collection=partner");
  await expect.poll(() => focusOf(page)).toBe("Why Oana Ionescu has admin");

  // Download, then sign out.
  await tabTo(page, /^CSV$/, "Shift+Tab");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(download.suggestedFilename()).toMatch(/^Partner, everyone, .*\.csv$/);
  await tabTo(page, /^Sign out$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await shows(page, "Who can do what, and why");
  await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("token");
});

test("the first tab stop skips to the list, and no bar hides the focused element", async () => {
  const page = await desk.visit("?collection=handbook", { viewport: { width: 400, height: 600 } });
  await shows(page, "Handbook");
  await page.reload();
  await page.locator("tbody tr[data-row]").first().waitFor();
  await tabTo(page, /^Skip to the list$/);
  await page.keyboard.press("Enter");
  await expect.poll(() => focusOf(page)).toBe("Handbook");
  for (let press = 0; press < 45; press++) {
    await page.keyboard.press("Tab");
    const hidden = await page.evaluate<string | null>(`(() => {
      const focus = document.activeElement;
      if (focus === document.body || focus.id === "list") return null;
      const { left, right, top, bottom } = focus.getBoundingClientRect();
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return above && (focus.contains(above) || above.contains(focus)) ? null : focus.textContent + " under " + above?.className;
    })()`);
    expect(hidden).toBeNull();
  }
});
