/**
 * Unusual data: names that hide or reverse the text around them, and a tree that is taller and deeper than any window.
 */
import { expect, test } from "vitest";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, rowsOf, shows } from "../desk.ts";
import { LONGEST, levelTitle, odd } from "./odd.ts";

const desk = deskOver(odd, "odd");

/** The overflow below the page in px, and the position of its header after scrolling to the end. */
const scrolled = (page: Page) =>
  page.evaluate<{ beyond: number; top: number }>(`(() => {
    scrollTo(0, 100_000);
    const { scrollHeight, clientHeight } = document.documentElement;
    return { beyond: scrollHeight - clientHeight, top: document.querySelector(".top").getBoundingClientRect().top };
  })()`);

test("a tree higher than the window scrolls by itself: the page does not, and its header stays", async () => {
  const page = await desk.visit("?space=tied");
  await rowsOf(page);
  await page.getByRole("treeitem", { name: "Tall 59" }).waitFor();
  expect(await scrolled(page)).toEqual({ beyond: 0, top: 0 });
});

test("in a low window the page scrolls: the header stays, and so does the tree, which ends with the window", async () => {
  const page = await desk.visit("?collection=deep-1", { viewport: { width: 1000, height: 420 } });
  await rowsOf(page);
  const { beyond, top } = await scrolled(page);
  expect(beyond).toBeGreaterThan(0);
  expect(top).toBe(0);
  const side = await page.locator(".side").boundingBox();
  expect(side?.y).toBe(49);
  expect(side?.height).toBe(420 - 49);
  // The list can be read up to its last row.
  const last = await page.locator("tbody tr[data-row]").last().boundingBox();
  expect((last?.y ?? 1e9) + (last?.height ?? 0)).toBeLessThanOrEqual(420);
});

test("blank names fall back to the e-mail address, then the id, in lists, headings and the tab", async () => {
  const page = await desk.visit("?members");
  await rowsOf(page);
  const names = await page.locator("tbody th a").allInnerTexts();
  expect(names).toContain("blank@odd.example");
  expect(names).toContain("nameless");
  await page.getByRole("link", { name: "nameless", exact: true }).click();
  await shows(page, "nameless");
  await expect.poll(() => page.title()).toBe("nameless – what they can reach – Rolebook");
  await page.getByRole("treeitem", { name: "blank-title" }).click();
  await shows(page, "blank-title");
});

test("characters that change the direction of text are shown visibly", async () => {
  const page = await desk.visit("?member=turned");
  await shows(page, "Ann[U+202E]gnp.exe");
  await expect.poll(() => page.title()).toContain("Ann[U+202E]gnp.exe");
  await page.getByRole("treeitem", { name: "Invoice[U+202E]fdp.exe" }).click();
  await shows(page, "Invoice[U+202E]fdp.exe");
  await page.goto(`${desk.address}?members`);
  await page.getByRole("link", { name: "[U+2067]Bo[U+2069] b" }).waitFor();
  expect(
    await page.evaluate<boolean>("/[\\u202A-\\u202E\\u2066-\\u2069]/u.test(document.body.innerText)"),
  ).toBe(false);
});

