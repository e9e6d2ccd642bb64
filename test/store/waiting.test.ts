import { expect, test } from "vitest";
import { OneEach, type Timer, Waiting } from "../../src/store/waiting.ts";
import { workFor } from "../../src/store/turns.ts";

const LOADING = "The organization is being loaded; try again.";

/** A clock whose timers end when it is set forward. */
function stoppedClock() {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly callBack: () => void }>();
  const after: Timer = (milliseconds, callBack) => {
    const timer = { at: now + milliseconds, callBack };
    timers.add(timer);
    return { cancel: () => void timers.delete(timer) };
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
    for (const { at, callBack } of timers) if (at <= now) callBack();
  };
  return { after, pass, timers };
}

test("a request waits for ten seconds, then it gets a 503; what it waited for goes on", async () => {
  const { after, pass, timers } = stoppedClock();
  const waiting = new Waiting(after);
  const model = Promise.withResolvers<string>();
  const first = waiting.for("o", () => model.promise);
  pass(9_999);
  const second = waiting.for("o", () => model.promise);
  expect(waiting.count).toBe(2);
  pass(1);
  await expect(first).rejects.toMatchObject({
    status: 503,
    message: LOADING,
    headers: { "retry-after": "1" },
  });
  expect(waiting.count).toBe(1);
  model.resolve("model");
  expect(await second).toBe("model");
  expect([waiting.count, timers.size]).toEqual([0, 0]);
});

test("two hundred requests wait for an organization, however many wait for others", async () => {
  const waiting = new Waiting(stoppedClock().after);
  const model = Promise.withResolvers<string>();
  const wait = (organization: string) => workFor("ana", () => waiting.for(organization, () => model.promise));
  const waits = Array.from({ length: 200 }, () => wait("o"));
  await expect(wait("o")).rejects.toMatchObject({ status: 503, message: LOADING });
  waits.push(...Array.from({ length: 200 }, () => wait("p")));
  expect(waiting.count).toBe(400);
  model.resolve("model");
  expect(new Set(await Promise.all(waits))).toEqual(new Set(["model"]));
  expect(await wait("o")).toBe("model");
});

test("a request that waits for two revisions is one request, and holds nothing meanwhile", async () => {
  const waiting = new Waiting(stoppedClock().after);
  const models = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const told: boolean[] = [];
  const request = workFor(
    "ana",
    () => Promise.all(models.map(({ promise }) => waiting.for("o", () => promise))),
    (isWaiting) => told.push(isWaiting),
  );
  expect([waiting.count, told]).toEqual([1, [true]]);
  models[0]?.resolve(1);
  await models[0]?.promise;
  expect([waiting.count, told]).toEqual([1, [true]]);
  models[1]?.resolve(2);
  expect(await request).toEqual([1, 2]);
  expect([waiting.count, told]).toEqual([0, [true, false]]);
});

test("each caller has one work at a time, and all callers two; whoever had one goes to the end", async () => {
  const each = new OneEach();
  const begun: string[] = [];
  const works = new Map<string, PromiseWithResolvers<void>>();
  const ask = (name: string) => {
    const work = Promise.withResolvers<void>();
    works.set(name, work);
    return each.do(name.slice(0, -1), () => {
      begun.push(name);
      return work.promise;
    });
  };
  const all = Promise.allSettled(["ana1", "ana2", "bram1", "bram2", "bram3", "cleo1"].map(ask));
  const expected = ["ana1", "bram1", "bram2", "ana2", "cleo1", "bram3"];
  await expect.poll(() => begun).toEqual(expected.slice(0, 2));
  for (const [ended, begins] of [
    ["bram1", 3],
    ["ana1", 4],
    ["bram2", 5],
  ] as const) {
    if (ended === "ana1") works.get(ended)?.reject(new Error("no"));
    else works.get(ended)?.resolve();
    await expect.poll(() => begun).toEqual(expected.slice(0, begins));
  }
  for (const { resolve } of works.values()) resolve();
  expect((await all).map(({ status }) => status === "rejected")).toEqual([true, ...Array(5).fill(false)]);
  expect(begun).toEqual(expected);
});
