/** A report has exactly the oracle's rows. */
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { ReportScope } from "../../src/domain/scope.ts";
import { acme } from "../examples/acme.ts";
import { sentenceOf } from "../examples/sentence.ts";
import { atLeast, effectiveOf } from "../oracle/effective.ts";
import { type Content, type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { byBytes } from "../oracle/order.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { inWorld } from "./why.ts";
import { ownPlace } from "../world.ts";
import { reportIn } from "./read-report.ts";
import { holds } from "../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 5);

describe("rows", () => {
  test("equal the oracle's, for everything and for each scope", async () => {
    await holds(
      fc.asyncProperty(organizations(), async (records) => {
        await inWorld(ownPlace, async (world) => {
          await world.import(records);
          for (const organization of organizationIds(records)) {
            const facts = factsOf(records, organization);
            for (const scope of scopesOf(facts)) {
              const report = await reportIn(world, organization, scope);
              const rows = expectedRows(facts, titleOf(records, organization), scope);
              expect(report.rows).toEqual(rows);
              expect(report.head.get("rows")).toEqual([String(rows.length)]);
              expect(report.head.get("sha256")).toEqual([report.sha256]);
            }
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  test("are complete if a list has several pages", async () => {
    const members = 1200;
    const larger = [...acme, ...Array.from({ length: members }, (_, index) => extra(index)).flat()];
    await inWorld(ownPlace, async (world) => {
      await world.import(larger);
      const facts = factsOf(larger, "acme");
      for (const scope of [{ space: "api-reference" }, { space: "salaries" }, { guests: true }]) {
        const report = await reportIn(world, "acme", scope);
        expect(report.rows).toEqual(expectedRows(facts, "Acme", scope));
      }
    });
  });

  test("are complete for a large collection, and for a user with many permissions", async () => {
    const spaces = Array.from({ length: 1100 }, (_, index): SnapshotRecord[] => [
      {
        object: "space",
        id: `bulk-${index}`,
        organization: "acme",
        title: `Bulk ${index}`,
        parent: "bulk",
        createdAt: DATE,
        updatedAt: DATE,
        defaultLevel: null,
      },
      ...(index % 3 === 0
        ? [{ object: "permission", space: `bulk-${index}`, user: "ana", permission: "edit" } as const]
        : []),
    ]).flat();
    const records: SnapshotRecord[] = [
      ...acme,
      { object: "collection", id: "bulk", organization: "acme", title: "Bulk", parent: "handbook" },
      ...spaces,
    ];
    await inWorld(ownPlace, async (world) => {
      await world.import(records);
      const facts = factsOf(records, "acme");
      for (const scope of [{ users: ["ana"] }, { collections: ["handbook"], users: ["ana"] }]) {
        const report = await reportIn(world, "acme", scope);
        expect(report.rows.length).toBeGreaterThan(360);
        expect(report.rows).toEqual(expectedRows(facts, "Acme", scope));
      }
    });
  });

  test("contain no formula", async () => {
    const names = ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "=1\n=2", "a=1", "'=1"];
    const records: SnapshotRecord[] = names.flatMap((displayName, index) => [
      { object: "user", id: `=${index}`, displayName, email: displayName },
      { object: "member", organization: "o", user: `=${index}`, role: "read" },
    ]);
    records.push(
      { object: "organization", id: "o", title: "=O" },
      { object: "space", id: "-s", organization: "o", title: "-s", createdAt: DATE, updatedAt: DATE },
    );
    await inWorld(ownPlace, async (world) => {
      await world.import(records);
      const { rows, head } = await reportIn(world, "o", {});
      expect(head.get("organization")).toEqual(["o", "'=O"]);
      const safe = ["'=1+1", "'+1", "'-1", "'@a", "'\t=1", "'\r=1", "'=1\n=2", "a=1", "''=1"];
      expect(rows.map(({ name }) => name)).toEqual(safe);
      expect(rows.map(({ email }) => email)).toEqual(safe);
      expect(rows.map(({ user }) => user)).toEqual(names.map((_, index) => `'=${index}`));
      expect(new Set(rows.map((row) => `${row["content"]}${row["title"]}`))).toEqual(new Set(["'-s'-s"]));
    });
  });
});

test("the head describes the report", async () => {
  await inWorld(ownPlace, async (world) => {
    await world.import(acme);
    const { head, said } = await reportIn(world, "acme", {
      sites: ["acme-docs"],
      role: "review",
      guests: true,
    });
    const current = (await world.store.registry.organization("acme"))?.current;
    expect([...head]).toEqual([
      ["Rolebook report", []],
      ["organization", ["acme", "Acme"]],
      ["revision", [String(current?.revision)]],
      ["imported", [current?.importedAt]],
      ["covers", ["the spaces of site acme-docs", "guests only", "role review only"]],
      ["rows", ["4"]],
      ["sha256", [expect.stringMatching(/^[0-9a-f]{64}$/)]],
    ]);
    const ofOne = await reportIn(world, "acme", { collections: ["handbook"], users: ["ana"] });
    expect(ofOne.head.get("covers")).toEqual([
      "collection handbook and all that lies in it",
      "user ana only",
      "every role",
    ]);
    expect(said).toEqual([`Writing 4 rows of Acme, revision ${current?.revision}.`]);
  });
});

test("a report of who is new or risen since a day has the rows that were not there or lower when it began", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
  try {
    await inWorld(ownPlace, async (world) => {
      const isLater = ({ object, ...record }: SnapshotRecord) =>
        (object === "teamMember" && "user" in record && record.user === "ana") ||
        (object === "permission" && "user" in record && record.user === "kofi@partner.example");
      await world.import(acme.filter((record) => !isLater(record)));
      const pair = ({ kind, content, user }: Record<string, string>) => `${kind}/${content} ${user}`;
      const { rows: before } = await reportIn(world, "acme", {});
      const then = new Map(before.map((row) => [pair(row), row["effective_role"]]));
      vi.setSystemTime(Date.parse("2026-03-05T12:00:00Z"));
      await world.import(acme);
      const scopes: ReportScope[] = [{}, { guests: true }, { users: ["kofi@partner.example"] }];
      for (const scope of scopes) {
        const { rows } = await reportIn(world, "acme", scope);
        const added = rows.filter((row) => !then.has(pair(row)));
        const risen = rows.filter((row) => {
          const had = ROLES.findIndex((role) => role === then.get(pair(row)));
          return ROLES.findIndex((role) => role === row["effective_role"]) > had;
        });
        expect(added.length).toBeGreaterThan(0);
        if (scope.users === undefined && scope.guests === undefined)
          expect(risen.length).toBeGreaterThan(added.length);
        expect((await reportIn(world, "acme", { ...scope, since: "2026-03-03" })).rows).toEqual(risen);
        expect((await reportIn(world, "acme", { ...scope, newSince: "2026-03-03" })).rows).toEqual(added);
        expect((await reportIn(world, "acme", { ...scope, since: "2026-03-06" })).rows).toEqual([]);
      }
      await expect(reportIn(world, "acme", { since: "2026-03-01" })).rejects.toThrow(
        "No revision from before 2026-03-01 is kept, so nobody can tell what is new since then.",
      );
    });
  } finally {
    vi.useRealTimers();
  }
});

test("a missing record is an error", async () => {
  await inWorld(ownPlace, async (world) => {
    await world.import(acme);
    await expect(reportIn(world, "acme", { spaces: ["api-reference", "nope"] })).rejects.toThrow(
      'There is no space "nope" in organization acme.',
    );
    for (const kind of ["site", "collection"] as const) {
      await expect(reportIn(world, "acme", { [`${kind}s`]: ["nope"] })).rejects.toThrow(
        `There is no ${kind} "nope" in organization acme.`,
      );
    }
    await expect(reportIn(world, "acme", { users: ["ana", "nope"] })).rejects.toThrow(
      'There is no member "nope" in organization acme.',
    );
  });
});

const DATE = "2026-01-01T00:00:00.000Z";

function extra(index: number): SnapshotRecord[] {
  const id = `extra-${index}`;
  const guest = index % 2 === 0;
  const records: SnapshotRecord[] = [
    { object: "user", id, displayName: `Extra ${index}` },
    { object: "member", organization: "acme", user: id, role: guest ? null : "read" },
  ];
  if (index % 4 === 0)
    records.push({ object: "permission", space: "salaries", user: id, permission: "comment" });
  return records;
}

function titleOf(records: readonly SnapshotRecord[], id: string): string {
  const own = records.find((record) => record.object === "organization" && record.id === id);
  return own?.object === "organization" ? own.title : "";
}

function scopesOf(facts: Facts): ReportScope[] {
  const [space] = facts.spaces.keys();
  const [site] = facts.sites.keys();
  const collections = [...facts.collections.keys()].slice(0, 3);
  const users = [...facts.members.keys()].slice(0, 3);
  return [
    {},
    { guests: true },
    { guests: true, role: "edit" },
    ...ROLES.map((role) => ({ role })),
    ...(space === undefined ? [] : [{ spaces: [space] }, { spaces: [...facts.spaces.keys()].slice(0, 4) }]),
    ...collections.map((collection) => ({ collections: [collection] })),
    ...users.map((user) => ({ users: [user] })),
    ...collections.flatMap((collection) =>
      users.map((user) => ({ collections: [collection], users: [user], role: "read" as const })),
    ),
    ...(collections.length === 0 ? [] : [{ collections: collections.toReversed() }]),
    ...(users.length === 0 ? [] : [{ users: users.toReversed() }]),
    ...(site === undefined ? [] : [{ sites: [site] }, { sites: [site], role: "admin" as const }]),
    ...(site === undefined ? [] : [{ sites: [...facts.sites.keys()] }]),
    { least: "edit" },
    { withoutAdmins: true },
    ...(users.length === 0 ? [] : [{ users, withoutAdmins: true, least: "edit" as const }]),
    { direct: true, guests: true },
    ...(users.length === 0 ? [] : [{ users, direct: true, least: "comment" as const }]),
    ...teamsOf(facts).flatMap((team) => [{ team }, { team, users, least: "review" as const }]),
  ];
}

/** Two teams whose title no other team has: the sentences name titles. */
function teamsOf({ teams }: Facts): string[] {
  const titles = [...teams.values()].map(({ title }) => title);
  const isAlone = (title: string) => titles.filter((each) => each === title).length === 1;
  return [...teams].flatMap(([id, { title }]) => (isAlone(title) ? [id] : [])).slice(0, 2);
}

/** Whether the sentence of a role names its source as a narrowed report selects it. */
function isFrom(facts: Facts, sentence: string, { direct, team }: ReportScope): boolean {
  if (direct === true && !/ has \w+ directly on /u.test(sentence)) return false;
  const title = team === undefined ? undefined : facts.teams.get(team)?.title;
  return title === undefined || sentence.includes(`, because team ${title} has `);
}

/** The expected rows, by a naive implementation of the documents. */
function expectedRows(facts: Facts, title: string, scope: ReportScope): Record<string, string>[] {
  return contentsIn(facts, scope).flatMap((content) =>
    [...facts.members.keys()].sort(byBytes).flatMap((user) => {
      const effective = effectiveOf(facts, user, content);
      const own = facts.members.get(user) ?? null;
      if (effective === null || (scope.guests === true && own !== null)) return [];
      if (scope.withoutAdmins === true && own === "admin") return [];
      if (scope.users?.includes(user) === false) return [];
      if (scope.role !== undefined && effective.role !== scope.role) return [];
      if (scope.least !== undefined && !atLeast(effective.role, scope.least)) return [];
      const why = sentenceOf(facts, title, user, content);
      if (!isFrom(facts, why, scope)) return [];
      const known = facts.users.get(user);
      const cells = {
        kind: content.kind,
        content: content.id,
        title: recordOf(facts, content)?.title ?? "",
        path: pathOf(facts, content).join(" / "),
        user,
        name: known?.displayName ?? "",
        email: known?.email ?? "",
        organization_role: own ?? "",
        guest: own === null ? "yes" : "no",
        effective_role: effective.role,
        why,
        decision: "",
        comment: "",
      };
      return [Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, safe(cell)]))];
    }),
  );
}

function contentsIn(facts: Facts, { spaces: ids, collections: above, sites }: ReportScope): Content[] {
  if (ids !== undefined) return spaces(ids);
  if (above !== undefined)
    return contentsIn(facts, {}).filter((each) => above.some((id) => isInside(facts, each, id)));
  if (sites !== undefined) return spaces(new Set(sites.flatMap((id) => facts.sites.get(id) ?? [])));
  const collections = [...facts.collections.keys()].sort(byBytes);
  return [...collections.map((id): Content => ({ kind: "collection", id })), ...spaces(facts.spaces.keys())];
}

/** Whether a content is a collection, or is below it at any depth. */
function isInside(facts: Facts, { kind, id }: Content, collection: string): boolean {
  if (kind === "collection" && id === collection) return true;
  const parent = recordOf(facts, { kind, id })?.parent;
  return parent !== undefined && isInside(facts, { kind: "collection", id: parent }, collection);
}

function spaces(ids: Iterable<string>): Content[] {
  return [...ids].sort(byBytes).map((id): Content => ({ kind: "space", id }));
}

function recordOf(facts: Facts, { kind, id }: Content) {
  return (kind === "space" ? facts.spaces : facts.collections).get(id);
}

function pathOf(facts: Facts, content: Content): string[] {
  const parent = recordOf(facts, content)?.parent;
  if (parent === undefined) return [];
  const above = { kind: "collection" as const, id: parent };
  return [...pathOf(facts, above), recordOf(facts, above)?.title ?? ""];
}

function safe(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
