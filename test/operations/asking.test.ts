/** Who may ask for single things and further lists, what each thing is, and that every address that answers give is one. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import { organizationIds } from "../oracle/facts.ts";
import { namesOrganization, path as pathOf } from "../oracle/listing.ts";
import { type Caller, oracle, type Thing } from "../oracle/oracle.ts";
import { neighbouring, organizations } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../world.ts";
import { holds } from "../setup/property.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

/** Some members of each organization role, and its own token. */
function callersIn(records: readonly SnapshotRecord[], organization: string): Caller[] {
  const members = records.flatMap((record) =>
    record.object === "member" && record.organization === organization ? [record] : [],
  );
  const byRole = Map.groupBy(members, ({ role }) => role);
  const some = [...byRole.values()].flatMap((each) => each.slice(0, 2));
  return [{ kind: "organization" }, ...some.map(({ user }): Caller => ({ kind: "member", user }))];
}

const ABSENT: Thing[] = (["member", "user", "team", "site", "space", "collection"] as const).map((one) => ({
  one,
  id: "nobody has this id",
}));

/** Asks everything at the paths of its own and of another organization, and compares statuses, bodies and refusals. */
async function compare(world: World, records: readonly SnapshotRecord[], others: readonly SnapshotRecord[]) {
  const expected = oracle(records, { publicUrl: PUBLIC_URL });
  const [organization = ""] = organizationIds(records);
  const [other = ""] = organizationIds(others);
  const foreign = oracle(others, { publicUrl: PUBLIC_URL }).things(other);
  for (const caller of callersIn(records, organization)) {
    const token = await world.token(organization, caller.kind === "member" ? caller.user : undefined);
    const forbidden = new Set<string>();
    for (const named of [organization, other, "none"]) {
      for (const thing of [...expected.things(organization), ...foreign, ...ABSENT]) {
        const path = expected.thingPath(named, thing);
        const { status, body, headers } = await world.get(path, token);
        expect(status, `${path} by ${JSON.stringify(caller)}: ${body}`).toBe(
          expected.mayAsk(organization, caller, thing, named),
        );
        if (status === 403) forbidden.add(body);
        if (status !== 200) continue;
        expect(JSON.parse(body), path).toEqual(expected.thing(organization, thing, caller));
        expect(headers["x-rolebook-revision"], path).toBeDefined();
        const etag = String(headers.etag);
        expect((await world.get(path, token, { "if-none-match": etag })).status, path).toBe(304);
      }
    }
    for (const listing of [...expected.listings(organization), ...expected.absent(organization)]) {
      if (listing.endpoint <= 13) continue;
      const { status, body } = await world.get(expected.path(organization, listing), token);
      expect(status).toBe(expected.may(organization, caller, listing));
      if (status === 403) forbidden.add(body);
      if (!namesOrganization(listing)) continue;
      const elsewhere = await world.get(pathOf(other, listing), token);
      expect(elsewhere.status).toBe(expected.mayElsewhere(organization, caller, listing));
      if (elsewhere.status === 403) forbidden.add(elsewhere.body);
    }
    // Whoever may not ask learns nothing from the refusal.
    expect(forbidden.size).toBeLessThanOrEqual(1);
  }
}

describe("who may ask, and what", () => {
  test("in Acme, beside an organization with the same ids", async () => {
    const twin: SnapshotRecord[] = JSON.parse(
      JSON.stringify(acme)
        .replaceAll('"organization":"acme"', '"organization":"twin"')
        .replaceAll('"object":"organization","id":"acme"', '"object":"organization","id":"twin"'),
    );
    twin.push({
      object: "team",
      id: "theirs",
      organization: "twin",
      title: "T",
      createdAt: "2026-01-01T00:00:00Z",
    });
    await world.import(acme);
    await world.import(twin);
    await compare(world, acme, twin);
  });

  test("in random organizations with the same ids", async () => {
    await holds(
      fc.asyncProperty(neighbouring(), async ([one, other]) => {
        const near = await World.open(sqlitePlace);
        try {
          await near.import(one);
          await near.import(other);
          await compare(near, one, other);
        } finally {
          await near.close();
        }
      }),
      { numRuns: 3 },
    );
  });
});

describe("the past", () => {
  const member: SnapshotRecord = { object: "member", organization: "acme", user: "ana", role: "read" };
  const isOf = (user: string) => (record: SnapshotRecord) =>
    (record.object === "member" || record.object === "teamMember" || record.object === "permission") &&
    record.user === user;
  const later = acme.filter((record) => !isOf("ana")(record)).concat(member);

  test("a caller's rights are those of now, and the answer is that of then", async () => {
    const past = await World.open(sqlitePlace);
    try {
      await past.import(acme);
      const before = await past.token("acme", "ana");
      const { body } = await past.get("/v1/spaces/api-reference", before);
      await past.import(later, { allowRemovals: true });
      const now = await past.get("/v1/spaces/api-reference", before);
      expect(JSON.parse(now.body).permissions.admin).toBe(false);
      expect((await past.get("/at/1/v1/spaces/api-reference", before)).body).toBe(body);
      expect((await past.get("/at/1/v1/orgs/acme/teams/docs", before)).status).toBe(403);
      expect((await past.get("/at/1/v1/user", before)).status).toBe(200);
    } finally {
      await past.close();
    }
  });
});

/** Every `urls.location` in a body that Rolebook made. */
function* locationsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "location" && typeof inner === "string" && inner.startsWith(`${PUBLIC_URL}/v1/`))
      yield inner;
    yield* locationsIn(inner);
  }
}

describe("every urls.location answers an organization token", () => {
  async function follow(at: World, records: readonly SnapshotRecord[]): Promise<number> {
    const expected = oracle(records, { publicUrl: PUBLIC_URL });
    let followed = 0;
    for (const organization of organizationIds(records)) {
      const token = await at.token(organization);
      const paths = [
        ...expected.listings(organization).map((listing) => expected.path(organization, listing)),
        ...expected.things(organization).map((thing) => expected.thingPath(organization, thing)),
      ].filter((path) => !path.includes("?"));
      const locations = new Set<string>();
      for (const path of paths) {
        const { body } = await at.get(path, token);
        for (const location of locationsIn(JSON.parse(body))) locations.add(location);
      }
      for (const location of locations) {
        const answer = await at.get(location.slice(PUBLIC_URL.length), token);
        expect(answer.status, `${location}: ${answer.body}`).toBe(200);
        expect(JSON.parse(answer.body).urls.location).toBe(location);
        followed++;
      }
    }
    return followed;
  }

  test("of Acme", async () => {
    const own = await World.open(sqlitePlace);
    try {
      await own.import(acme);
      expect(await follow(own, acme)).toBeGreaterThan(30);
    } finally {
      await own.close();
    }
  });

  test("of random organizations", async () => {
    await holds(
      fc.asyncProperty(organizations({ maxOrganizations: 2 }), async (records) => {
        const own = await World.open(sqlitePlace);
        try {
          await own.import(records);
          await follow(own, records);
        } finally {
          await own.close();
        }
      }),
      { numRuns: 5 },
    );
  });
});
