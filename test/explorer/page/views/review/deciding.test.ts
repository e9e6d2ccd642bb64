/** Deciding by keys: single rows, ranges and groups, with a way back; what was decided last time; what follows. */
import { readFileSync } from "node:fs";
import Papa from "papaparse";
import { expect, test } from "vitest";
import type { SnapshotRecord } from "../../../../oracle/records.ts";
import type { Page } from "../../../../parts/browser.ts";
import { deskOver, focusOf, rowsOf } from "../../desk.ts";
import { findBarriers } from "../../../../parts/axe.ts";
import { marks, save } from "./reviewing.ts";

const DATE = "2026-01-01T00:00:00Z";
const space = (id: string, rest: object = {}): SnapshotRecord => ({
  object: "space",
  id,
  organization: "o",
  title: `Space ${id}`,
  createdAt: DATE,
  updatedAt: DATE,
  ...rest,
});
const PEOPLE = Array.from({ length: 200 }, (_, at) => `p${String(at).padStart(3, "0")}`);
/** Of two hundred people, forty have a direct permission, nine are in the agency, and the others what all have. */
const isDirect = (at: number) => at % 5 === 0;
const isAgency = (at: number) => at % 20 === 1 && at > 1;
const desk = deskOver(
  [
    { object: "organization", id: "o", title: "O" },
    { object: "team", id: "agency", organization: "o", title: "Agency", createdAt: DATE },
    space("s", { defaultLevel: "read" }),
    { object: "permission", space: "s", team: "agency", permission: "edit" },
    ...PEOPLE.flatMap((id, at): SnapshotRecord[] => [
      { object: "user", id, displayName: `Person ${at}` },
      { object: "member", organization: "o", user: id, role: at === 0 ? "admin" : "read" },
      ...(isDirect(at) && at > 0
        ? [{ object: "permission", space: "s", user: id, permission: "review" } as const]
        : []),
      ...(isAgency(at) ? [{ object: "teamMember", team: "agency", user: id, role: "member" } as const] : []),
    ]),
  ],
  "o",
);

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.closest('tr')?.cells[0].innerText.trim().split(/\\n| p\\d/)[0] ?? ''",
  );
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

async function review(query = "?space=s&tab=review"): Promise<Page> {
  const page = await desk.visit(query, { acceptDownloads: true });
  await rowsOf(page);
  return page;
}

