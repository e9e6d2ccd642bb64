/** `rolebook tidy` agrees with a naive implementation, and its change file changes nobody's role. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Finding, FindingKind } from "../../src/domain/findings.ts";
import { tidy } from "../../src/review/tidy.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { byBytes } from "../oracle/order.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { nameOf, rolesOf, tidyOf, withoutPermissions } from "../oracle/reviews/tidy.ts";
import { inWorld } from "../store/why.ts";
import { currentReading } from "./decided-rows.ts";
import { ownPlace, type World } from "../world.ts";
import { holds } from "../setup/property.ts";
import { drawUntil } from "../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 25);

async function tidyIn(world: World, organization: string): Promise<Finding[]> {
  const found = await world.store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  const findings: Finding[] = [];
  for await (const some of tidy(world.store.reading(found.current))) findings.push(...some);
  return findings;
}

function permissionOf({ content, user, team }: Finding): string {
  if (content === undefined) throw new Error("a permission without a content");
  return nameOf({
    [content.kind]: content.id,
    ...(user === undefined ? { team: team?.id ?? "" } : { user: user.id }),
  });
}

function expectTidy(records: readonly SnapshotRecord[], organization: string, findings: readonly Finding[]) {
  const expected = tidyOf(records, organization);
  const of = (kind: FindingKind, name: (finding: Finding) => string | undefined) =>
    findings.flatMap((finding) => (finding.kind === kind ? (name(finding) ?? []) : []));
  const gone = of("redundant", permissionOf);
  const alone = of("redundant-alone", permissionOf);
  expect([...gone, ...alone].sort(byBytes)).toEqual(expected.redundant.sort(byBytes));
  expect(of("less-than-team", permissionOf).sort(byBytes)).toEqual(expected.lessThanTeam.sort(byBytes));
  expect(of("deleted", permissionOf).sort(byBytes)).toEqual(expected.deleted.sort(byBytes));
  expect(of("empty-team", ({ team }) => team?.id)).toEqual(expected.emptyTeams.sort(byBytes));
  expect(of("no-access", ({ user }) => user?.id)).toEqual(expected.noAccess.sort(byBytes));
  const unreached = of("unreached", ({ content }) => `${content?.kind}/${content?.id}`);
  expect(unreached).toEqual(expected.unreached.sort(byBytes));

  const after = factsOf(withoutPermissions(records, new Set(gone)), organization);
  expect(rolesOf(after)).toEqual(rolesOf(factsOf(records, organization)));
  // `alone` has permissions each of which changes nothing if removed alone. Some of these can be removed together.
  const contents = new Set(gone.map((name) => name.split(" ")[0]));
  expect(alone.filter((name) => !contents.has(name.split(" ")[0]))).toEqual([]);
  return { gone: gone.length, alone: alone.length };
}

test("finds what the oracle finds, and the removals change nobody's role", async () => {
  let [gone, alone] = [0, 0];
  const property = fc.asyncProperty(
    organizations({ maxPermissions: 50, minPermissions: 10, minContents: 2 }),
    async (records) => {
      await inWorld(ownPlace, async (world) => {
        await world.import(records);
        for (const organization of organizationIds(records)) {
          const counts = expectTidy(records, organization, await tidyIn(world, organization));
          gone += counts.gone;
          alone += counts.alone;
        }
      });
    },
  );
  await drawUntil(
    () => (RUNS <= 2 || gone > 0) && (RUNS <= 20 || alone > 0),
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});

const DATE = "2026-01-01T00:00:00.000Z";

test("of permissions that replace each other, one remains, also in several chunks", async () => {
  const people = 4000;
  const teams = ["a", "b", "c"];
  const records: SnapshotRecord[] = [
    { object: "organization", id: "o", title: "O" },
    { object: "collection", id: "top", organization: "o", title: "Top", defaultLevel: null },
    {
      object: "space",
      id: "s",
      organization: "o",
      title: "S",
      parent: "top",
      createdAt: DATE,
      updatedAt: DATE,
    },
    ...teams.map((id): SnapshotRecord => ({
      object: "team",
      id,
      organization: "o",
      title: id,
      createdAt: DATE,
    })),
    ...Array.from({ length: people }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `u${index}`, displayName: `U ${index}` },
      { object: "member", organization: "o", user: `u${index}`, role: "read" },
      ...teams
        // The last member is only in team b.
        .filter((team) => index < people - 1 || team === "b")
        .map((team): SnapshotRecord => ({ object: "teamMember", team, user: `u${index}`, role: "member" })),
    ]).flat(),
    ...teams.flatMap((team): SnapshotRecord[] => [
      { object: "permission", collection: "top", team, permission: "edit" },
      { object: "permission", space: "s", team, permission: "edit" },
    ]),
    { object: "permission", space: "s", user: "u5", permission: "edit" },
    { object: "permission", collection: "top", user: "u6", permission: "read" },
  ];
  await inWorld(ownPlace, async (world) => {
    await world.import(records);
    const findings = await tidyIn(world, "o");
    const told = findings.map((finding) => [finding.kind, permissionOf(finding)]);
    expect(told).toEqual([
      ["less-than-team", "collection/top user u6"],
      ["redundant", "collection/top team a"],
      ["redundant", "collection/top team c"],
      ["redundant", "space/s user u5"],
      ["redundant", "space/s team a"],
      ["redundant", "space/s team b"],
      // u6 inherits a lower role, so one of the three must stay.
      ["redundant-alone", "space/s team c"],
    ]);
  });
});

test("the findings on one content come in parts", async () => {
  const people = 2500;
  const records: SnapshotRecord[] = [
    { object: "organization", id: "o", title: "O" },
    {
      object: "space",
      id: "s",
      organization: "o",
      title: "S",
      defaultLevel: "read",
      createdAt: DATE,
      updatedAt: DATE,
    },
    ...Array.from({ length: people }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `u${index}`, displayName: `U ${index}` },
      { object: "member", organization: "o", user: `u${index}`, role: "read" },
      { object: "permission", space: "s", user: `u${index}`, permission: "read" },
    ]).flat(),
  ];
  await inWorld(ownPlace, async (world) => {
    await world.import(records);
    const sizes: number[] = [];
    for await (const some of tidy(await currentReading(world, "o"))) sizes.push(some.length);
    expect(sizes.filter((size) => size > 0)).toEqual([1000, 1000, 500]);
  });
});

test("what a site gives is never needless, also where it decides nothing", async () => {
  const records: SnapshotRecord[] = [
    { object: "organization", id: "o", title: "O" },
    { object: "space", id: "s", organization: "o", title: "S", createdAt: DATE, updatedAt: DATE },
    { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
    { object: "user", id: "u", displayName: "U" },
    { object: "member", organization: "o", user: "u", role: "read" },
    { object: "teamMember", team: "t", user: "u", role: "member" },
    { object: "user", id: "guest", displayName: "Guest" },
    { object: "member", organization: "o", user: "guest", role: null },
    { object: "permission", site: "two", user: "guest", permission: "read" },
    // Two sites give the same, and a third one has no space.
    ...["one", "two", "empty"].flatMap((site): SnapshotRecord[] => [
      { object: "site", id: site, organization: "o", title: site, defaultLevel: "read" },
      { object: "permission", site, user: "u", permission: "read" },
      { object: "permission", site, team: "t", permission: "read" },
    ]),
    { object: "siteSpace", site: "one", space: "s" },
    { object: "siteSpace", site: "two", space: "s" },
  ];
  await inWorld(ownPlace, async (world) => {
    await world.import(records);
    expect(await tidyIn(world, "o")).toEqual([]);
    await world.import([...records, { object: "permission", space: "s", user: "u", permission: "read" }]);
    const told = (await tidyIn(world, "o")).map((finding) => [finding.kind, permissionOf(finding)]);
    expect(told).toEqual([["redundant", "space/s user u"]]);
  });
});
