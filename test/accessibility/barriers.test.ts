/** No view, in any of its states, violates WCAG 2.2 AA, cuts words or scrolls sideways, in both themes and at every width. */
import { beforeAll, expect, test } from "vitest";
import { keepRuleResults } from "../../src/store/rule-results.ts";
import { acme } from "../examples/acme.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { findBarriers } from "../parts/axe.ts";
import type { Page } from "../parts/browser.ts";
import { deskOver } from "../explorer/page/desk.ts";
import { odd } from "../explorer/page/list/odd.ts";

/** From revision 2 on, Writers may edit the handbook. In revision 3, Ana has a role on the salaries. */
const WRITERS: readonly SnapshotRecord[] = acme.map((record) =>
  record.object === "permission" && record.collection === "handbook" && record.team === "writers"
    ? { ...record, permission: "edit" }
    : record,
);
const desk = deskOver(acme, "acme");
const oddDesk = deskOver(odd, "odd");
beforeAll(async () => {
  await desk.world.import(WRITERS, { note: "after the audit" });
  await desk.world.import([
    ...WRITERS,
    { object: "permission", space: "salaries", user: "ana", permission: "review" },
  ]);
  const rule = "No guest has a direct permission";
  const what = { "everything but": { below: "partner" } };
  const definition = JSON.stringify({ rule, who: "guests", what, how: "none", permissions: "direct" });
  await desk.world.store.engine.transaction((connection) =>
    keepRuleResults(connection, "acme", {
      revision: 2,
      checkedAt: "2026-03-04T12:00:00.000Z",
      results: [{ rule, breaches: 2, definition }],
    }),
  );
});

/** Whether everything is checked in every look. */
const EVERY = process.env.TEST_EVERY_LOOK !== undefined;

type Look = readonly [width: number, height: number, theme: "light" | "dark"];
/** The height of the window is low, because rows are alike and each takes time to check. */
const LOOKS: readonly Look[] = [
  [1440, 480, "light"],
  [400, 480, "dark"],
  ...(EVERY
    ? ([
        [1440, 900, "dark"],
        [1300, 900, "light"],
        [1024, 480, "light"],
        [768, 480, "dark"],
        [400, 860, "light"],
        [1440, 3000, "light"],
      ] as const)
    : []),
];
/** The narrowest supported width, in px. */
const NARROWEST = 320;

/** The rows with a cell that reaches below the row. */
const COVERED = `[...document.querySelectorAll("tbody tr[data-row]")].filter((row) => {
  const { bottom } = row.getBoundingClientRect();
  return [...row.cells].some((cell) => cell.getBoundingClientRect().bottom > bottom + 1);
}).map((row) => row.innerText)`;

/**
 * The texts that an element around them cuts at a side. What stands beside a name may be cut, and a reason where a button
 * shows all of it; of unusual data the names too.
 */
const cut = (names: boolean) => `(() => {
  const may = "select, .side, .mail, .path, .ps, tr:has(.go) .because, .tabs${names ? "" : ", bdi"}";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const within = text.parentElement;
    const isHidden = (each) => each && (getComputedStyle(each).clipPath !== "none" || isHidden(each.parentElement));
    if (!text.data.trim() || isHidden(within) || within.closest(may) || !within.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    for (let each = within; each; each = each.parentElement) {
      const { overflowX } = getComputedStyle(each);
      const box = each.getBoundingClientRect();
      if (["hidden", "clip"].includes(overflowX) && (right > box.right + 1 || left < box.left - 1)) {
        cut.push(text.data);
        break;
      }
    }
  }
  return cut;
})()`;

/** The px by which the page is wider than the window. */
const BEYOND = "document.documentElement.scrollWidth - innerWidth";

type Ready = (page: Page) => Promise<unknown>;

const rows: Ready = (page) => page.locator("tbody tr[data-row]").first().waitFor();
const said =
  (text: string): Ready =>
  (page) =>
    page.getByText(text).first().waitFor();
const dialog =
  (name: string | RegExp): Ready =>
  (page) =>
    page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name })).waitFor();

/** A view: its address, what must be on the screen before a check, and what a reader does first. */
type View = readonly [query: string, ready: Ready, act?: Ready];

const PARTNER = "?collection=partner&tab=review";

