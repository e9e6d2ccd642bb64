/** How soon a decision is on the screen, in a review of nearly as many rows as a sheet may have. */
import { expect, test } from "vitest";
import { deskOver } from "../explorer/page/desk.ts";
import { multitude } from "../explorer/page/multitude.ts";

const ROWS = 19_000;
const KEYS = 120;
/**
 * The goal is 50 ms. Half of what is left is the page's script; the browser takes some 25 ms to lay out and paint the list
 * at this speed of the CPU, and a frame waits for its turn. On a quiet machine this was 54 and 61 ms, on a busy one up to 234.
 */
const LONGEST = 120;
const desk = deskOver(multitude(ROWS), "multitude");

test(`95 of 100 keys that decide are painted within ${LONGEST} ms with the CPU slowed four times; the goal is 50`, async () => {
  const page = await desk.visit("?space=long&tab=review");
  const first = page.locator('tr[data-row="0"]');
  await first.waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await first.focus();
  const times = await page.evaluate<number[]>(`(async () => {
    const painted = (key) => new Promise((resolve) => {
      const begun = performance.now();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      // A message that is sent in a frame arrives after the frame is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - begun);
        port2.postMessage("");
      });
    });
    const times = [];
    for (let at = 0; at < ${KEYS}; at++) {
      times.push(await painted("kra"[at % 3]));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return times;
  })()`);
  // Every key decided on a row of its own.
  expect(await page.locator(".marks").innerText()).toContain(`${KEYS} of 19,000 rows decided`);
  const sorted = times.toSorted((a, b) => a - b);
  expect(sorted[Math.floor(KEYS * 0.95)]).toBeLessThan(LONGEST);
});
