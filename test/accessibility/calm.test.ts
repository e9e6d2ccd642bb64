/** No layout shift while the page loads. */
import { expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import type { Page } from "../parts/browser.ts";
import { deskOver, rowsOf, shows } from "../explorer/page/desk.ts";

const desk = deskOver(acme, "acme");

/**
 * Chromium's layout shifts since the page began to load, with the shifted elements, when it has nothing more to load. An
 * element of the test shifts last: what is told before it is all there was.
 */
async function shifts(page: Page): Promise<string[]> {
  await page.waitForLoadState("networkidle");
  return page.evaluate<string[]>(`new Promise((resolve) => {
    const last = document.createElement("div");
    last.textContent = "last";
    Object.assign(last.style, { position: "fixed", top: "0", left: "0", width: "200px", height: "200px" });
    document.body.append(last);
    const shifted = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        for (const { node } of sources) {
          if (node === last) resolve(shifted);
          else shifted.push(value.toFixed(4) + " " + (node?.outerHTML ?? "").slice(0, 80));
        }
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => (last.style.top = "200px")));
  })`);
}

const imports = (page: Page) => page.getByText(/^revision 1$/).waitFor({ state: "attached" });

test.each([
  ["", { width: 1440, height: 900 }, imports],
  ["", { width: 400, height: 860 }, imports],
  ["?collection=partner&tab=review", { width: 400, height: 860 }, rowsOf],
  ["?space=batch-api&why=ana", { width: 1440, height: 900 }, rowsOf],
  ["?site=acme-docs", { width: 1100, height: 700 }, rowsOf],
  ["?member=ana", { width: 800, height: 700 }, rowsOf],
])("%s opens without a jump", async (query, viewport, ready) => {
  const page = await desk.visit(query, { viewport });
  // The page is opened again with the stored token, so that nothing but loading can shift anything.
  await page.reload();
  await ready(page);
  expect(await shifts(page)).toEqual([]);
});

test("choosing something else causes no jump either", async () => {
  const page = await desk.visit("?space=api-reference");
  await rowsOf(page);
  await page.reload();
  await rowsOf(page);
  await page.evaluate(
    `history.pushState({ key: 1 }, "", "?member=ana"); dispatchEvent(new PopStateEvent("popstate", { state: { key: 1 } }))`,
  );
  await shows(page, "Ana Lima");
  await rowsOf(page);
  expect(await shifts(page)).toEqual([]);
});