/** Opens an earlier report, which does not have all rows, and groups the sheet by reason. */
async function openEarlier(page: Page): Promise<void> {
  await rows(page);
  const query = "/explorer/report?collection=partner";
  const { body } = await desk.world.get(query, await desk.token());
  const lines = body.split("\r\n").filter((line) => !line.includes(",amara,"));
  await page
    .getByLabel("An earlier report")
    .setInputFiles({ name: "then.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) });
  await page.getByText("New since last time.").first().waitFor();
  await page.getByLabel("Group").selectOption("source");
  await page.locator("tr.group").first().waitFor();
}

const VIEWS: Record<string, View> = {
  home: ["", said("Handbook")],
  content: ["?space=api-reference", rows],
  "content, filtered": [
    "?space=api-reference&guests=none&least=edit&q=a&sort=name&since=2999-01-01",
    said("Show all"),
  ],
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
  "without a source, person by person": ["?without=team%2Fdocs%40collection%2Fhandbook&show=pairs", rows],
  "two people compared": ["?compare=ana&other=bram", rows],
  "reach through a team": ["?reach=docs", rows],
  "a team on one content": ["?reach=docs&on=space%2Fapi-reference", rows],
  why: [
    "?space=api-reference&why=ana",
    (page) => page.getByRole("button", { name: /steps|deciding/ }).waitFor(),
  ],
  "nobody there": ["?space=release-notes&tab=people", said("No person has a direct permission")],
  "nothing there": ["?space=none", said("Nothing here that your token can see")],
  "what changed a content": ["?space=api-reference&tab=changes", said("rose in revision 2")],
  "how a content differs": ["?space=api-reference&tab=changes&earlier=1&later=3", rows],
  "what a team changed": ["?team=writers&tab=changes&earlier=1&later=2", rows],
  "all differences": ["?changes&earlier=1&later=3", rows],
  "the past": ["?space=api-reference&at=1", rows],
  "a past that is not kept": ["?at=99", said("The earliest that can be shown")],
  "another date": [
    "?space=glossary",
    dialog("Show the directory as of"),
    (page) => page.getByRole("button", { name: /Choose a date/ }).click(),
  ],
  findings: ["?tidy", said("4 findings in all.")],
  "findings of a kind": ["?tidy&show=less-than-team", rows],
  breaches: ["?breaches&show=No guest has a direct permission", rows],
  "a decided report": ["?decided", said("Open a report")],
  search: [
    "?space=glossary",
    (page) => page.locator("[role=option]").first().waitFor(),
    async (page) => {
      await rows(page);
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]").fill("a");
    },
  ],
  "search before a word": [
    "?space=glossary",
    said("Review this space"),
    async (page) => {
      await rows(page);
      await page.keyboard.press("Control+k");
    },
  ],
  review: [PARTNER, rows],
  "review of a member, narrowed": [
    "?member=ana&tab=review&least=review",
    said("Narrow: 1"),
    (page) => page.getByText("Narrow: 1").click(),
  ],
  "review with an earlier one, a group decided": [
    PARTNER,
    said("rows decided, not saved"),
    async (page) => {
      await openEarlier(page);
      await page.locator("tr[data-row='0']").focus();
      await page.keyboard.press("k");
      await page.getByText("Afterwards").click();
    },
  ],
  "a question of a review": [
    PARTNER,
    dialog("Remove a group"),
    async (page) => {
      await openEarlier(page);
      await page.locator("tr[data-row='0']").focus();
      await page.keyboard.press("r");
    },
  ],
  "keys of a review": [PARTNER, dialog("Keys"), (page) => page.getByRole("button", { name: "Keys" }).click()],
  "what removals would change": [
    PARTNER,
    dialog("What the removals would change"),
    async (page) => {
      await rows(page);
      await page.locator("tr[data-row='0']").focus();
      await page.keyboard.press("r");
      await page.getByText("Afterwards").click();
      await page.getByRole("button", { name: "What the removals would change" }).click();
    },
  ],
};

const ODD: Record<string, View> = {
  "many teams": ["?space=tied&why=plain", said("50 teams have review here")],
  "the deepest content": ["?space=deepest", said("Deepest")],
  "long names": ["?member=long", rows],
  members: ["?members", rows],
  site: ["?site=all", rows],
  review: ["?space=tied&tab=review", rows],
};

let checked = 0;

/**
 * What is wrong with the current page at several widths and in each theme. Contrast takes most of the time: views take
 * turns in the theme of which it is checked.
 */
async function wrongWith(page: Page, ready: Ready, names = true): Promise<string[]> {
  const wrong: string[] = [];
  const turn = checked++ % 2;
  for (const [at, [width, height, colorScheme]] of LOOKS.entries()) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await ready(page);
    const look = `${width} × ${height} px, ${colorScheme}`;
    for (const text of await page.evaluate<string[]>(cut(names))) wrong.push(`${look}: ${text} is cut`);
    for (const row of await page.evaluate<string[]>(COVERED)) wrong.push(`${look}: ${row} is covered`);
    for (const { rule, places } of await findBarriers(page, EVERY || at === turn))
      wrong.push(`${look}: ${rule} at ${places.join(" ")}`);
    if ((await page.evaluate<number>(BEYOND)) > 0) wrong.push(`${look}: something sticks out`);
  }
  await page.setViewportSize({ width: NARROWEST, height: 480 });
  await ready(page);
  for (const row of await page.evaluate<string[]>(COVERED)) wrong.push(`${NARROWEST} px: ${row} is covered`);
  // Not `waitForFunction`: the page's Content-Security-Policy refuses its second look.
  await expect
    .poll(() => page.evaluate<number>(BEYOND), { message: `${NARROWEST} px: nothing sticks out` })
    .toBe(0);
  return wrong;
}

test.each(Object.entries(VIEWS))("%s", async (_, [query, ready, act]) => {
  const page = await desk.visit(query);
  await act?.(page);
  await ready(page);
  expect(await wrongWith(page, query === "" ? said("Acme") : ready)).toEqual([]);
});

test.each(Object.entries(ODD))("of unusual data: %s", async (_, [query, ready]) => {
  const page = await oddDesk.visit(query);
  expect(await wrongWith(page, ready, false)).toEqual([]);
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
