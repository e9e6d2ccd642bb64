/** Rate limits: their headers are understood in every format, and a pull respects them. */
import { expect, test } from "vitest";
import { progressText } from "../../../src/cli/commands/pull.ts";
import { allowanceOf } from "../../../src/connectors/api.ts";
import { acme } from "../../examples/acme.ts";
import { pull } from "../../../src/connectors/gitbook/pull.ts";
import { clientOf, pulled, withDouble } from "./double/pulled.ts";
import { canonical, State, tamed } from "./double/state.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const RECORDS = tamed(acme);
const STATE = new State(RECORDS);

test.each<[headers: Record<string, string>, wait: number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "23" }, 23_000],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "Sun, 22 Nov 2026 10:00:30 GMT" }, 30_000],
  [{ "retry-after": "Sun, 22 Nov 2026 09:00:00 GMT" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "x-ratelimit-reset": String(NOW / 1000 + 60) }, 60_000],
  [{ "x-ratelimit-reset": String(NOW + 60_000) }, 60_000],
  [{ "x-ratelimit-reset": "60" }, 60_000],
  [{ "x-ratelimit-reset": "1.5" }, 1500],
  [{ "x-ratelimit-reset": String(NOW / 1000 - 60) }, undefined],
  [{ "x-ratelimit-reset": "NaN" }, undefined],
  [{ "x-ratelimit-reset": "1e400" }, undefined],
  [{ "x-ratelimit-reset": "60", "retry-after": "5" }, 5000],
  // The server's clock is an hour ahead.
  [{ "x-ratelimit-reset": String(NOW / 1000 + 3660), date: "Sun, 22 Nov 2026 11:00:00 GMT" }, 60_000],
])("%j waits %s ms", (headers, wait) => {
  expect(allowanceOf(new Headers(headers), NOW).wait).toBe(wait);
});

test.each(["seconds", "milliseconds", "from now", "past", "absent"] as const)(
  "a limit whose reset has the form of %s is respected",
  async (reset) => {
    const ways = [{}, { retryAfter: "seconds" }, { retryAfter: "date" }] as const;
    await Promise.all(
      ways.map(async (way) => {
        // The limit makes the pull wait once.
        const limit = { requests: 40, window: 400, reset, ...way };
        expect(canonical(await pulled(STATE, { limit }, { backOff: 50 }))).toEqual(canonical(RECORDS));
      }),
    );
  },
);

test("with no requests left, none is sent before the reset", async () => {
  const limit = { requests: 10, window: 1000, reset: "seconds" as const };
  await withDouble(STATE, { limit }, async (double) => {
    const client = clientOf(double, { concurrency: 1 });
    for (let request = 0; request < 12; request++) await client.get(["orgs", "acme"]);
    // No request was refused: a refused request would be repeated.
    expect(double.asked).toHaveLength(12);
  });
});

test("a wait above --max-wait ends the pull and is named", async () => {
  const faults = { 4: { status: 429, headers: { "retry-after": "3600" } } };
  await expect(pulled(STATE, { faults }, { maxWait: 60_000 })).rejects.toThrow(
    /has had too many requests and wants GET \S+ to wait 3600 s more, which is above --max-wait\. Nothing was written\.$/,
  );
});

test("--rate spreads requests", async () => {
  await withDouble(STATE, {}, async (double) => {
    const client = clientOf(double, { rate: 60 * 50 });
    const began = Date.now();
    await Promise.all(Array.from({ length: 11 }, () => client.get(["orgs", "acme"])));
    expect(Date.now() - began).toBeGreaterThanOrEqual(195);
  });
});

test("--concurrency limits concurrent requests", async () => {
  for (const concurrency of [1, 3]) {
    await withDouble(STATE, { faults: () => "slow" }, async (double) => {
      await pull(clientOf(double, { concurrency }), "acme", { accept: new Set() });
      expect(double.mostUnderWay).toBe(concurrency);
    });
  }
});

test.each([
  [
    { phase: "content", contents: { done: 312, of: 460 }, requests: { done: 609, of: 997 } },
    { requests: 609, elapsed: 609 * 1391, held: 22_500 },
    "content 312/460 · 609 of ~997 requests · ~9 min · waiting 23 s for the limit",
  ],
  [
    { phase: "lists", contents: { done: 0, of: 0 }, requests: { done: 3, of: undefined } },
    { requests: 3, elapsed: 100, held: -5 },
    "lists · 3 requests",
  ],
  [
    { phase: "lists again", contents: { done: 4, of: 4 }, requests: { done: 20, of: 24 } },
    { requests: 20, elapsed: 10_000, held: 0 },
    "lists again · 20 of ~24 requests · ~2 s",
  ],
] as const)("progress %#", (step, now, text) => {
  expect(progressText(step, now)).toBe(text);
});

test("progress goes from the lists through all content to the lists again, and its estimate is correct", async () => {
  await withDouble(STATE, {}, async (double) => {
    const steps: { phase: string; of: number | undefined; done: number }[] = [];
    await pull(clientOf(double, { concurrency: 1 }), "acme", {
      accept: new Set(),
      progress: ({ phase, requests, contents }) =>
        steps.push({ phase, of: requests.of, done: contents.done }),
    });
    expect([...new Set(steps.map(({ phase }) => phase))]).toEqual(["lists", "content", "lists again"]);
    expect(steps.slice(1).every(({ of }) => of === double.asked.length)).toBe(true);
  });
});

test("a refusal ends requests that wait for the limit at once", async () => {
  const faults = { 1: { status: 429, headers: { "retry-after": "86400" } }, 2: { status: 403 } };
  await expect(pulled(STATE, { faults }, { maxWait: Infinity })).rejects.toThrow(/403/);
});