test("K, R and A decide and go to the next undecided row; Shift selects a range; Ctrl Z undoes", async () => {
  const page = await review();
  expect(await focused(page)).toBe("Person 0");
  await press(page, "k", "r", "a");
  expect(await focused(page)).toBe("Person 3");
  await press(page, "ArrowUp", "ArrowUp", "k");
  expect(await focused(page)).toBe("Person 3");
  await press(page, "Shift+ArrowDown", "Shift+ArrowDown", "a");
  const all = ["keep", "keep", "ask", "ask", "ask", "ask"];
  const shown = all.map((decision, at) => [`Person ${at}`, decision]);
  const said = async () =>
    page.evaluate<string[][]>(`[...document.querySelectorAll("tbody tr[data-row]")].flatMap((row) => {
      const { decision } = row.querySelector(".choice").dataset;
      return decision ? [[row.cells[0].innerText.trim().split(/\\n/)[0], decision]] : [];
    })`);
  await expect.poll(said).toEqual(shown);
  await page.getByText("6 of 200 rows decided").waitFor();
  await press(page, "Control+z");
  await expect.poll(said).toEqual(shown.slice(0, 3));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(said).toEqual([shown[0], ["Person 1", "remove"], shown[2]]);
  await press(page, "?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("undo the last decision").waitFor();
  await press(page, "k", "Escape");
  await expect.poll(said).toHaveLength(3);
});

test("C writes a comment, in which every key is text; Enter returns to the row, and opens Why there", async () => {
  const page = await review();
  await press(page, "ArrowDown", "c");
  await page.keyboard.type("krac? left");
  await press(page, "Enter");
  expect(await focused(page)).toBe("Person 1");
  await marks(page).toEqual(["Person 1, read on Space s: , krac? left"]);
  await press(page, "Enter");
  await page
    .getByRole("complementary")
    .getByText("because the default level of this space is read")
    .waitFor();
  expect(await page.getByRole("group", { name: /^Decision on/ }).count()).toBeGreaterThan(5);
  await press(page, "Escape");
  await expect.poll(() => focused(page)).toBe("Person 1");
});

test("the list is one stop of the Tab key; Left and Right lead to what is in a row", async () => {
  const page = await review();
  await press(page, "ArrowDown", "ArrowRight");
  expect(await focusOf(page)).toBe("Person 1");
  await press(page, "ArrowRight", "ArrowRight", "Enter");
  await marks(page).toEqual(["Person 1, read on Space s: keep, "]);
  await press(page, "ArrowRight", "ArrowRight", "ArrowRight");
  await page.keyboard.type("r");
  await marks(page).toEqual(["Person 1, read on Space s: keep, r"]);
  await press(page, "Enter", "ArrowLeft", "k");
  expect(await focused(page)).toBe("Person 2");
  await press(page, "Tab");
  expect(await page.evaluate("document.activeElement.closest('tbody')")).toBeNull();
  await press(page, "Shift+Tab");
  expect(await focused(page)).toBe("Person 2");
});

test("two hundred rows are decided by at most seventy actions, and the saved report equals the table", async () => {
  let seed = 28;
  const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const direct = PEOPLE.map((_, at) => at).filter((at) => at > 0 && isDirect(at));
  const removed = new Set(Array.from({ length: 12 }, () => direct.splice(below(direct.length), 1)[0] ?? 0));
  const commented = new Set([...removed].slice(0, 3));
  const decisionOf = (at: number) => (removed.has(at) ? "remove" : isAgency(at) ? "ask" : "keep");
  const page = await review();
  let actions = 0;
  const act = async (...keys: string[]) => {
    actions += keys.length;
    await press(page, ...keys);
  };
  await page.getByLabel("Group").focus();
  await act("ArrowDown", "Shift+Tab");
  actions += 6;
  await page.locator("tbody tr[data-row='0']").focus();
  // The groups, the largest first: what all have, direct permissions, the agency, and the admin.
  await act("k");
  await page.locator("tr.group:focus", { hasText: "by a direct permission" }).waitFor();
  await act("ArrowDown");
  for (const at of PEOPLE.keys()) {
    if (!isDirect(at) || at === 0) continue;
    expect(await focused(page)).toBe(`Person ${at}`);
    if (commented.has(at)) {
      await act("c");
      actions++;
      await page.keyboard.type(`Left in May, ${at}`);
      await act("Enter");
    }
    await act(removed.has(at) ? "r" : "k");
  }
  await page.locator("tr.group:focus", { hasText: "through team Agency" }).waitFor();
  await act("a", "k");
  await page.getByText("200 of 200 rows decided").waitFor();
  const { data } = Papa.parse<string[]>((await save(page)).trim());
  expect(data.slice(8).map((row) => [row[4], row[11], row[12]])).toEqual(
    PEOPLE.map((id, at) => {
      const comment = commented.has(at)
        ? `Left in May, ${at}`
        : isAgency(at)
          ? "decided as a group: through team Agency"
          : at === 0
            ? "decided as a group: as organization admin"
            : isDirect(at)
              ? ""
              : "decided as a group: through the default level";
      return [id, decisionOf(at), comment];
    }),
  );
  expect(actions).toBeLessThanOrEqual(70);
});

test("a group is removed only after what a change file can carry out was said", async () => {
  const page = await review();
  await page.getByLabel("Group").selectOption("source");
  await page.locator("tr[data-row='0']").focus();
  await press(page, "End");
  const decide = page.getByRole("group", { name: "Decision on 9 rows through team Agency" });
  await decide.getByRole("button", { name: "Remove" }).click();
  const asked = page.getByRole("alertdialog", { name: "Remove a group" });
  await asked.getByText("A change file can carry out 0 of these 9 removals. 9 roles would stay").waitFor();
  await asked.getByText("take away team Agency’s edit on space Space s").waitFor();
  await asked.getByRole("button", { name: "Do not mark them" }).click();
  await page.getByText("0 of 200 rows decided").waitFor();
  // The group of the direct permissions follows the largest one and its rows.
  await page.getByLabel("Rows", { exact: true }).selectOption("open");
  await page.locator("tr[data-row='0']").focus();
  await press(page, "k");
  await page.locator("tr.group:focus", { hasText: "by a direct permission" }).waitFor();
  await press(page, "r");
  await asked.getByText("A change file can carry out 39 of these 39 removals.").waitFor();
  await asked.getByRole("button", { name: "Mark 39 rows to remove" }).click();
  await page.getByText("190 of 200 rows decided, not saved to a file yet; 39 to remove.").waitFor();
});

test("what was decided last time is shown and decides nothing; only what is new can be shown", async () => {
  const page = await review();
  await press(page, "r", "k");
  const then = (await save(page))
    .replace("Person 2,", "Person 2,")
    .split("\r\n")
    .filter((line) => !line.includes(",p003,"));
  await page.getByRole("button", { name: "Discard decisions" }).click();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page
    .getByLabel("An earlier report")
    .setInputFiles({ name: "then.csv", mimeType: "text/csv", buffer: Buffer.from(then.join("\r\n")) });
  await page.getByText("Last time remove.").waitFor();
  // It is kept beside the draft, without names, until the reviewer forgets it.
  await page.reload();
  await page.getByText("Last time remove.").waitFor();
  const kept = await page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open("rolebook");
    opening.addEventListener("success", () => {
      const reading = opening.result.transaction("earlier").objectStore("earlier").getAll();
      reading.addEventListener("success", () => {
        opening.result.close();
        resolve(JSON.stringify(reading.result));
      });
    });
  })`);
  expect(kept).toContain('"decision":"remove"');
  expect(kept).not.toContain("Person");
  await page.getByText("0 of 200 rows decided").waitFor();
  await page.getByLabel("Rows", { exact: true }).selectOption("changed");
  await page.locator(".status", { hasText: "1 row, by content" }).waitFor();
  await page.getByText("New since last time.").waitFor();
});

test("the page gives the preview, the change file, the sign-off page and the outcomes of its decisions", async () => {
  const page = await review();
  await page
    .getByRole("row", { name: /Person 5 / })
    .getByRole("button", { name: "Remove" })
    .click();
  await page.getByText("Afterwards").click();
  await page.getByRole("button", { name: "What the removals would change" }).click();
  const dialog = page.getByRole("dialog", { name: "What the removals would change" });
  await dialog.waitFor();
  expect(await dialog.innerText()).toContain("The change file carries out 1 removal; 1 role would stay.");
  await dialog.getByText("lowered p005 on space/s: review → read (decided)").waitFor();
  await press(page, "Escape");
  const file = async (button: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    return readFileSync(await download.path(), "utf8");
  };
  expect((await file("Save the change file")).split("\n").map((line) => line && JSON.parse(line))).toEqual([
    { object: "changes", organization: "o", base: 1 },
    { object: "permission", space: "s", user: "p005", removed: true },
    { object: "end", records: 2 },
    "",
  ]);
  await page.getByLabel("Signed off by").fill("Ana Lima");
  await file("Save sheet");
  expect(await file("Save the sign-off page")).toContain("Ana Lima");
  await page.getByRole("button", { name: "Outcome of each row" }).click();
  await page.getByRole("link", { name: "Remove: still there" }).waitFor();
});

test("a narrowed review is its own sheet, and says so", async () => {
  const page = await review();
  await page.getByText("Narrow", { exact: true }).click();
  await page.getByRole("button", { name: "direct only" }).click();
  await page.locator(".status", { hasText: "39 rows" }).waitFor();
  await page.locator(".status", { hasText: "every role; direct permissions only; revision 1" }).waitFor();
  await press(page, "k");
  const [, covers] = /^covers,(.*)$/m.exec(await save(page)) ?? [];
  expect(covers?.trim()).toBe("space s,members and guests,every role; direct permissions only");
});

test("a screen has room for rows, and no state of a review has a barrier or sticks out", async () => {
  for (const [width, height, least, colorScheme] of [
    [1440, 900, 18, "light"],
    [720, 450, 5, "dark"],
    [400, 800, 5, "light"],
  ] as const) {
    const page = await desk.visit("?space=s&tab=review", { viewport: { width, height }, colorScheme });
    await rowsOf(page);
    await press(page, "k", "r");
    const whole = `[...document.querySelectorAll("tr[data-row]")].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }).length`;
    expect(await page.evaluate<number>(whole), String(width)).toBeGreaterThanOrEqual(least);
    await page.getByLabel("Group").selectOption("source");
    await page.locator("tr.group").first().waitFor();
    for (const menu of ["Narrow", "Afterwards"]) {
      await page.getByText(menu, { exact: true }).click();
      expect(await findBarriers(page), `${width} ${menu}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await page.keyboard.press("Escape");
      await page.getByText(menu, { exact: true }).click();
    }
  }
});

