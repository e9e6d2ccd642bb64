/** Whose turn it is to be exchanged with the provider. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../src/domain/error.ts";
import { networkOf } from "../../../src/http/callers.ts";
import { type Asking, Exchanges } from "../../../src/http/sign-in/exchanges.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime("2026-03-01T09:30:20Z");
});
afterEach(() => {
  vi.useRealTimers();
});

const from = (network: string): Asking => ({ network, isGone: () => false });

/** Exchanges that go on until the test ends them. */
class Running {
  readonly exchanges = new Exchanges();
  /** The names of those that began, in order. */
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  /** Resolves to the refusal of an exchange; to an empty text when it ends. */
  async run(name: string, asking: Asking): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ends.set(name, resolve);
    try {
      await this.exchanges.run(asking, () => {
        this.begun.push(name);
        return promise;
      });
      return "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `${error.status} after ${error.headers["retry-after"]}: ${error.message}`;
    }
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  }
}

const BUSY = "503 after 5: Too many people are signing in now; try again.";

test("two of one network at once, ten in all; of the others, those go first whose network began least", async () => {
  const running = new Running();
  for (const name of ["a1", "a2", "a3", "a4"]) void running.run(name, from("a"));
  expect(running.begun).toEqual(["a1", "a2"]);
  for (const name of ["b", "c", "d", "e", "f", "g", "h", "i"]) void running.run(name, from(name));
  expect(running.begun.slice(2)).toEqual(["b", "c", "d", "e", "f", "g", "h", "i"]);
  void running.run("j", from("j"));
  void running.run("b2", from("b"));
  expect(running.begun).toHaveLength(10);
  await running.end("b");
  expect(running.begun.slice(10)).toEqual(["j"]);
  await running.end("a2");
  expect(running.begun.slice(11)).toEqual(["b2"]);
  await running.end("c");
  expect(running.begun.slice(12)).toEqual(["a3"]);
  await running.end("d");
  expect(running.begun.slice(13)).toEqual([]);
  await running.end("a1");
  expect(running.begun.slice(13)).toEqual(["a4"]);
});

test("an exchange waits 5 s at most, and then gives up its place", async () => {
  const running = new Running();
  void running.run("a1", from("a"));
  void running.run("a2", from("a"));
  const late = running.run("late", from("a"));
  await vi.advanceTimersByTimeAsync(4_999);
  const next = running.run("next", from("a"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBe(BUSY);
  await running.end("a1");
  await running.end("next");
  expect(await next).toBe("");
  expect(running.begun).toEqual(["a1", "a2", "next"]);
});

test("who has disconnected leaves the place to the next, who may be the same person", async () => {
  const running = new Running();
  void running.run("a1", from("a"));
  void running.run("a2", from("a"));
  let isGone = false;
  const first = running.run("before the reload", { network: "a", isGone: () => isGone });
  void running.run("after the reload", from("a"));
  isGone = true;
  await running.end("a1");
  expect(await first).toBe(BUSY);
  expect(running.begun).toEqual(["a1", "a2", "after the reload"]);
});

test("twenty of one network in a minute, with those that wait; in the next minute again", async () => {
  const running = new Running();
  for (let each = 1; each <= 20; each++) void running.run(`${each}`, from("a"));
  const MANY = "503 after 40: Too many people are signing in from your address; try again.";
  expect(await running.run("21", from("a"))).toBe(MANY);
  for (let each = 1; each <= 20; each++) await running.end(`${each}`);
  expect(running.begun).toHaveLength(20);
  expect(await running.run("22", from("a"))).toBe(MANY);
  expect(() => running.exchanges.count(from("a"))).toThrow("from your address");
  void running.run("b", from("b"));
  expect(running.begun).toHaveLength(21);
  await vi.advanceTimersByTimeAsync(40_000);
  void running.run("23", from("a"));
  expect(running.begun.at(-1)).toBe("23");
});

test("whoever fills the line keeps no place from another network", async () => {
  const running = new Running();
  const refusals: Promise<string>[] = [];
  for (let each = 0; each < 20; each++) {
    for (const network of ["a", "b", "c", "d", "e"])
      refusals.push(running.run(`${network}${each}`, from(network)));
  }
  for (let each = 0; each < 12; each++) refusals.push(running.run(`f${each}`, from("f")));
  expect(running.begun).toHaveLength(10);
  void running.run("ana", from("g"));
  expect(await Promise.race(refusals)).toBe(BUSY);
  await running.end("a0");
  await running.end("b0");
  expect(running.begun.slice(10)).toEqual(["f0", "ana"]);
});

test("at most a hundred wait, in whatever number of networks", async () => {
  const running = new Running();
  const refusals: Promise<string>[] = [];
  for (let each = 0; each < 111; each++) refusals.push(running.run(`${each}`, from(`${each}`)));
  expect(await refusals[110]).toBe(BUSY);
  expect(running.begun).toHaveLength(10);
  await running.end("0");
  expect(running.begun[10]).toBe("10");
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1"],
  ["2001:0DB8:0000:0001:ffff::", "2001:db8:0:1"],
  ["2001:db8:0:1::5", "2001:db8:0:1"],
  ["2001:db8::5", "2001:db8:0:0"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["", ""],
])("the address %j is counted as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
