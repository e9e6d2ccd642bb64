/** Drafts of reviews: through imports, in other tabs, and from opened files. */
import { expect, test } from "vitest";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../../desk.ts";
import {
  ADDRESS,
  AFTER,
  BEFORE,
  look,
  marks,
  open,
  review,
  rowOf,
  save,
  secondTab,
  turn,
} from "./reviewing.ts";

const desk = deskOver(BEFORE, "o");

test("after an import, the review of the new revision has its rows", async () => {
  const page = await review(desk);
  await desk.world.import(AFTER);
  await look(page);
  const newer = page.getByRole("button", { name: "Show the new one" });
  await newer.waitFor();
  // The sheet is the first list of the new revision.
  const sheet = page.waitForResponse(/\/explorer\/report/);
  await page.route(/\/explorer\/(?!report|me\b)/, async (route) => {
    await (await sheet).finished();
    await route.continue();
  });
  await newer.click();
  await page.getByText("4 rows, by content").waitFor();
});

test("after an import, a draft keeps what has not changed, asks again where role or reason changed, and lists what is gone", async () => {
  const page = await review(desk);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await rowOf(page, /Cleo/).decision.selectOption("remove");
  await rowOf(page, /Cleo/).comment.fill("Left the project");
  await rowOf(page, /Dov/).decision.selectOption("ask");
  await rowOf(page, /Eve/).decision.selectOption("keep");
  await desk.world.import(AFTER);
  await turn(page);
  await page.getByText("1 of 4 rows decided, not saved").waitFor();
  await page.getByText("2 rows changed after the decision: decide again. They come first.").waitFor();
  // The comment stays; the decision does not.
  await marks(page).toEqual([
    "Cleo Lee, read on Space one: , Left the project",
    "Ann Lee, admin on Space one: keep, ",
  ]);
  expect((await rowsOf(page)).map(([name]) => name)).toEqual(["Cleo Lee", "Eve Lee", "Ann Lee", "Bo Lee"]);
  await page.getByText("You decided remove when the role was edit.").waitFor();
  await page.getByText("You decided keep when the reason was another one.").waitFor();
  await page.getByText("1 marked row is no longer in the sheet").click();
  await page.getByText("space/one dov, then read: ask").waitFor();
  await page.getByRole("button", { name: "Discard these" }).click();
  await page.getByText("Discarded: 1 marked row.").waitFor();
  expect(await page.getByText("no longer in the sheet").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("no longer in the sheet").waitFor();

  await rowOf(page, /Cleo/).decision.selectOption("keep");
  await page.getByText("1 row changed after the decision: decide again. It comes first.").waitFor();
  const after = [
    "Cleo Lee, read on Space one: keep, Left the project",
    "Ann Lee, admin on Space one: keep, ",
  ];
  await marks(page).toEqual(after);
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(after.toReversed());
  await page.getByText("1 marked row is no longer in the sheet").waitFor();
  // What was decided on a role counts only as long as nothing was decided later.
  await desk.world.import(BEFORE);
  await turn(page);
  await page.getByText("3 of 5 rows decided").waitFor();
  await page.getByText("You decided keep when the role was read.").waitFor();
  await marks(page).toContain("Cleo Lee, edit on Space one: , Left the project");
});

test("two tabs show the marks of both, and the last mark of a row wins", async () => {
  const one = await review(desk);
  const two = await secondTab(desk, one);
  // The clock of the second tab is slow.
  await two.evaluate("Date.now = ((now) => () => now() - 3_600_000)(Date.now)");
  await rowOf(one, /Ann/).decision.selectOption("keep");
  await rowOf(two, /Bo/).decision.selectOption("ask");
  const both = ["Ann Lee, admin on Space one: keep, ", "Bo Lee, admin on Space one: ask, "];
  await marks(one).toEqual(both);
  await marks(two).toEqual(both);
  await rowOf(two, /Ann/).decision.selectOption("remove");
  // The first tab knows of it before it goes on: else its own mark, which is later, would say keep.
  await marks(one).toEqual(["Ann Lee, admin on Space one: remove, ", "Bo Lee, admin on Space one: ask, "]);
  await rowOf(one, /Ann/).comment.pressSequentially("x");
  await rowOf(two, /Bo/).decision.selectOption("");
  const last = ["Ann Lee, admin on Space one: remove, x"];
  await marks(one).toEqual(last);
  await marks(two).toEqual(last);
  await one.reload();
  await rowsOf(one);
  await marks(one).toEqual(last);
  await one.getByRole("button", { name: "Sign out" }).first().click();
  await one.getByRole("button", { name: "Discard and sign out" }).click();
  await marks(two).toEqual([]);
});

test("a tab that was opened before an import overwrites nothing that was decided after it", async () => {
  const old = await review(desk);
  const page = await secondTab(desk, old);
  await desk.world.import(AFTER);
  await turn(page);
  await rowOf(page, /Cleo/).decision.selectOption("keep");
  await rowOf(old, /Cleo/).decision.selectOption("remove");
  // What is the same on both revisions is decided for both.
  await rowOf(old, /Ann/).decision.selectOption("ask");
  const after = ["Ann Lee, admin on Space one: ask, ", "Cleo Lee, read on Space one: keep, "];
  await marks(page).toEqual(after);
  await marks(old).toEqual(["Ann Lee, admin on Space one: ask, ", "Cleo Lee, edit on Space one: remove, "]);
  await old.getByText("1 row has a mark on a newer revision, which stays as it is.").waitFor();
  await old.getByRole("button", { name: "Discard decisions" }).click();
  await old.getByRole("button", { name: "Discard", exact: true }).click();
  await marks(old).toEqual([]);
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(["Cleo Lee, read on Space one: keep, "]);
});

test("an opened sheet becomes the draft, after a question if there is one, and this can be undone", async () => {
  const page = await review(desk);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await rowOf(page, /Ann/).comment.fill("=like this");
  const file = await save(page);
  await page.getByText("1 of 5 rows decided.", { exact: false }).waitFor();
  await rowOf(page, /Ann/).decision.selectOption("ask");
  await rowOf(page, /Bo/).decision.selectOption("remove");
  const draft = ["Ann Lee, admin on Space one: ask, =like this", "Bo Lee, admin on Space one: remove, "];
  await marks(page).toEqual(draft);

  await open(page, file);
  const asked = page.getByRole("alertdialog", { name: "Open a sheet" });
  await asked
    .getByText(/has 2 marked rows, the last one marked (?:today|\d+ \w+), \d\d:\d\d\. sheet.csv has 1/)
    .waitFor();
  await asked.getByRole("button", { name: "Keep the draft" }).click();
  await marks(page).toEqual(draft);

  await open(page, file);
  await asked.getByRole("button", { name: "Open the file" }).click();
  await page.getByText("Opened; its rows are those that the server wrote.").waitFor();
  const opened = ["Ann Lee, admin on Space one: keep, =like this"];
  await marks(page).toEqual(opened);
  // It is the draft, not only what this view shows.
  await page.getByRole("tab", { name: /Everyone/ }).click();
  await page.getByRole("tab", { name: "Review" }).click();
  await rowsOf(page);
  await marks(page).toEqual(opened);
  // A file says the same after it was opened and saved again.
  expect(await save(page)).toBe(file);

  await rowOf(page, /Bo/).decision.selectOption("keep");
  await open(page, file);
  await asked.getByRole("button", { name: "Open the file" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await marks(page).toEqual([...opened, "Bo Lee, admin on Space one: keep, "]);
});

test("the sheet of another space, collection, site or member opens on its own page", async () => {
  const page = await review(desk);
  for (const [query, title] of [
    ["?collection=c&tab=review", "C"],
    ["?site=w&tab=review", "W"],
    ["?member=ann&tab=review", "Ann Lee"],
    ["?space=two&tab=review", "Space two"],
  ] as const) {
    const other = await secondTab(desk, page, query);
    await rowOf(other, /Ann Lee, admin on Space/)
      .decision.first()
      .selectOption("keep");
    const file = await save(other);
    await other.getByRole("button", { name: "Discard decisions" }).click();
    await other.getByRole("button", { name: "Discard", exact: true }).click();
    await marks(other).toEqual([]);
    await other.close();
    await page.goto(`${desk.address}${ADDRESS}`);
    await rowsOf(page);
    await open(page, file);
    await shows(page, title);
    await page.getByText("Opened; its rows").waitFor();
    expect(placeOf(page)).toBe(`/${query}`);
    await marks(page).toHaveLength(1);
  }
  await page.goto(`${desk.address}${ADDRESS}`);
  await rowsOf(page);
  await marks(page).toEqual([]);
  const { body } = await desk.world.get("/explorer/report?space=one", await desk.token());
  for (const [from, to, why] of [
    [
      "every role",
      "role edit only",
      "It covers space one, members and guests, role edit only; the page reviews one",
    ],
    [/^revision,.*$/m, "revision,77", "It is of revision 77, and the page shows revision"],
    ["organization,o", "organization,p", "The sheet is of organization p."],
  ] as const) {
    await open(page, body.replace(from, to));
    await page.getByText(`sheet.csv was not opened. ${why}`).waitFor();
  }
});

test("discarding is asked about, and can be undone", async () => {
  const page = await review(desk);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  const button = page.getByRole("button", { name: "Discard decisions" });
  await button.click();
  const asked = page.getByRole("alertdialog", { name: "Discard decisions" });
  await asked.getByText("Discard the decisions and comments of 1 marked row?").waitFor();
  // Neither the button with the focus nor Escape may lose a decision, and the page behind takes no keys.
  for (const key of ["Enter", "Escape"]) {
    await asked.waitFor();
    await page.keyboard.press("r");
    await page.keyboard.press(key);
    await asked.waitFor({ state: "hidden" });
    await marks(page).toEqual(["Ann Lee, admin on Space one: keep, "]);
    await expect.poll(() => focusOf(page)).toBe("Discard decisions");
    await button.click();
  }
  await asked.getByRole("button", { name: "Discard", exact: true }).click();
  await marks(page).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, "]);
  await page.reload();
  await rowsOf(page);
  await marks(page).toEqual(["Ann Lee, admin on Space one: keep, "]);
});