test("the head collapses while keys decide, and comes back", async () => {
  const page = await review();
  const head = () => page.evaluate<number>("document.querySelector('.head').offsetHeight");
  const before = await head();
  expect(before).toBeGreaterThan(20);
  await press(page, "k");
  await page.getByText(/^Space s\. Marks only/).waitFor();
  expect(await head()).toBe(1);
  // The pointer would lose its target.
  await page.getByRole("button", { name: "Show all" }).click();
  expect(await head()).toBe(before);
  await page
    .getByRole("group", { name: /^Decision on Person 3/ })
    .getByRole("button", { name: "Ask" })
    .click();
  await page.getByText("2 of 200 rows decided").waitFor();
  expect(await head()).toBe(before);
});

test("on a phone the row with the focus has its three buttons under the thumb", async () => {
  const size = { width: 390, height: 700 };
  const page = await desk.visit("?space=s&tab=review", { viewport: size, hasTouch: true });
  await rowsOf(page);
  await page.locator("tr[data-row='2']").tap();
  const thumb = page.locator(".thumb");
  await thumb.getByText("Person 2, read on Space s").waitFor();
  for (const name of ["Keep", "Remove", "Ask"]) {
    const box = await thumb.getByRole("button", { name }).boundingBox();
    expect(box?.height, name).toBeGreaterThanOrEqual(44);
    expect(box?.y, name).toBeGreaterThan(size.height - 100);
  }
  expect((await page.locator("tr[data-row='2']").boundingBox())?.height).toBeLessThanOrEqual(50);
  await thumb.getByPlaceholder("Comment").fill("left");
  await thumb.getByRole("button", { name: "Remove" }).tap();
  await thumb.getByText("Person 3, read on Space s").waitFor();
  await thumb.getByRole("button", { name: "Keep" }).tap();
  await marks(page).toEqual(["Person 2, read on Space s: remove, left", "Person 3, read on Space s: keep, "]);
  expect(await findBarriers(page)).toEqual([]);
  // The row with the focus is never behind the buttons.
  for (let at = 0; at < 12; at++) await thumb.getByRole("button", { name: "Keep" }).tap();
  const row = await page.locator("tr[tabindex='0']").boundingBox();
  expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual((await thumb.boundingBox())?.y ?? 0);
});

test("any team can narrow a review, found by its title", async () => {
  const page = await review();
  await page.getByText("Narrow", { exact: true }).click();
  await page.getByLabel("Find a team").fill("age");
  await page.getByRole("button", { name: "Agency" }).click();
  await page.locator(".status", { hasText: "9 rows" }).waitFor();
});
