import type { Client } from "./client.ts";

/**
 * Runs `work` for every item, as many at a time as the client allows. The first failure ends the running work, starts
 * no other, and is thrown.
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
