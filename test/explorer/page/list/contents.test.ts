/** The counts beside the contents of a collection. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, rowsOf } from "../desk.ts";
import { look } from "../views/review/reviewing.ts";

const desk = deskOver(acme, "acme");
const QUERY = "?collection=handbook&tab=contents";

/** How many people have access to the style guide, as its row says. */
const counted = (page: Page) =>
  page
    .getByRole("row", { name: /Style guide/ })
    .locator(".sum")
    .innerText();

test("an answer that comes after the revision changed is not shown", async () => {
  const before = await desk.visit(QUERY);
  await rowsOf(before);
  await expect.poll(() => counted(before)).toMatch(/^\d+$/);
  const old = Number(await counted(before));

  const page = await desk.visit("");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const asked: string[] = [];
  await page.route("**/explorer/counts?contents=*", async (route) => {
    const first = asked.push(route.request().url()) === 1;
    const response = await route.fetch();
    if (first) await held;
    await route.fulfill({ response });
  });
  await page.goto(`${desk.address}${QUERY}`);
  await rowsOf(page);
  await expect.poll(() => asked.length).toBe(1);
  await desk.world.import([
    ...acme,
    { object: "permission", space: "style-guide", user: "jonas@partner.example", permission: "read" },
  ]);
  await look(page);
  await page.getByRole("button", { name: "Show the new one" }).click();
  await expect.poll(() => counted(page)).toBe(String(old + 1));
  const late = page.waitForResponse(asked[0] ?? "");
  release();
  await (await late).finished();
  // What it says would be drawn in the next frames.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  expect(await counted(page)).toBe(String(old + 1));
  // The rows on the screen asked together, once for each revision.
  expect(asked).toHaveLength(2);
});
