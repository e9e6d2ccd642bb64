/** No view violates WCAG 2.2 AA or scrolls sideways, in both themes and at every width. */
import { expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import { findBarriers } from "../parts/axe.ts";
import type { Page } from "../parts/browser.ts";
import { deskOver } from "../explorer/page/desk.ts";

const desk = deskOver(acme, "acme");

/** Whether everything is checked in every look. */
const EVERY = process.env.TEST_EVERY_LOOK !== undefined;

type Look = readonly [width: number, theme: "light" | "dark", colours: boolean];
/** The widest and the narrowest layout, with their colours, which are the same at all widths. */
const ALWAYS: readonly Look[] = [
  [1440, "light", true],
  [400, "dark", true],
];
/**
 * One width for each further layout. Views take turns in these widths; `npm run test:long` checks every view in all of
 * them.
 */
const IN_TURN: readonly Look[] = [
  [1100, "light", EVERY],
  [800, "light", EVERY],
  [400, "light", EVERY],
];
/** The height of the window in px. It is low, because rows are alike and each takes time to check. */
const HEIGHT = 480;
/** The narrowest supported width, in px. */
const NARROWEST = 320;

/** The rows with a cell that reaches below the row. */
const COVERED = `[...document.querySelectorAll("tbody tr[data-row]")].filter((row) => {
  const { bottom } = row.getBoundingClientRect();
  return [...row.cells].some((cell) => cell.getBoundingClientRect().bottom > bottom + 1);
}).map((row) => row.innerText)`;

const rows = (page: Page) => page.locator("tbody tr[data-row]").first().waitFor();
const said = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

/** Each view: its address, and what must be on the screen before the check. */
const VIEWS: Record<string, readonly [query: string, ready: (page: Page) => Promise<void>]> = {
  home: ["", said("Handbook")],
  content: ["?space=api-reference", rows],
  "direct teams": ["?collection=handbook&tab=teams", rows],
  "a collection's contents": ["?collection=handbook&tab=contents", rows],
  site: ["?site=acme-docs", rows],
  "a site's why": ["?site=acme-docs&why=ana", said("On each of its spaces")],
  "a site's spaces": ["?site=acme-docs&tab=spaces", rows],
  member: ["?member=ana", rows],
  "a member's teams": ["?member=ana&tab=teams", rows],
  team: ["?team=docs", rows],
  members: ["?members", rows],
  "a team's members": ["?team=docs&tab=members", rows],
  "closed contents": ["?contents&show=closed", rows],
  "all matches": ["?found&q=a", rows],
  teams: ["?teams", rows],
  "without a source": ["?without=team%2Fdocs%40collection%2Fhandbook", rows],
  "without a source on one content": ["?without=default%40collection%2Fpeople&on=collection%2Fpeople", rows],
  "two people compared": ["?compare=ana&other=bram", rows],
  "reach through a team": ["?reach=docs", rows],
  why: [
    "?space=api-reference&why=ana",
    (page) => page.getByRole("button", { name: /steps|deciding/ }).waitFor(),
  ],
  "nobody there": ["?space=release-notes&tab=people", said("No person has a direct permission")],
  "nothing there": ["?space=none", said("Nothing here that your token can see")],
  review: ["?collection=partner&tab=review", rows],
  search: [
    "?space=glossary",
    async (page) => {
      await rows(page);
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]").fill("a");
      await page.locator("[role=option]").first().waitFor();
    },
  ],
};

let checked = 0;

function looks(): readonly Look[] {
  const turn = checked++ / 2;
  return [...ALWAYS, ...IN_TURN.filter((_, index) => index === turn % IN_TURN.length || EVERY)];
}

/** The violations of the current page, at several widths and in each theme. */
async function wrongWith(page: Page, ready: (page: Page) => Promise<void>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [width, colorScheme, colours] of looks()) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await ready(page);
    for (const row of await page.evaluate<string[]>(COVERED)) wrong.push(`${width} px: ${row} is cut`);
    for (const { rule, places } of await findBarriers(page, colours)) {
      wrong.push(`${width} px, ${colorScheme}: ${rule} at ${places.join(" ")}`);
    }
  }
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT });
  await ready(page);
  for (const row of await page.evaluate<string[]>(COVERED)) wrong.push(`${NARROWEST} px: ${row} is cut`);
  // Not `waitForFunction`: the page's Content-Security-Policy refuses its second look.
  await expect
    .poll(() => page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"), {
      message: `${NARROWEST} px: nothing sticks out`,
      timeout: 3000,
    })
    .toBe(true);
  return wrong;
}

test.each(Object.entries(VIEWS))("%s", async (name, [query, ready]) => {
  const page = await desk.visit(query);
  await ready(page);
  if (name === "search")
    expect(await wrongWith(page, () => page.locator("[role=option]").first().waitFor())).toEqual([]);
  else expect(await wrongWith(page, name === "home" ? said("Acme") : ready)).toEqual([]);
});

test("signing in, and the message for a wrong token", async () => {
  const page = await desk.visit("", { member: null });
  const ready = said("Kept in this tab only");
  expect(await wrongWith(page, ready)).toEqual([]);
  await page.getByLabel("Access token").fill("rb_wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("not valid").waitFor();
  expect(await wrongWith(page, ready)).toEqual([]);
});

test("targets are at least 24 px high, and forced colours are respected", async () => {
  const page = await desk.visit("?space=api-reference&why=ana");
  await rows(page);
  const small = await page.evaluate<string[]>(`[...document.querySelectorAll("button, a, input")]
    .filter((target) => target.checkVisibility() && !target.closest(".vh, .skip, .crumbs, p"))
    .flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      return width > 0 && Math.min(width, height) < 24 ? [target.textContent + " " + width + " × " + height] : [];
    })`);
  expect(small).toEqual([]);
  await page.emulateMedia({ forcedColors: "active" });
  expect(await findBarriers(page)).toEqual([]);
});
