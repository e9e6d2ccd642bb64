/** Rotation replaces a token by a new one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ListedToken,
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
} from "../../../src/store/tokens.ts";
import { samplesOf } from "../../http/metrics/exposition.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { type OpenPlace, World } from "../../world.ts";

const PATH = "/v1/spaces/a/permissions/users";
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

export function exerciseRotation(open: OpenPlace): void {
  let world: World;
  let member: string;
  beforeAll(async () => {
    world = await World.open(open);
    const records = yearly(1);
    await world.import(records);
    member = records.find((record) => record.object === "member")?.user ?? "";
  });
  afterAll(() => world.close());

  /** The newest token with a name. */
  async function listed(name: string): Promise<ListedToken> {
    const found = (await listTokens(world.store.engine)).filter((token) => token.name === name);
    const newest = found
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      .find((token) => token.replacedBy === undefined);
    if (newest === undefined) throw new Error(`no token ${name}`);
    return newest;
  }

  async function byId(id: string): Promise<ListedToken | undefined> {
    return (await listTokens(world.store.engine)).find((token) => token.id === id);
  }

  async function status(token: string): Promise<number> {
    return (await world.get(PATH, token)).status;
  }

  function lifeOf({ createdAt, expiresAt }: ListedToken): number {
    return expiresAt === undefined ? Infinity : Date.parse(expiresAt) - Date.parse(createdAt);
  }

  test("name, member and lifetime stay; the old token ends after the grace", async () => {
    const old = await createToken(world.store, {
      organization: YEARLY,
      member,
      name: "pipeline",
      lifetime: 90 * DAY,
    });
    const before = await listed("pipeline");
    const began = Date.now();
    const { token, until } = await rotateToken(world.store, before.id, DAY);
    const ended = Date.now();
    const after = await listed("pipeline");
    expect(after).toMatchObject({ organization: YEARLY, member, name: "pipeline", replacedBy: undefined });
    expect(lifeOf(after)).toBe(90 * DAY);
    expect(await byId(before.id)).toMatchObject({
      expiresAt: until,
      replacedBy: after.id,
      createdAt: before.createdAt,
    });
    expect(Date.parse(until)).toBeGreaterThanOrEqual(began + DAY);
    expect(Date.parse(until)).toBeLessThanOrEqual(ended + DAY);
    expect([await status(old), await status(token)]).toEqual([await status(token), await status(old)]);
    expect(await status(token)).not.toBe(401);
    // Rotates again within the grace period. The shortened time of the old token is not its lifetime, and nothing is
    // extended.
    await rotateToken(world.store, before.id, 7 * DAY);
    expect(lifeOf(await listed("pipeline"))).toBe(90 * DAY);
    expect((await byId(before.id))?.expiresAt).toBe(until);
  });

  test("an expiry that is earlier than the end of the grace stays", async () => {
    await createToken(world.store, { organization: YEARLY, name: "short", lifetime: HOUR });
    const before = await listed("short");
    expect((await rotateToken(world.store, before.id, DAY)).until).toBe(before.expiresAt);
    expect(lifeOf(await listed("short"))).toBe(HOUR);
  });

  test("a token without expiry gets a successor without expiry; without grace it ends with the next request", async () => {
    const old = await createToken(world.store, { organization: YEARLY, name: "lasting" });
    expect(await status(old)).toBe(200);
    const { token } = await rotateToken(world.store, (await listed("lasting")).id, 0);
    expect([await status(old), await status(token)]).toEqual([401, 200]);
    expect((await listed("lasting")).expiresAt).toBe(undefined);
  });

  test("an expired or revoked token cannot be rotated", async () => {
    await createToken(world.store, { organization: YEARLY, name: "expired", lifetime: 1 });
    await createToken(world.store, { organization: YEARLY, name: "revoked" });
    const [expired, revoked] = [await listed("expired"), await listed("revoked")];
    await revokeToken(world.store.engine, revoked.id);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(expired.expiresAt ?? ""));
    await expect(rotateToken(world.store, expired.id, DAY)).rejects.toThrow(
      `Token ${expired.id} expired at ${expired.expiresAt}; make a new one with rolebook token create.`,
    );
    await expect(rotateToken(world.store, revoked.id, DAY)).rejects.toThrow(/^There is no token with id/);
  });

  test("the metric of the next expiry ignores rotated and short-lived tokens", async () => {
    const next = async () => {
      const samples = samplesOf((await world.get("/metrics")).body);
      return samples.find(({ name }) => name === "rolebook_token_next_expiry_timestamp_seconds")?.value;
    };
    for (const { id } of await listTokens(world.store.engine)) await revokeToken(world.store.engine, id);
    await createToken(world.store, { organization: YEARLY, name: "never" });
    await createToken(world.store, { organization: YEARLY, name: "trial", lifetime: 14 * DAY - 1 });
    expect(await next()).toBe(undefined);
    const timeOf = async (name: string) => Date.parse((await listed(name)).expiresAt ?? "") / 1000;
    await createToken(world.store, { organization: YEARLY, name: "late", lifetime: 90 * DAY });
    expect(await next()).toBe(await timeOf("late"));
    await createToken(world.store, { organization: YEARLY, name: "soon", lifetime: 14 * DAY });
    expect(await next()).toBe(await timeOf("soon"));
    const { id } = await listed("soon");
    await rotateToken(world.store, id, DAY);
    expect(await next()).toBe(await timeOf("soon"));
    await revokeToken(world.store.engine, (await listed("soon")).id);
    expect(await next()).toBe(await timeOf("late"));
  });
}
