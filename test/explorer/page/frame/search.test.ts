/** The search, and choosing a hit by keyboard. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, focusOf, placeOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");

/** Opens the search. Returns the dialog and its field. */
async function openSearch(page: Page) {
  await page.keyboard.press("Control+k");
  const box = page.getByRole("dialog");
  return { box, field: box.locator("[role=combobox]") };
}

async function foundBy(page: Page, text: string): Promise<string[]> {
  const { box, field } = await openSearch(page);
  const answered = page.waitForResponse((response) => new URL(response.url()).searchParams.get("q") === text);
  await field.pressSequentially(text);
  const { items }: { items: unknown[] } = await (await answered).json();
  await expect.poll(() => box.getByRole("option").count()).toBe(items.length);
  const found = await box.getByRole("option").allInnerTexts();
  await field.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  return found.map((each) => each.replaceAll(/\s+/g, " "));
}

test("typing finds what begins with the text first, then what is inside words; arrows choose, Enter opens", async () => {
  const page = await desk.visit();
  await shows(page, "Acme");
  const { box, field } = await openSearch(page);
  await field.pressSequentially("api");
  await box.getByText("4 matches").first().waitFor();
  expect(await box.getByRole("option").allInnerTexts()).toEqual([
    expect.stringMatching(/API reference\s+Handbook\s+\/ Developer docs\s+space/),
    expect.stringMatching(/Batch API\s+Handbook\s+\/ Developer docs\s+\/ Beta\s+space/),
    expect.stringMatching(/Ebenezer Apiah\s+ebenezer.apiah@acme.example\s+member/),
    expect.stringMatching(/Dana Kapitan\s+dana.kapitan@acme.example\s+member/),
  ]);
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  await field.press("ArrowUp");
  const chosen = box.getByRole("option", { selected: true });
  expect(await chosen.innerText()).toContain("Batch API");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
  await field.press("Enter");
  await shows(page, "Batch API");
  expect(placeOf(page)).toBe("/?space=batch-api");
  expect(await focusOf(page)).toContain("Batch API");
});

test("names, e-mail addresses, ids, and titles of every kind of thing are found, ignoring case", async () => {
  const page = await desk.visit();
  await shows(page, "Acme");
  expect(await foundBy(page, "KOFI@PARTNER.EXAMPLE")).toEqual([expect.stringMatching(/^Kofi Mensah/)]);
  expect(await foundBy(page, "lima ana")).toEqual([expect.stringMatching(/^Ana Lima/)]);
  expect(await foundBy(page, "partner hub")).toEqual(["Partner hub 4 spaces site"]);
  expect(await foundBy(page, "transl")).toEqual(["Translators 5 members team"]);
  expect(await foundBy(page, "handb")).toEqual([expect.stringMatching(/^Handbook.*collection$/)]);
  expect(await foundBy(page, "nothing like it")).toEqual([]);
});

test("the results are those of the last typed text, however fast the typing", async () => {
  const page = await desk.visit();
  await shows(page, "Acme");
  const { box, field } = await openSearch(page);
  let underWay = 0;
  let most = 0;
  page.on("request", (request) => {
    if (request.url().includes("/explorer/search")) most = Math.max(most, ++underWay);
  });
  const ended = (request: { url(): string }) => {
    if (request.url().includes("/explorer/search")) underWay--;
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  await field.pressSequentially("sofia petrov", { delay: 2 });
  await box.getByText("1 match").first().waitFor();
  expect(await box.getByRole("option").innerText()).toContain("Sofia Petrov");
  expect(most).toBe(1);
});

test("Escape closes and returns the focus", async () => {
  const page = await desk.visit("?space=api-reference");
  await shows(page, "API reference");
  const reason = page.getByRole("row", { name: /Daniel Osei/ }).getByRole("button");
  await reason.focus();
  const before = await focusOf(page);
  const { field } = await openSearch(page);
  await field.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect(await focusOf(page)).toBe(before);
  expect(placeOf(page)).toBe("/?space=api-reference");
});

test("checking a person finds only members, and opens Why also for those without access", async () => {
  const page = await desk.visit("?space=salaries");
  await shows(page, "Salaries");
  await page.getByRole("button", { name: "Check a person" }).click();
  const box = page.getByRole("dialog", { name: "Find a member" });
  await box.locator("[role=combobox]").pressSequentially("p");
  await box.getByRole("option").first().waitFor();
  for (const each of await box.getByRole("option").allInnerTexts())
    expect(each).toMatch(/(admin|create|review|edit|comment|read|no access)$/);
  await box.locator("[role=combobox]").pressSequentially("avel");
  await box.getByText("1 match").first().waitFor();
  await box.locator("[role=combobox]").press("Enter");
  await page
    .getByText("No access, because this space is closed and Pavel Novák has no permission on it.")
    .waitFor();
  expect(placeOf(page)).toBe("/?space=salaries&why=pavel");
});
