/** The filter `since`, on random organizations and their later states, compared with the oracle. */
import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import type { CountsAnswer } from "../../../src/explorer/wire/answers.ts";
import { effectiveOf, recordOf } from "../../oracle/effective.ts";
import type { Content, Facts } from "../../oracle/facts.ts";
import { byBytes } from "../../oracle/order.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { answer, contentsOf, staged } from "./stages.ts";

const encode = encodeURIComponent;

test("filtered by a time, every list has exactly its new rows, also in counts and files", async () => {
  const tried = new Set<string>();
  await staged(async (world, stages, token) => {
    const [before, next] = stages;
    const last = stages.at(-1);
    if (before === undefined || next === undefined || last === undefined) return;
    if (before.importedAt === next.importedAt) return;
    const since = next.importedAt;
    const had = listsOf(before.facts);
    const lists = [...listsOf(last.facts)].map(([list, ids]) => ({
      list,
      expected: [...ids].filter((id) => had.get(list)?.has(id) !== true).sort(byBytes),
    }));
    // Of each kind of list, only the one with the most new rows is tried.
    const most = Map.groupBy(
      lists.toSorted((a, b) => b.expected.length - a.expected.length),
      ({ list }) => kindOf(list),
    );
    for (const [kind, [first]] of most) {
      if (first === undefined) continue;
      const { list, expected } = first;
      if (expected.length > 0) tried.add(kind);
      const path = `${list}&since=${since}`;
      const rows = (await world.walk(`/explorer/access?${path}`, token, [1, 3])).map((row): NewRow =>
        Object(row),
      );
      expect(rows.map(idOf).toSorted(byBytes), path).toEqual(expected);
      const { filtered } = await answer<CountsAnswer>(world, `/explorer/counts?${path}`, token);
      expect(filtered?.total, path).toBe(expected.length);
      const { body } = await world.get(`/explorer/csv?${path}`, token);
      const file = Papa.parse<string[]>(body, { newline: "\r\n", skipEmptyLines: true }).data;
      expect(file[4]?.at(-1)).toBe(`new since ${since}`);
      expect(file.slice(6), path).toHaveLength(expected.length);
      // Nothing is new since the future, and no revision from before the first one is kept.
      const later = await world.walk(`/explorer/access?${list}&since=9999-12-31T00:00:00Z`, token);
      expect(later).toEqual([]);
      const { status } = await world.get(`/explorer/access?${list}&since=2000-01-01T00:00:00Z`, token);
      expect(status).toBe(400);
    }
  });
  expect(tried.size).toBeGreaterThan(3);
});

test("people whose role only became higher are not new, by a team, a direct permission or an organization role", async () => {
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
      // A space whose creation time changes has another position in every list of spaces, but is not new.
      ...small({ ...GUESTS, "role-rises": "edit", "role-gains": "read" }, "2026-02-01T00:00:00Z"),
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
  for (const [member, expected] of [
    ["rises", []],
    ["gains", ["of-users"]],
  ] as const) {
    const rows = await world.walk(`/explorer/access?member=${member}&since=2026-03-02T00:00:00Z`, token);
    expect(rows.map((row): NewRow => Object(row)).map(idOf), member).toEqual(expected);
  }
});

const GUESTS = { rises: null, gains: null, "team-rises": null, "team-gains": null };

const CREATED = "2026-01-01T00:00:00Z";

/**
 * Two spaces that are created at `since`, two teams with one member in both, and members with the given organization
 * roles.
 */
function small(roles: Readonly<Record<string, Role | null>>, since = CREATED): SnapshotRecord[] {
  const of = { organization: "small" };
  const spaces = ["of-teams", "of-users"];
  const teams = ["editors", "readers"];
  return [
    { object: "organization", id: "small", title: "Small" },
    ...Object.keys(roles).map((id): SnapshotRecord => ({ object: "user", id, displayName: id })),
    ...Object.entries(roles).map(([user, role]): SnapshotRecord => ({ object: "member", ...of, user, role })),
    ...teams.map((id): SnapshotRecord => ({ object: "team", id, ...of, title: id, createdAt: CREATED })),
    { object: "teamMember", team: "editors", user: "team-rises", role: "member" },
    ...["team-gains", "team-rises"].map((user): SnapshotRecord => ({
      object: "teamMember",
      team: "readers",
      user,
      role: "member",
    })),
    ...spaces.map((id): SnapshotRecord => ({
      object: "space",
      id,
      ...of,
      title: id,
      createdAt: since,
      updatedAt: CREATED,
    })),
  ];
}

/** The fields by which rows name their subject. */
interface NewRow {
  readonly user?: { readonly id: string };
  readonly space?: { readonly id: string };
  readonly team?: { readonly id: string };
  readonly content?: { readonly kind: string; readonly id: string };
}

function idOf({ user, space, team, content }: NewRow): string {
  return user?.id ?? space?.id ?? team?.id ?? `${content?.kind}/${content?.id}`;
}

/** The kind of a list: "space=ID&tab=people" becomes "space&tab=people"; `list=teams` stays. */
function kindOf(list: string): string {
  return list.startsWith("list=") ? list : list.replace(/=[^&]*/u, "");
}

/** For every list of the explorer that has filters: the ids in it, by the oracle. */
function listsOf(facts: Facts): Map<string, ReadonlySet<string>> {
  const { members, teams, teamMembers, spaces, sites } = facts;
  const lists = new Map<string, ReadonlySet<string>>();
  const add = (list: string, ids: Iterable<string>) => lists.set(list, new Set(ids));
  const contents = contentsOf(facts);
  const on = (content: Content) =>
    [...members.keys()].filter((user) => effectiveOf(facts, user, content) !== null);
  for (const content of contents) {
    const list = `${content.kind}=${encode(content.id)}`;
    const given = facts.permissionsOn(content);
    add(list, on(content));
    add(
      `${list}&tab=people`,
      given.flatMap(({ user }) => user ?? []),
    );
    add(
      `${list}&tab=teams`,
      given.flatMap(({ team }) => team ?? []),
    );
  }
  for (const id of facts.collections.keys()) {
    const inside = contents.filter((each) => recordOf(facts, each)?.parent === id);
    add(
      `collection=${encode(id)}&tab=contents`,
      inside.map((each) => `${each.kind}/${each.id}`),
    );
  }
  for (const [site, ids] of sites) {
    add(
      `site=${encode(site)}`,
      ids.flatMap((id) => on({ kind: "space", id })),
    );
    add(`site=${encode(site)}&tab=spaces`, ids);
  }
  for (const user of members.keys()) {
    const reached = [...spaces.keys()].filter(
      (id) => effectiveOf(facts, user, { kind: "space", id }) !== null,
    );
    add(`member=${encode(user)}`, reached);
    const own = teamMembers.filter((each) => each.user === user);
    add(
      `member=${encode(user)}&tab=teams`,
      own.map(({ team }) => team),
    );
  }
  for (const team of teams.keys()) {
    const given = contents.filter((each) => facts.permissionsOn(each).some((one) => one.team === team));
    add(
      `team=${encode(team)}`,
      given.map(({ kind, id }) => `${kind}/${id}`),
    );
    const own = teamMembers.filter((each) => each.team === team);
    add(
      `team=${encode(team)}&tab=members`,
      own.map(({ user }) => user),
    );
  }
  add("list=members", members.keys());
  add("list=teams", teams.keys());
  const closed = contents.filter((each) => recordOf(facts, each)?.defaultLevel === null);
  add(
    "list=contents&show=closed",
    closed.map(({ kind, id }) => `${kind}/${id}`),
  );
  return lists;
}