test.each([1440, 1024, 768, 400, 320])("at %i px a long name ends before the role", async (width) => {
  const page = await desk.visit("?space=tied", { viewport: { width, height: 900 } });
  const row = page.getByRole("row", { name: new RegExp(LONGEST.slice(0, 30)) });
  const right = async (selector: string) => {
    const box = await row.locator(selector).first().boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const meter = await row.locator(".meter").boundingBox();
  expect(await right("th a")).toBeLessThanOrEqual(meter?.x ?? 0);
  expect(await right("th .cell")).toBeLessThanOrEqual(meter?.x ?? 0);
  const mail = await page
    .getByRole("row", { name: /jane@odd.example/ })
    .locator(".mail")
    .boundingBox();
  expect(mail?.width).toBeGreaterThan(60);
});

test("of fifty teams that give the same role, the number and a few names are shown", async () => {
  const page = await desk.visit("?space=tied&why=plain");
  await page.getByText("50 teams have review here").waitFor();
  expect(await page.locator(".src li").count()).toBe(8);
  await page.getByRole("button", { name: "42 more teams" }).click();
  expect(await page.locator(".src li").count()).toBe(50);
});

test("zero counts are aligned with the others; the filter's clear button has the page's colour", async () => {
  const page = await desk.visit("?space=tied");
  await rowsOf(page);
  const tops = await page.evaluate<number[]>(
    `[...document.querySelectorAll(".chips .n")].map((number) => number.getBoundingClientRect().top)`,
  );
  expect(new Set(tops).size).toBe(1);
  await page.goto(`${desk.address}?members&q=plain`);
  await rowsOf(page);
  expect(
    await page.evaluate<string>(
      `[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).find((rule) => rule.selectorText?.includes("search-cancel"))?.style.filter`,
    ),
  ).toBe("grayscale()");
});

test("a list that is refused offers neither a filter nor a file", async () => {
  const page = await desk.visit("?members", { member: "plain" });
  await page.getByText("Your token may not list this.").waitFor();
  expect(await page.getByRole("searchbox").count()).toBe(0);
  expect(await page.getByRole("button", { name: "CSV" }).count()).toBe(0);
});

test("the page has an icon, also if no document names it", async () => {
  const page = await desk.visit();
  const types = await page.evaluate<string[]>(`Promise.all(
    ["favicon.ico", document.querySelector("link[rel=icon]").href].map(async (url) => {
      const response = await fetch(url);
      return response.status + " " + response.headers.get("content-type");
    }),
  )`);
  expect(types).toEqual(["200 image/svg+xml", "200 image/svg+xml"]);
});

test.each([
  ["?space=slashes", /^CON- a-b-c -report-, everyone, [\d-]{10}, revision \d+\.csv$/],
  ["?space=turned-title", /^Invoicefdp\.exe, everyone, [\d-]{10}, revision \d+\.csv$/],
  ["?space=blank-title&role=edit", /^blank-title, everyone, edit, [\d-]{10}, revision \d+\.csv$/],
  ["?space=long-title", /^Wolfe[a-z]{40,}, everyone, [\d-]{10}, revision \d+\.csv$/],
  ["?member=long&tab=teams", /^Wolfe[a-z]{40,}, teams, [\d-]{10}, revision \d+\.csv$/],
])("%s is saved under a name that every file system accepts", async (query, name) => {
  const page = await desk.visit(query, { acceptDownloads: true });
  await page
    .getByText(/\d members?|is in no team/)
    .first()
    .waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(name);
  expect(download.suggestedFilename().length).toBeLessThanOrEqual(100);
});

test("deep titles in the tree stay readable: tags are hidden first, and the column can be widened", async () => {
  const page = await desk.visit("?space=deepest");
  const title = page.getByRole("treeitem", { name: new RegExp(`^${levelTitle(30)}`) }).locator(".t");
  const width = async () => (await title.boundingBox())?.width ?? 0;
  await title.waitFor();
  // Level 30 is closed. Its tag says so if there is room.
  await expect.poll(width).toBeGreaterThan(90);
  const row = await page.getByRole("treeitem", { name: new RegExp(`^${levelTitle(30)}`) }).boundingBox();
  const { y = 0, height = 0 } = (await title.boundingBox()) ?? {};
  expect(y + height, "on its line, not cut off below it").toBeLessThanOrEqual(
    (row?.y ?? 0) + (row?.height ?? 0),
  );
  const chosen = page.locator(".tree .cur .t");
  const before = (await chosen.boundingBox())?.width ?? 0;
  // The corner by which the browser resizes an element has no size in a browser without scroll bars.
  expect(await page.evaluate("getComputedStyle(document.querySelector('.column')).resize")).toBe(
    "horizontal",
  );
  await page.evaluate("document.querySelector('.column').style.width = '424px'");
  await expect.poll(async () => (await chosen.boundingBox())?.width).toBeGreaterThan(before + 100);
  expect((await page.locator(".column").boundingBox())?.width).toBe(424);
});

test("members, teams and sites are above the content; sections collapse and stay collapsed", async () => {
  const page = await desk.visit("?space=tied");
  await page.getByRole("treeitem", { name: "Tall 59" }).waitFor();
  const side = page.getByRole("navigation", { name: "Directory" });
  expect(await side.locator("h2").allInnerTexts()).toEqual([
    expect.stringMatching(/^Members\s+9$/),
    expect.stringMatching(/^Teams\s+51$/),
    expect.stringMatching(/^Sites\s+1$/),
    expect.stringMatching(/^Content\s+99$/),
  ]);
  await side.getByRole("button", { name: /^Content/ }).click();
  expect(await page.getByRole("treeitem").count()).toBe(0);
  await page.reload();
  await side.getByRole("link", { name: /All/ }).waitFor();
  expect(await page.getByRole("treeitem").count()).toBe(0);
});

test("the chosen content scrolls into view, even if its path is known before its level was read", async () => {
  const page = await desk.visit();
  const { promise: isShown, resolve: show } = Promise.withResolvers<void>();
  await page.route(/explorer\/tree\?limit=100/, async (route) => {
    await isShown;
    await route.continue();
  });
  await page.goto(`${desk.address}?space=tied`);
  await rowsOf(page);
  show();
  await page.getByRole("treeitem", { name: "Tall 59" }).waitFor();
});

test.each([1440, 768, 320])(
  "at %i px each of the matches deep in a tree ends with its nearest parent",
  async (width) => {
    const page = await desk.visit("?found&q=level", { viewport: { width, height: 900 } });
    await rowsOf(page);
    const hidden = await page.evaluate<string[]>(
      `[...document.querySelectorAll("tbody .path:has(bdi)")].filter((path) => {
        const [seen, near] = [path, path.lastElementChild].map((each) => each.getBoundingClientRect());
        return Math.abs(near.top - seen.top) > 1 || near.right > path.closest("th").getBoundingClientRect().right;
      }).map((path) => path.textContent)`,
    );
    expect(hidden).toEqual([]);
    expect(await page.locator("tbody .path:has(bdi)").count()).toBeGreaterThan(5);
  },
);

test("on the narrowest phone the list begins on the first screen, with the chosen tab in view", async () => {
  const page = await desk.visit("?space=tied", { viewport: { width: 320, height: 640 } });
  await rowsOf(page);
  const end = async () => {
    const row = await page.locator("tbody tr[data-row]").nth(1).boundingBox();
    return (row?.y ?? 1e9) + (row?.height ?? 0);
  };
  await expect.poll(end).toBeLessThanOrEqual(640);
  await page.goto(`${desk.address}?space=tied&tab=review`);
  const tab = page.getByRole("tab", { name: "Review" });
  await expect.poll(async () => ((await tab.boundingBox())?.x ?? 1e9) < 250).toBe(true);
});

test.each([1440, 768, 320])("at %i px a deleted space says so, never cut within a word", async (width) => {
  const page = await desk.visit("?compare=plain&other=long", { viewport: { width, height: 900 } });
  await rowsOf(page);
  const cut = await page.evaluate<string[]>(`[...document.querySelectorAll("tbody .tag")].filter((tag) => {
    const { right } = tag.closest("th").getBoundingClientRect();
    return tag.scrollWidth > tag.clientWidth || tag.getBoundingClientRect().right > right;
  }).map((tag) => tag.innerText)`);
  expect(cut).toEqual([]);
  expect(await page.locator("tbody .tag").first().innerText()).toMatch(
    width === 320 ? /^deleted$/ : /^deleted/,
  );
});
