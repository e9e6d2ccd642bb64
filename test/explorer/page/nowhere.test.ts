/** What a person sees at an address that does not exist. */
import { expect, test } from "vitest";
import { acme } from "../../examples/acme.ts";
import { findBarriers } from "../../parts/axe.ts";
import { deskOver, placeOf } from "./desk.ts";

const desk = deskOver(acme, "acme");

test("a page in words, which leads to the start page", async () => {
  for (const [path, colorScheme, width] of [
    ["space/salaries", "light", 400],
    ["a//b/c/?space=salaries", "dark", 1440],
    ["index.html", "light", 1440],
  ] as const) {
    const page = await desk.tab(`${desk.address}${path}`, {
      colorScheme,
      viewport: { width, height: 600 },
    });
    const heading = page.getByRole("heading", { name: "There is nothing at this address" });
    // Two lines on a telephone, one elsewhere.
    expect((await heading.boundingBox())?.height).toBeLessThan(width === 400 ? 80 : 40);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.locator("body").innerText()).not.toContain("{");
    await page.getByRole("link", { name: "start page" }).click();
    await page.getByLabel("Access token").waitFor();
    expect(placeOf(page)).toBe("/");
  }
});

test("behind a proxy that serves Rolebook below a path, it leads to the start page there", async () => {
  const page = await desk.tab(desk.address);
  await page.route("**/rolebook/**", async (route) =>
    route.fulfill({ response: await route.fetch({ url: route.request().url().replace("/rolebook/", "/") }) }),
  );
  await page.goto(`${desk.address}rolebook/space/salaries`);
  await page.getByRole("link", { name: "start page" }).click();
  await page.getByLabel("Access token").waitFor();
  expect(placeOf(page)).toBe("/rolebook/");
});
