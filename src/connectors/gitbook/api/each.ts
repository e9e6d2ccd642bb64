import type { Client } from "./client.ts";

/**
 * Runs `work` for every item, with as many at once as the client may request. The first failure stops it: nothing
 * more is started, running work is cancelled, and the failure is thrown.
 */
export async function each<Item>(
  client: Client,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      client.mustGoOn();
      await work(next.value);
    }
  }
  const workers = Array.from({ length: client.concurrency }, async () => {
    await worker().catch((error: unknown) => client.stop(error));
  });
  await Promise.all(workers);
  client.mustGoOn();
}
