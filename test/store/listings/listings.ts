import * as fc from "fast-check";
import { expect, test } from "vitest";
import { organizationIds } from "../../oracle/facts.ts";
import * as given from "../../oracle/examples/examples.ts";
import { oracle } from "../../oracle/oracle.ts";
import { histories, neighbouring, organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/**
 * Compares all listings of about `runs` random organizations with the oracle. `some` listings are also walked during
 * imports, each on a database of its own.
 */
export function exerciseListings(open: OpenPlace, runs: number, some = 6): void {
  test("every listing of random organizations, walked in pages of any size, is the oracle's", async () => {
    await holds(
      fc.asyncProperty(organizations(), limits, fc.boolean(), async (records, sizes, cached) => {
        await inWorld(open, cached, async (world) => {
          await world.import(records);
          await compareAll(world, records, sizes);
        });
      }),
      { numRuns: runs },
    );
  });

  test("the spaces of a member who sees one in a few, in pages of any size, end with the last one read", async () => {
    const date = "2025-03-01T09:30:00.000Z";
    for (const count of someOf([1, 2, 3, 4, 5, 6, 8, 13], some)) {
      const spaces = Array.from({ length: count }, (_, at): SnapshotRecord => {
        const level = at === 0 ? {} : { defaultLevel: null };
        return {
          object: "space",
          id: `s${at}`,
          organization: "o",
          title: "S",
          createdAt: date,
          updatedAt: date,
          ...level,
        };
      });
      await inWorld(open, true, async (world) => {
        const records: SnapshotRecord[] = [
          { object: "organization", id: "o", title: "O" },
          { object: "user", id: "m", displayName: "M" },
          { object: "member", organization: "o", user: "m", role: "read" },
          ...spaces,
        ];
        await world.import(records);
        await compareAll(world, records, [2]);
      });
    }
  });

  test("longer lists, with many members, teams and permissions", async () => {
    const sizes = { maxOrganizations: 1, minMembers: 30, maxMembers: 60, minContents: 6, maxContents: 12 };
    await holds(
      fc.asyncProperty(
        organizations({ ...sizes, maxTeams: 12, minPermissions: 40, maxPermissions: 160 }),
        limits,
        async (records, steps) => {
          await inWorld(open, true, async (world) => {
            await world.import(records);
            await compareAll(world, records, steps);
          });
        },
      ),
      { numRuns: Math.ceil(runs / 6) },
    );
  });

  test("a space on which many users were given something, one by one", async () => {
    const users = Array.from({ length: 9 }, (_, index) => `u${index}`);
    const records: SnapshotRecord[] = [
      given.organization(),
      ...users.flatMap((user) => given.member(user, null)),
      given.collection("shelf"),
      given.space("many", { parent: "shelf" }),
      ...users.slice(1).map((user) => given.onSpace("many", { user }, "edit")),
      ...users.slice(0, 6).map((user) => given.onCollection("shelf", { user }, "comment")),
    ];
    await inWorld(open, true, async (world) => {
      await world.import(records);
      await compareAll(world, records, [2]);
    });
  });

  test("a walk stays on its first revision during an import", async () => {
    await holds(
      fc.asyncProperty(histories({ maxOrganizations: 1, minContents: 2 }, 1), async ([before, after]) => {
        if (before === undefined || after === undefined) return;
        const asked = oracle(before, { publicUrl: PUBLIC_URL });
        for (const listing of someOf(asked.listings(only(before)), some)) {
          await inWorld(open, true, async (world) => {
            await world.import(before);
            if (!stillThere(after, only(before), listing)) return;
            const token = await world.token(only(before));
            const items = await world.walk(asked.path(only(before), listing), token, [1], async (page) => {
              if (page === 0) await world.import(after);
            });
            expect(items).toEqual(asked.list(only(before), listing));
          });
        }
      }),
      { numRuns: Math.ceil(runs / 6) },
    );
  });

  test("a walk that outlives its revision lists remaining entries exactly once", async () => {
    await holds(
      fc.asyncProperty(histories({ maxOrganizations: 1, minContents: 2 }, 3), async (states) => {
        const [first] = states;
        const last = states.at(-1);
        if (first === undefined || last === undefined) return;
        const organization = only(first);
        const asked = states.map((records) => oracle(records, { publicUrl: PUBLIC_URL }));
        for (const listing of someOf(asked[0]?.listings(organization) ?? [], some)) {
          if (!states.every((records) => stillThere(records, organization, listing))) continue;
          await inWorld(open, true, async (world) => {
            await world.import(first);
            const path = asked[0]?.path(organization, listing) ?? "";
            const token = await world.token(organization);
            const items = await world.walk(path, token, [1], async (page) => {
              if (page === 0) for (const state of states.slice(1)) await world.import(state);
            });
            const keys = items.map(keyOf);
            expect(new Set(keys).size).toBe(keys.length);
            const lists = asked.map((each) => each.list(organization, listing).map(keyOf));
            const always = (lists[0] ?? []).filter((key) => lists.every((list) => list.includes(key)));
            for (const key of always) expect(keys).toContain(key);
          });
        }
      }),
      { numRuns: Math.ceil(runs / 6) },
    );
  });

  test("two organizations with the same ids see only their own", async () => {
    await holds(
      fc.asyncProperty(neighbouring(), async ([one, other]) => {
        await inWorld(open, true, async (world) => {
          await world.import(one);
          await world.import(other);
          await compareAll(world, one, [2]);
          await compareAll(world, other, [2]);
        });
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });
}

const limits = fc.array(fc.constantFrom(1, 2, 3, 5, 7, 1000), { minLength: 1, maxLength: 4 });

async function inWorld(
  open: OpenPlace,
  cached: boolean,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await World.open(open, cached ? {} : { cacheBytes: 0 });
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/**
 * Walks every listing of every organization, or every `step`-th, and compares it with the oracle. `whenOf` gives the
 * WHEN at which an organization is read, for the past.
 */
export async function compareAll(
  world: World,
  records: readonly SnapshotRecord[],
  sizes: readonly number[],
  step = 1,
  whenOf?: (organization: string) => string,
): Promise<void> {
  const expected = oracle(records, { publicUrl: PUBLIC_URL });
  for (const organization of organizationIds(records)) {
    const token = await world.token(organization);
    for (const listing of expected.listings(organization).filter((_, index) => index % step === 0)) {
      const before = whenOf === undefined ? "" : `/at/${whenOf(organization)}`;
      const path = before + expected.path(organization, listing);
      expect(await world.walk(path, token, sizes), path).toEqual(expected.list(organization, listing));
    }
  }
}

function only(records: readonly SnapshotRecord[]): string {
  return organizationIds(records)[0] ?? "";
}

/** About `count` items of a list, evenly spread. */
function someOf<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0);
}

function stillThere(
  records: readonly SnapshotRecord[],
  organization: string,
  listing: Parameters<ReturnType<typeof oracle>["list"]>[1],
): boolean {
  try {
    oracle(records, { publicUrl: PUBLIC_URL }).list(organization, listing);
    return true;
  } catch {
    return false;
  }
}

/** An item's own id, or the user, team or space that it names. */
function keyOf(item: unknown): string {
  const {
    id,
    user,
    team,
    space,
  }: Record<"user" | "team" | "space", { id: string } | undefined> & { id?: string } = Object(item);
  return [id, user?.id, team?.id, space?.id].join("/");
}
