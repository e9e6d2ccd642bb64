/** The coordinator is killed, or does not answer; the packets to a worker are lost. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { World } from "../world.ts";
import { citusPlaces, nodesOfCluster } from "./cluster.ts";
import { startCommitProxy } from "./commit-proxy.ts";
import { acmeAs, importOn, pageOf, Reader, redirect } from "./organizations.ts";

const [HERE, THERE] = ["here", "there"];
/** The time limit of a statement, in milliseconds. */
const TIME_LIMIT = 1500;
/** The time between two pages of one reader, in milliseconds. */
const EVERY = 20;

/** A reader is served again after so many pages without a refusal. */
const SERVED = 20;

let world: World;

beforeAll(async () => {
  const place = await citusPlaces.open();
  const url = `${place.url}&statement_timeout=${TIME_LIMIT}`;
  world = await World.open(async () => ({ ...place, url }), { cacheBytes: 0 });
  const [, one, other] = await nodesOfCluster();
  await importOn(world, one?.port ?? 0, acmeAs(HERE));
  await importOn(world, other?.port ?? 0, acmeAs(THERE));
});
afterAll(() => world.close());

/** Starts a reader of each organization. */
async function readers(on = world): Promise<[here: Reader, there: Reader]> {
  const [here, there] = [await on.token(HERE), await on.token(THERE)];
  return [new Reader(on, pageOf(HERE), here, EVERY), new Reader(on, pageOf(THERE), there, EVERY)];
}

/** Ends a reader when it is served again; see {@link SERVED}. Its answers: one page, and refusals that say when to come again. */
async function ends(reader: Reader): Promise<{ refused: number }> {
  const since = reader.answers.length;
  const isServed = () => {
    const last = reader.answers.slice(since).slice(-SERVED);
    return last.length === SERVED && last.every(({ status }) => status === 200);
  };
  await expect.poll(isServed).toBe(true);
  await reader.stop();
  const { answers } = reader;
  const refusals = answers.filter(({ status }) => status !== 200);
  for (const { status, headers } of refusals) expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  const pages = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(new Set(pages).size).toBe(1);
  return { refused: refusals.length };
}

test("the coordinator is killed: every answer is a page or a 503, and all recovers when it is back", async () => {
  const [coordinator] = await nodesOfCluster();
  const reading = await readers();
  for (const reader of reading) await reader.hears(SERVED);
  await coordinator?.kill9();
  try {
    for (const reader of reading) await reader.isRefused();
    expect((await world.get("/readyz")).status).toBe(503);
    expect((await world.get("/healthz")).status).toBe(200);
  } finally {
    await coordinator?.start();
  }
  for (const reader of reading) expect((await ends(reader)).refused).toBeGreaterThan(0);
  expect((await world.get("/readyz")).status).toBe(200);
});

test("the coordinator does not answer: every answer is a page or a 503, and all recovers", async () => {
  const [coordinator] = await nodesOfCluster();
  // Nobody is refused before a new connection has waited for as long as it may.
  const url = `${world.url}&connect_timeout=5`;
  const hasty = await World.open(async () => ({ url, dispose: async () => {} }), { cacheBytes: 0 });
  onTestFinished(() => hasty.close());
  const reading = await readers(hasty);
  for (const reader of reading) await reader.hears(SERVED);
  coordinator?.halt();
  try {
    for (const reader of reading) await reader.isRefused();
  } finally {
    coordinator?.resume();
  }
  for (const reader of reading) expect((await ends(reader)).refused).toBeGreaterThan(0);
});

test("packets to a worker are lost: its organizations are refused, the others do not notice, and all recovers", async () => {
  const [, worker] = await nodesOfCluster();
  if (worker === undefined) throw new Error("Two workers are needed.");
  await using proxy = await startCommitProxy(worker.port);
  await redirect(new Map([[worker.port, proxy.port]]));
  try {
    const reading = await readers();
    for (const reader of reading) await reader.hears(SERVED);
    proxy.dropAll();
    await reading[0].isRefused();
    await reading[1].hears(SERVED);
    proxy.recover();
    const [here, there] = [await ends(reading[0]), await ends(reading[1])];
    expect(here.refused).toBeGreaterThan(0);
    expect(there.refused).toBe(0);
  } finally {
    await redirect(new Map([[proxy.port, worker.port]]));
  }
});
