/**
 * Takes the pictures in the documents, which show the example organization. Every run takes them, so that they stay
 * possible; only `npm run pictures` writes them.
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statement } from "../../../src/store/engine/engine.ts";
import { acme, textOf } from "../../examples/acme.ts";
import type { Page } from "../../parts/browser.ts";
import { deskOver, rowsOf } from "./desk.ts";

const desk = deskOver(acme, "acme");
const FOLDER = new URL("../../../docs/pictures/", import.meta.url);
const THEMES = ["light", "dark"] as const;
/** The largest size of a picture, in bytes. */
const LARGEST = 150_000;

/** Fixed times for Acme's import and the clock of the page, so that pictures are equal on every day. */
const IMPORTED = "2026-11-20T14:02:00.000Z";
const NOW = new Date("2026-11-20T14:06:00Z");
const IMPORT_AT = statement<never>(() => "UPDATE revision SET imported_at = $1");
const CONFIRMED_AT = statement<never>(() => "UPDATE organization SET confirmed_at = $1");

interface Picture {
  readonly query: string;
  readonly size: { readonly width: number; readonly height: number };
  prepare(page: Page): Promise<unknown>;
}

const WIDE = { width: 1440, height: 936 };
const MIDDLE = { width: 1280, height: 800 };
const NARROW = { width: 400, height: 800 };

async function allSteps(page: Page): Promise<void> {
  await rowsOf(page);
  await page.getByRole("button", { name: "Show all steps" }).click();
  await page.getByRole("treeitem", { selected: true }).waitFor();
}

const PICTURES: Record<string, Picture> = {
  space: { query: "?space=sdk-guides&why=ana", size: WIDE, prepare: allSteps },
  member: { query: "?member=ana", size: MIDDLE, prepare: rowsOf },
  search: {
    query: "?space=api-reference",
    size: MIDDLE,
    async prepare(page) {
      await rowsOf(page);
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]").pressSequentially("pa");
      await page.getByText("7 matches").first().waitFor();
    },
  },
  review: {
    query: "?space=sdk-guides&tab=review",
    size: MIDDLE,
    async prepare(page) {
      await rowsOf(page);
      await page.getByLabel("Group").selectOption("source");
      await page.locator("tr.group").first().waitFor();
      await page.locator("tr[data-row='0']").focus();
      // A whole group, then row by row, one with a comment.
      for (const key of ["k", "ArrowDown", "k", "a", "c"]) await page.keyboard.press(key);
      await page.keyboard.type("Left the team?");
      for (const key of ["Enter", "r"]) await page.keyboard.press(key);
      await page.getByText(/^Remove: /).waitFor();
    },
  },
  narrow: { query: "?space=sdk-guides", size: NARROW, prepare: rowsOf },
};

/** The file name of every picture. */
const NAMES = Object.keys(PICTURES).flatMap((name) => THEMES.map((theme) => `${name}-${theme}.webp`));

async function take({ query, size, prepare }: Picture, colorScheme: "light" | "dark"): Promise<Buffer> {
  await desk.world.store.engine.transaction(async (connection) => {
    await connection.write(IMPORT_AT, IMPORTED);
    await connection.write(CONFIRMED_AT, IMPORTED);
    await desk.world.store.engine.announce(connection, "anything");
  });
  const page = await desk.visit("", {
    member: null,
    viewport: size,
    colorScheme,
    timezoneId: "UTC",
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  await page.clock.setFixedTime(NOW);
  await page.goto(`${desk.address}${query}`);
  await page.getByLabel("Access token").fill(await desk.token());
  await page.getByRole("button", { name: "Sign in" }).click();
  await prepare(page);
  await page.evaluate("document.fonts.ready");
  await page.mouse.move(0, 0);
  return smaller(page, await page.screenshot({ caret: "hide", animations: "disabled" }));
}

/** Converts a picture to lossless WebP, which is less than half as large. */
async function smaller(page: Page, png: Buffer): Promise<Buffer> {
  await page.goto("about:blank");
  const url = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${png.toString("base64")}";
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 1);
  })()`);
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

test.each(Object.entries(PICTURES))("%s", async (name, picture) => {
  for (const theme of THEMES) {
    const taken = await take(picture, theme);
    expect(taken.length, `${name}-${theme}.webp`).toBeLessThan(LARGEST);
    if (process.env["ROLEBOOK_PICTURES"] !== "write") continue;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(new URL(`${name}-${theme}.webp`, FOLDER), taken);
  }
});

test("the documents show each picture, in both themes, and no other", () => {
  const named = ["README.md", "docs/explorer.md"].flatMap((document) =>
    [...textOf(document).matchAll(/pictures\/([\w-]+\.webp)/g)].map(([, name = ""]) => name),
  );
  expect([...new Set(named)].sort()).toEqual(NAMES.toSorted());
  const there = readdirSync(FOLDER).filter((name) => name.endsWith(".webp"));
  expect(there.sort()).toEqual(NAMES.toSorted());
  for (const name of NAMES) expect(statSync(new URL(name, FOLDER)).size).toBeLessThan(LARGEST);
});
