/** docs/snapshot.md, "Ids that stay": the effect of a changed e-mail address that is used as id. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPlace, World } from "../world.ts";
import { RefusedImport } from "../../src/snapshot/import.ts";
import type { SnapshotRecord } from "../oracle/records.ts";

const DATE = "2026-01-01T00:00:00.000Z";
const COMPANY = 20;

/** An organization of people with one permission each; `address` gives a person's id. */
function company(address: (person: number) => string, stays = false): SnapshotRecord[] {
  const people = Array.from({ length: COMPANY }, (_, person) => {
    const user = stays ? `u-${person}` : address(person);
    return [
      { object: "user", id: user, displayName: `Person ${person}`, email: address(person) },
      { object: "member", organization: "north", user, role: "read" },
      { object: "permission", space: "plan", user, permission: "admin" },
    ] satisfies SnapshotRecord[];
  });
  return [
    { object: "organization", id: "north", title: "North" },
    { object: "space", id: "plan", organization: "north", title: "Plan", createdAt: DATE, updatedAt: DATE },
    ...people.flat(),
  ];
}

const old = (person: number) => `p${person}@north.example`;
const married = (person: number) => (person === 0 ? "m0@north.example" : old(person));
const renamed = (person: number) => `p${person}@south.example`;
const LIST = "/v1/spaces/plan/permissions/users";

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
});
afterAll(() => world.close());

async function kindsAfter(records: readonly SnapshotRecord[]) {
  const { organizations, endingTokens } = await world.import(records, {});
  const { member } = organizations[0]?.kinds ?? {};
  return { member, ended: endingTokens.length };
}

test("one member leaves and another joins, and the tokens are lost for good", async () => {
  await world.import(company(old), {});
  const token = await world.token("north", old(0));
  expect((await world.get(LIST, token)).status).toBe(200);
  expect(await kindsAfter(company(married))).toEqual({
    member: { added: 1, changed: 0, removed: 1 },
    ended: 1,
  });
  expect((await world.get(LIST, token)).status).toBe(401);
  await kindsAfter(company(old));
  expect((await world.get(LIST, token)).status).toBe(401);
});

test("a permission that still names the old id is an error", async () => {
  const records = company(married).map((record) =>
    record.object === "permission" && record.user === married(0) ? { ...record, user: old(0) } : record,
  );
  await expect(world.import(records, {})).rejects.toThrow(/permission.user is "p0@north.example"/);
});

test("the guard refuses a change of all addresses", async () => {
  await expect(world.import(company(renamed), {})).rejects.toThrow(RefusedImport);
});

test("with stable ids, a new address only changes the user record", async () => {
  await world.import(company(old, true), { allowRemovals: true });
  const token = await world.token("north", "u-0");
  expect(await kindsAfter(company(renamed, true))).toMatchObject({
    member: { added: 0, removed: 0 },
    ended: 0,
  });
  expect((await world.get(LIST, token)).status).toBe(200);
});
