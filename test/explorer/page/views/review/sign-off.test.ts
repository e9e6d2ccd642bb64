/** The sign-off page of a review: it names the file that was saved, and its commands count the rows of this file. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIN } from "../../../../command.ts";
import { temporaryFolder } from "../../../../folder.ts";
import type { SnapshotRecord } from "../../../../oracle/records.ts";
import type { Page } from "../../../../parts/browser.ts";
import { HANG } from "../../../../setup/hang.ts";
import { deskOver, rowsOf } from "../../desk.ts";
import { ADDRESS, BEFORE, rowOf } from "./reviewing.ts";

/** A title that is an option, an expansion, two words and a quote of a shell. */
const TITLE = "-rf $(touch ran) it's `touch ran` & ~";
const desk = deskOver(
  BEFORE.map((record): SnapshotRecord =>
    record.object === "space" && record.id === "one" ? { ...record, title: TITLE } : record,
  ),
  "o",
);

const folder = temporaryFolder();

/** Presses a button that saves a file, keeps the file in the folder, and returns its name. */
async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  const name = download.suggestedFilename();
  await download.saveAs(join(folder, name));
  return name;
}

test("the sign-off page names the saved sheet, and its commands count the rows of this file", async () => {
  const page = await desk.visit(ADDRESS, { acceptDownloads: true });
  await rowsOf(page);
  await rowOf(page, /Ann/).decision.selectOption("keep");
  await rowOf(page, /Bo/).decision.selectOption("remove");
  await page.getByText("Afterwards").click();
  await page.getByLabel("Signed off by").fill("Ana Lima");
  const signOff = page.getByRole("button", { name: "Save the sign-off page" });
  const first = page.getByText("Save the sheet first: the sign-off page names its file and its SHA-256.");
  await signOff.click();
  await first.waitFor();
  await saved(page, "Save sheet");
  // What was decided since then is in no file.
  await rowOf(page, /Cleo/).decision.selectOption("remove");
  await signOff.click();
  await first.waitFor();
  const sheet = await saved(page, "Save sheet");
  const html = readFileSync(join(folder, await saved(page, "Save the sign-off page")), "utf8");

  const signed = await page.context().newPage();
  await signed.setContent(html);
  const cells = (selector: string) =>
    signed.evaluate<string[][]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((row) =>
        [...row.cells].map(({ textContent }) => textContent))`,
    );
  const facts = new Map((await cells("table:not(.figures) tr")).map(([name = "", value]) => [name, value]));
  expect(facts.get("file")).toBe(sheet);
  expect(facts.get("decided with, says the file")).toBe("organization token test");
  const sha256 = createHash("sha256").update(readFileSync(join(folder, sheet)));
  expect(facts.get("SHA-256 of the file")).toBe(sha256.digest("hex"));

  const figures = (await cells(".figures tr:has(code)")).map(([words = "", rows = "", command = ""]) => ({
    words,
    rows,
    command,
  }));
  // Of the commands whose number of rows is 0, every eighth is run.
  const some = figures.filter(({ rows }, index) => rows !== "0" || index % 8 === 0);
  expect(figures.find(({ words }) => words === "to be removed")?.rows).toBe("2");
  const { stdout, stderr } = spawnSync(
    "bash",
    [
      "-c",
      [`rolebook() { "${process.execPath}" "${MAIN}" "$@"; }`, ...some.map(({ command }) => command)].join(
        "\n",
      ),
    ],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: HANG,
      env: { ...process.env, ROLEBOOK_DATABASE_URL: desk.world.url },
    },
  );
  expect(stdout.trim().split(/\s+/), stderr).toEqual(some.map(({ rows }) => rows));
  expect(readdirSync(folder)).not.toContain("ran");
});
