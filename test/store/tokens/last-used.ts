/** Recording when a token was last used does not disturb requests. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Engine, statement } from "../../../src/store/engine/engine.ts";
import { LastUsed, createToken, listTokens, revokeToken } from "../../../src/store/tokens.ts";
import { SEEN } from "../../../src/store/engine/marks.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { type OpenPlace, World } from "../../world.ts";
import { writeDirectly } from "../../directly.ts";

const PATH = "/v1/spaces/a/permissions/users";
const TOUCH = statement<never>(() => "UPDATE token SET name = name");
const STILL = statement<never>(() => "UPDATE token SET last_used_at = NULL");

/** `readOnly` makes a URL that opens the database without write permission; absent if the store has none. */
export function exerciseLastUsed(open: OpenPlace, readOnly?: (url: string) => string): void {
  let world: World;
  /** A second engine. For the database, it is another process. */
  let other: Engine;
  beforeAll(async () => {
    // The hour stays the same.
    vi.useFakeTimers({ toFake: ["Date"] });
    world = await World.open(open);
    await world.import(yearly(1));
    other = await openEngine(world.url);
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    vi.useRealTimers();
  });

  /** Creates a token. Returns its id. */
  async function made(name: string): Promise<string> {
    await createToken(world.store, { organization: YEARLY, name });
    const found = (await listTokens(world.store.engine)).find((token) => token.name === name);
    return found?.id ?? "";
  }

  async function lastUse(id: string): Promise<string | undefined> {
    return (await listTokens(other)).find((token) => token.id === id)?.lastUsedAt;
  }

  function usedOn(engine: Engine): LastUsed {
    const failed = (error: unknown) => {
      throw error;
    };
    return new LastUsed(engine, failed);
  }

  function thisHour(): string {
    return new Date().toISOString().replace(/:.*/, ":00:00.000Z");
  }

  test("to the hour, and no process loses known uses", async () => {
    const id = await made("calm");
    const token = await world.token(YEARLY);
    for (let times = 0; times < 3; times++) expect((await world.get(PATH, token)).status).toBe(200);
    const before = await other.version();
    const marks = await other.read(SEEN);
    const used = usedOn(world.store.engine);
    used.note(id);
    await expect.poll(() => lastUse(id)).toBe(thisHour());
    // Every process clears its caches if these change.
    expect(await other.read(SEEN)).toEqual(marks);
    await revokeToken(other, id);
    expect(await other.read(SEEN)).not.toEqual(marks);
    expect(await other.version()).not.toBe(before);
  });

  test("batches have an interval, however many tokens are used, and each token is written once per hour", async () => {
    const ids = [await made("one"), await made("two")];
    const used = usedOn(world.store.engine);
    used.note(ids[0] ?? "");
    await expect.poll(() => lastUse(ids[0] ?? "")).toBe(thisHour());
    const timers = vi.spyOn(globalThis, "setTimeout");
    used.note(ids[1] ?? "");
    const waits = timers.mock.calls.map(([, wait]) => wait);
    timers.mockRestore();
    expect(waits).toEqual([expect.toSatisfy((wait: number) => wait > 60_000)]);
    expect(await lastUse(ids[1] ?? "")).toBe(undefined);
    // The first note has been written completely.
    await writeDirectly(world.store.engine, STILL);
    used.note(ids[0] ?? "");
    await used.close();
    expect([await lastUse(ids[0] ?? ""), await lastUse(ids[1] ?? "")]).toEqual([undefined, thisHour()]);
  });

  test("a revoked token is not inserted again", async () => {
    const id = await made("ended");
    const used = usedOn(world.store.engine);
    used.note(await made("kept"));
    used.note(id);
    await revokeToken(other, id);
    await used.close();
    const ids = (await listTokens(other)).map((token) => token.id);
    expect(ids).not.toContain(id);
  });

  test("while the database is busy, uses wait for the next batch", async () => {
    const id = await made("busy");
    const used = usedOn(world.store.engine);
    await other.transaction(async (connection) => {
      await connection.write(TOUCH);
      used.note(id);
      await used.close();
    });
    expect(await lastUse(id)).toBe(undefined);
    await used.close();
    expect(await lastUse(id)).toBe(thisHour());
  });

  if (readOnly === undefined) return;
  test("on a read-only database, uses are not written", async () => {
    const id = await made("read");
    const reading = await openEngine(readOnly(world.url));
    try {
      const used = usedOn(reading);
      used.note(id);
      await used.close();
      expect(await lastUse(id)).toBe(undefined);
    } finally {
      await reading.close();
    }
  });
}
