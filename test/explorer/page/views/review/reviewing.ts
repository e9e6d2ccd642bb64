/** Reviews in the browser: an organization, and what a reviewer does and sees. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { SnapshotRecord } from "../../../../oracle/records.ts";
import type { Locator, Page } from "../../../../parts/browser.ts";
import { type Desk, rowsOf, signIn } from "../../desk.ts";

const DATE = "2026-01-01T00:00:00Z";
const SPACES = ["one", "two"].map((id): SnapshotRecord => ({
  object: "space",
  id,
  organization: "o",
  title: `Space ${id}`,
  parent: "c",
  createdAt: DATE,
  updatedAt: DATE,
}));
const member = (id: string, displayName: string, role: "admin" | "edit" | "read"): SnapshotRecord[] => [
  { object: "user", id, displayName },
  { object: "member", organization: "o", user: id, role },
];
const KEPT: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
  { object: "collection", id: "c", organization: "o", title: "C" },
  { object: "site", id: "w", organization: "o", title: "W" },
  { object: "siteSpace", site: "w", space: "one" },
  ...SPACES,
  ...member("ann", "Ann Lee", "admin"),
  ...member("bo", "Bo Lee", "admin"),
];
export const BEFORE: SnapshotRecord[] = [
  ...KEPT,
  ...member("cleo", "Cleo Lee", "edit"),
  ...member("dov", "Dov Lee", "read"),
  ...member("eve", "Eve Lee", "read"),
  { object: "permission", space: "one", user: "eve", permission: "review" },
];
/** Cleo’s role is another one, Dov has left, and Eve has her role for another reason. */
export const AFTER: SnapshotRecord[] = [
  ...KEPT,
  ...member("cleo", "Cleo Lee", "read"),
  ...member("eve", "Eve Lee", "read"),
  { object: "teamMember", team: "t", user: "eve", role: "member" },
  { object: "permission", space: "one", team: "t", permission: "review" },
];

/** The review of space `one`. */
export const ADDRESS = "?space=one&tab=review";

/** Opens a tab at the review, at the revision that has BEFORE. */
export async function review(desk: Desk, query = ADDRESS, options: object = {}): Promise<Page> {
  await desk.world.import(BEFORE);
  const page = await desk.visit(query, { acceptDownloads: true, ...options });
  await rowsOf(page);
  return page;
}

/** Opens another tab of the same browser. */
export async function secondTab(desk: Desk, first: Page, query = ADDRESS): Promise<Page> {
  const page = await first.context().newPage();
  await page.goto(`${desk.address}${query}`);
  await signIn(page, await desk.token());
  await rowsOf(page);
  return page;
}

/** Has a page look for a newer revision, as it does when it becomes visible after a while. */
export async function look(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    document.dispatchEvent(new Event("visibilitychange"));
    Date.now = now;
  })()`);
}

export async function turn(page: Page): Promise<void> {
  await look(page);
  await page.getByRole("button", { name: "Show the new one" }).click();
  await page.getByText("Reading the sheet.").waitFor({ state: "hidden" });
  await rowsOf(page);
}

/** Saves the sheet, and returns the file. */
export async function save(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save sheet" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  await page.getByText(/^Saved \d+ rows\./).waitFor();
  return text;
}

export async function open(page: Page, text: string, name = "sheet.csv"): Promise<void> {
  await page
    .getByLabel("A sheet to open")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

/** Expects the marks that the page shows, as soon as it shows them. */
export const marks = (page: Page) => expect.poll(() => shownMarks(page));

/** The marks in the browser's database, in the order of their keys. */
export function keptMarks(page: Page): Promise<Record<string, unknown>[]> {
  return page.evaluate<Record<string, unknown>[]>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("rolebook");
    opening.addEventListener("error", () => reject(opening.error));
    opening.addEventListener("success", () => {
      const reading = opening.result.transaction("marks").objectStore("marks").getAll();
      reading.addEventListener("success", () => {
        opening.result.close();
        resolve(reading.result);
      });
    });
  })`);
}

/** What decides on a row, whose label contains this text, and the field of its comment. */
export function rowOf(page: Page, label: string | RegExp) {
  return {
    decision: choiceIn(page.getByRole("group", { name: label })),
    comment: page.getByRole("textbox", { name: label }),
  };
}

/** The three buttons of a row, which take a decision as a menu did. */
function choiceIn(group: Locator) {
  return {
    /** No decision takes back the one that there is. */
    async selectOption(decision: string): Promise<void> {
      const pressed = group.locator("[aria-pressed=true]");
      await (decision === "" ? pressed : group.locator(`.d-${decision}`)).first().click();
    },
    first: () => choiceIn(group.first()),
    nth: (at: number) => choiceIn(group.nth(at)),
    inputValue: async () => (await group.getAttribute("data-decision")) ?? "",
  };
}

/** The choices of all drawn rows. */
export function choicesOf(page: Page) {
  return choiceIn(page.getByRole("group", { name: /^Decision on/ }));
}

/** The drawn rows that have a decision or a comment: `LABEL: DECISION, COMMENT`. */
function shownMarks(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("tbody tr[data-row]")].flatMap((row) => {
    const [choice, comment] = row.querySelectorAll(".choice, input");
    const { decision } = choice.dataset;
    if (decision === "" && comment.value === "") return [];
    return choice.ariaLabel.replace("Decision on ", "") + ": " + decision + ", " + comment.value;
  })`);
}
