import type { Client } from "./client.ts";

/**
 * Runs `work` for every item, concurrently as far as the client allows. The first failure stops it: no more work is
 * started, running work is cancelled, and the failure is thrown.
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
