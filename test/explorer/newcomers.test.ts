/** Lists narrowed to what is new since a time, held to the oracle over random organizations and what becomes of them. */
import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import type { CountsAnswer } from "../../src/explorer/wire/counts.ts";
import { byBytes } from "../oracle/order.ts";
import type { Role, SnapshotRecord } from "../oracle/records.ts";
import { ownPlace, World } from "../world.ts";
import { answer, contentsOf, differences, staged } from "./stages.ts";

const encode = encodeURIComponent;

test("narrowed to what is new since a time, a list has those who had nothing before it, counts them and hands them over", async () => {
  await staged(async (world, stages, token) => {
    const [before, next] = stages;
    const last = stages.at(-1);
    if (before === undefined || next === undefined || last === undefined) return;
    if (before.importedAt === next.importedAt) return;
    const since = next.importedAt;
    const gained = differences(before.facts, last.facts).filter(({ direction }) => direction === "gained");
    const lists = [
      ...contentsOf(last.facts).map(({ kind, id }) => ({
        list: `${kind}=${encode(id)}`,
        expected: gained.filter(({ content }) => content === `${kind}/${id}`).map(({ user }) => user),
      })),
      ...[...last.facts.members.keys()].map((id) => ({
        list: `member=${encode(id)}`,
        expected: gained
          .filter(({ content, user }) => user === id && content.startsWith("space/"))
          .map(({ content }) => content.slice("space/".length)),
      })),
    ];
    // Those with most that is new, and one other.
    const most = lists.toSorted((a, b) => b.expected.length - a.expected.length);
    for (const { list, expected } of [...most.slice(0, 4), ...most.slice(-1)]) {
      const path = `${list}&since=${since}`;
      const rows = (await world.walk(`/explorer/access?${path}`, token, [1, 3])).map((row): NewRow =>
        Object(row),
      );
      const ids = rows.map(({ user, space }) => user?.id ?? space?.id ?? "");
      expect(ids.toSorted(byBytes), path).toEqual(expected.toSorted(byBytes));
      const { filtered } = await answer<CountsAnswer>(world, `/explorer/counts?${path}`, token);
      expect(filtered?.total, path).toBe(expected.length);
      const { body } = await world.get(`/explorer/csv?${path}`, token);
      const file = Papa.parse<string[]>(body, { newline: "\r\n", skipEmptyLines: true }).data;
      expect(file[4]?.at(-1)).toBe(`new since ${since}`);
      expect(file.slice(6), path).toHaveLength(expected.length);
      // Nobody is new since now, and of what held before the first revision nothing is kept.
      const later = await world.walk(`/explorer/access?${list}&since=9999-12-31T00:00:00Z`, token);
      expect(later).toEqual([]);
      const { status } = await world.get(`/explorer/access?${list}&since=2000-01-01T00:00:00Z`, token);
      expect(status).toBe(400);
    }
  });
});

test("who only rose is not new, whether the change was a team's, their own or that of their organization role", async () => {
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
  try {
    await world.import([
      ...small({ ...GUESTS, "role-rises": "read", "role-gains": null }),
      { object: "permission", space: "of-teams", team: "editors", permission: "read" },
      { object: "permission", space: "of-users", user: "rises", permission: "read" },
    ]);
    vi.setSystemTime("2026-03-02T12:00:00Z");
    await world.import([
      ...small({ ...GUESTS, "role-rises": "edit", "role-gains": "read" }),
      { object: "permission", space: "of-teams", team: "editors", permission: "edit" },
      { object: "permission", space: "of-teams", team: "readers", permission: "read" },
      { object: "permission", space: "of-users", user: "rises", permission: "edit" },
      { object: "permission", space: "of-users", user: "gains", permission: "read" },
    ]);
  } finally {
    vi.useRealTimers();
  }
  const token = await world.token("small");
  for (const [space, expected] of [
    ["of-teams", ["role-gains", "team-gains"]],
    ["of-users", ["gains", "role-gains"]],
  ] as const) {
    const rows = await world.walk(`/explorer/access?space=${space}&since=2026-03-02T00:00:00Z`, token);
    const ids = rows.map((row): NewRow => Object(row)).map(({ user }) => user?.id);
    expect(ids, space).toEqual(expected);
  }
});

const GUESTS = { rises: null, gains: null, "team-rises": null, "team-gains": null };

/** Two spaces, two teams of one member each, and members with their organization roles. */
function small(roles: Readonly<Record<string, Role | null>>): SnapshotRecord[] {
  const created = "2026-01-01T00:00:00Z";
  const of = { organization: "small" };
  const spaces = ["of-teams", "of-users"];
  const teams = ["editors", "readers"];
  return [
    { object: "organization", id: "small", title: "Small" },
    ...Object.keys(roles).map((id): SnapshotRecord => ({ object: "user", id, displayName: id })),
    ...Object.entries(roles).map(([user, role]): SnapshotRecord => ({ object: "member", ...of, user, role })),
    ...teams.map((id): SnapshotRecord => ({ object: "team", id, ...of, title: id, createdAt: created })),
    { object: "teamMember", team: "editors", user: "team-rises", role: "member" },
    { object: "teamMember", team: "readers", user: "team-gains", role: "member" },
    ...spaces.map((id): SnapshotRecord => ({
      object: "space",
      id,
      ...of,
      title: id,
      createdAt: created,
      updatedAt: created,
    })),
  ];
}

/** What the rows of a content's and a member's list have of a thing. */
interface NewRow {
  readonly user?: { readonly id: string };
  readonly space?: { readonly id: string };
}
