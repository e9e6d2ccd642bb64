/** Accounts are bound to members, and sessions are tokens of their own kind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { removeOrganization } from "../../../src/store/revisions/organizations.ts";
import {
  type Account,
  type Claimed,
  beginSession,
  endSession,
  listBindings,
  prolong,
  unbind,
} from "../../../src/store/sign-ins.ts";
import { Store } from "../../../src/store/store.ts";
import { createToken, hashOf, listTokens, nextExpiry, rotateToken } from "../../../src/store/tokens.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { YEARLY, yearly } from "../../postgres/yearly.ts";
import { nextMillisecond } from "../../setup/until.ts";
import { type OpenPlace, World } from "../../world.ts";

const HOUR = 60 * 60_000;
const LIFETIMES = { idle: 8 * HOUR, longest: 24 * HOUR };
const ISSUER = "https://login.example";

function withAddresses(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const addresses: Record<string, string> = {
    u00000: "Ana@Example.com",
    u00001: "both@example.com",
    u00002: "BOTH@example.com",
    u00003: "İ@example.com",
    u00004: `${"long.".repeat(14)}a@example.com`,
    u00005: `${"long.".repeat(14)}b@example.com`,
  };
  return records.map((record) => {
    const email = record.object === "user" ? addresses[record.id] : undefined;
    return record.object === "user" && email !== undefined ? { ...record, email } : record;
  });
}

/** `waits` resolves when a statement waits for another's lock; absent if a transaction waits before it begins. */
export function exerciseSessions(open: OpenPlace, waits = async () => {}): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open(open);
    await world.import(withAddresses(yearly(1)));
  });
  afterAll(() => world.close());

  const by = (subject: string): Account => ({ organization: YEARLY, issuer: ISSUER, subject });
  const email = (value: string): Claimed => ({ is: "email", value });
  const id = (value: string): Claimed => ({ is: "id", value });
  const begin = (subject: string, claimed: Claimed, old?: string) =>
    beginSession(world.store, by(subject), claimed, LIFETIMES, old);

  async function session(subject: string, claimed: Claimed, old?: string): Promise<string> {
    const begun = await begin(subject, claimed, old);
    if (typeof begun === "string") throw new Error(begun);
    return begun.session;
  }

  const found = (value: string) => world.store.registry.token(hashOf(value));
  const sessions = async () =>
    (await listTokens(world.store.engine)).filter(({ issuer }) => issuer !== undefined);

  test("an address names a member with ASCII letters folded, and nothing else", async () => {
    const first = await session("ana", email("aNA@example.COM"));
    expect((await found(first))?.token).toMatchObject({
      organization: YEARLY,
      member: "u00000",
      issuer: ISSUER,
    });
    expect(await begin("x", email("ana@example.com.evil"))).toBe("no member");
    expect(await begin("x", email("u00006 in 1"))).toBe("no member");
    expect(await begin("x", email("both@example.com"))).toBe("several members");
    // Lower case of İ is i and a dot above, which no folding may take for an i.
    expect(await begin("x", email("i@example.com"))).toBe("no member");
    expect(await begin("x", email("i̇@example.com"))).toBe("no member");
    const long = await session("long", email(`${"long.".repeat(14)}B@example.com`));
    expect((await found(long))?.token.member).toBe("u00005");
    expect(await begin("x", id("u00006 in 1"))).toBe("no member");
    expect((await found(await session("six", id("u00006"))))?.token.member).toBe("u00006");
  });

  test("who joined a moment ago is found, in another process too, and makes an address ambiguous", async () => {
    const other = await openEngine(world.url);
    try {
      const join = async (...members: string[]) => {
        const records = members.flatMap((member) => [
          { object: "user", id: member, displayName: member, email: "Joined@example.com" },
          { object: "member", organization: YEARLY, user: member, role: null },
        ]);
        const lines = [{ object: "changes", organization: YEARLY }, ...records];
        const file = world.file(lines.map((line) => JSON.stringify(line)).join("\n"));
        await applyChange(other, await readChange(file, false, () => {}));
      };
      expect(await begin("joined", email("joined@example.com"))).toBe("no member");
      await join("joined");
      // A process that has read the organization before sees the change when it must, and not by chance.
      const { models } = world.store;
      const read = models.of.bind(models);
      let looks = 0;
      models.of = async (reading) => {
        const model = await read(reading);
        if (++looks === 1) await join("joined too");
        return model;
      };
      expect(await begin("joined", email("joined@example.com"))).toBe("several members");
      expect(looks).toBe(2);
      models.of = read;
      expect((await listBindings(other)).map(({ subject }) => subject)).not.toContain("joined");
    } finally {
      await other.close();
    }
  });

  test("the binding alone counts later, and another account is refused until it is unbound", async () => {
    // The address has another owner now, for the provider and here.
    expect(await begin("thief", email("ana@example.com"))).toBe("a member of another account");
    const again = await session("ana", email("somebody.else@example.com"));
    expect((await found(again))?.token.member).toBe("u00000");
    expect(
      (await listBindings(world.store.engine)).map(({ member, subject }) => [member, subject]),
    ).toContainEqual(["u00000", "ana"]);
    expect(await unbind(world.store.engine, YEARLY, "u00000")).toBeGreaterThan(0);
    expect(await found(again)).toBe(undefined);
    await expect(unbind(world.store.engine, YEARLY, "u00000")).rejects.toThrow(
      'No account is bound to "u00000" in organization yearly; see rolebook sign-in list.',
    );
    expect((await found(await session("thief", email("ana@example.com"))))?.token.member).toBe("u00000");
  });

  test("unbinding ends the session of a sign-in that was going on, too", async () => {
    const { engine } = world.store;
    await session("ten", id("u00010"));
    const other = await openEngine(world.url);
    try {
      const transaction = other.transaction.bind(other);
      const begun = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      other.transaction = (work) =>
        transaction(async (connection) => {
          const result = await work(connection);
          begun.resolve();
          await commit.promise;
          return result;
        });
      const late = beginSession(new Store(other), by("ten"), id("u00010"), LIFETIMES, undefined);
      await begun.promise;
      const unbound = unbind(engine, YEARLY, "u00010");
      await waits();
      commit.resolve();
      const made = await late;
      expect(await unbound).toBe(2);
      expect(await found(typeof made === "string" ? "" : made.session)).toBe(undefined);
    } finally {
      await other.close();
    }
  });

  test("ten sessions for a member, the oldest goes; a sign-in ends the browser's old one and deletes expired ones", async () => {
    const made: string[] = [];
    for (let each = 0; each < 11; each++) {
      made.push(await session("seven", id("u00007")));
      // Of two that began in the same millisecond, neither is the oldest.
      await nextMillisecond();
    }
    expect(await Promise.all(made.map(async (each) => (await found(each)) !== undefined))).toEqual([
      false,
      ...Array.from({ length: 10 }, () => true),
    ]);
    const next = await session("seven", id("u00007"), made[10]);
    expect([await found(made[10] ?? ""), (await found(made[1] ?? "")) !== undefined]).toEqual([
      undefined,
      true,
    ]);
    const brief = { idle: -1, longest: HOUR };
    const begun = await beginSession(world.store, by("seven"), id("u00007"), brief, next);
    const expired = typeof begun === "string" ? "" : begun.session;
    const ended = (await found(expired))?.token.id;
    expect((await sessions()).map((each) => each.id)).toContain(ended);
    await session("seven", id("u00007"));
    expect((await sessions()).map((each) => each.id)).not.toContain(ended);
    // A token is never taken for an old session.
    const token = await createToken(world.store, { organization: YEARLY, name: "kept" });
    await session("seven", id("u00007"), token);
    expect(await found(token)).toBeDefined();
    await endSession(world.store.engine, token);
    expect(await found(token)).toBeDefined();
    await endSession(world.store.engine, made[2] ?? "");
    expect(await found(made[2] ?? "")).toBe(undefined);
  });

  test("a use moves the end in steps, never beyond the longest time", async () => {
    const value = await session("eight", id("u00008"));
    const token = async () => {
      const it = (await found(value))?.token;
      if (it === undefined) throw new Error("there is no session");
      return it;
    };
    const { engine } = world.store;
    expect(await prolong(engine, await token(), LIFETIMES)).toBe(false);
    const before = Date.parse((await token()).expiresAt ?? "");
    const used = { ...(await token()), expiresAt: new Date(before - 2 * HOUR).toISOString() };
    await expect(prolong(engine, used, { ...LIFETIMES, idle: 10 * HOUR })).resolves.toBe(true);
    world.store.registry.forget(hashOf(value));
    expect(Date.parse((await token()).expiresAt ?? "") - before).toBeGreaterThan(1.9 * HOUR);
    await expect(prolong(engine, await token(), { idle: 90 * HOUR, longest: 24 * HOUR })).resolves.toBe(true);
    world.store.registry.forget(hashOf(value));
    const { createdAt, expiresAt = "" } = await token();
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(24 * HOUR);
  });

  test("a session is no token to rotate, to warn of, or to replace by name", async () => {
    const [one] = await sessions();
    await expect(rotateToken(world.store, one?.id ?? "", HOUR)).rejects.toThrow(
      "is a session, which is not rotated",
    );
    const long = { idle: 8 * HOUR, longest: 400 * 24 * HOUR };
    await beginSession(world.store, by("nine"), id("u00009"), long, undefined);
    expect(await nextExpiry(world.store.engine)).toBe(undefined);
    const before = (await sessions()).length;
    await createToken(world.store, { organization: YEARLY, name: "signed in" }, true);
    expect(await sessions()).toHaveLength(before);
  });

  test("who leaves loses binding and sessions; an organization takes all of its along", async () => {
    const value = await session("eleven", id("u00011"));
    const members = (await listBindings(world.store.engine)).map(({ member }) => member);
    expect(members).toContain("u00011");
    await world.import(withAddresses(yearly(1, 11)));
    expect(await found(value)).toBe(undefined);
    await world.import(withAddresses(yearly(2)));
    expect((await listBindings(world.store.engine)).map(({ member }) => member)).toEqual(
      members.filter((member) => member !== "u00011"),
    );
    // Somebody else with the id of the one who left is not that person.
    expect((await found(await session("another", id("u00011"))))?.token.member).toBe("u00011");
    await removeOrganization(world.store.engine, YEARLY, () => {});
    expect([await listBindings(world.store.engine), await sessions()]).toEqual([[], []]);
    expect(await begin("another", id("u00011"))).toBe("no member");
  });
}
