/** The filter `since`, on random organizations and their later states, compared with the oracle. */
import Papa from "papaparse";
import { expect, test, vi } from "vitest";
import type { CountsAnswer } from "../../../src/explorer/wire/answers.ts";
import { effectiveOf, highest, recordOf } from "../../oracle/effective.ts";
import type { Content, Facts } from "../../oracle/facts.ts";
import { byBytes } from "../../oracle/order.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { isNewOrRisen } from "../../oracle/reviews/report.ts";
import { ownPlace, World } from "../../world.ts";
import { answer, contentsOf, staged } from "./stages.ts";

const encode = encodeURIComponent;

test("filtered by a time, every list has exactly its new rows, also in counts and files", async () => {
  const tried = new Set<string>();
  await staged(
    async (world, stages, token) => {
      const [before, next] = stages;
      const last = stages.at(-1);
      if (before === undefined || next === undefined || last === undefined) return;
      if (before.importedAt === next.importedAt) return;
      const since = next.importedAt;
      const had = listsOf(before.facts);
      const lists = [...listsOf(last.facts)].map(([list, ids]) => ({
        list,
        expected: [...ids]
          .filter(([id, role]) => isNewOrRisen(had.get(list)?.get(id), role))
          .map(([id]) => id)
          .sort(byBytes),
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
        const words = WITHOUT_ROLES.test(kind) ? "new since" : "new or risen since";
        expect(file[4]?.at(-1), list).toBe(`${words} ${since}`);
        expect(file.slice(6), path).toHaveLength(expected.length);
        // Nothing is new since the future, and no revision from before the first one is kept.
        const later = await world.walk(`/explorer/access?${list}&since=9999-12-31T00:00:00Z`, token);
        expect(later).toEqual([]);
        const { status } = await world.get(`/explorer/access?${list}&since=2000-01-01T00:00:00Z`, token);
        expect(status).toBe(400);
      }
    },
    () => tried.size > 3,
  );
});

/** Lists whose rows have no role that may rise. */
const WITHOUT_ROLES =
  /^(?:collection&tab=contents|site&tab=spaces|member&tab=teams|team&tab=members|list=(?:teams|contents))/u;

test("people are found whose role became higher by a team, a direct permission or an organization role, and not lower", async () => {
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
  try {
    await world.import([
      ...small({ ...GUESTS, "role-rises": "read", "role-gains": null, "role-falls": "edit" }),
      { object: "permission", space: "of-teams", team: "editors", permission: "read" },
      { object: "permission", space: "of-users", user: "rises", permission: "read" },
      { object: "permission", space: "of-users", user: "falls", permission: "edit" },
    ]);
    vi.setSystemTime("2026-03-02T12:00:00Z");
    await world.import([
      // A space whose creation time changes has another position in every list of spaces, but is not new.
      ...small(
        { ...GUESTS, "role-rises": "edit", "role-gains": "read", "role-falls": "read" },
        "2026-02-01T00:00:00Z",
      ),
      { object: "permission", space: "of-teams", team: "editors", permission: "edit" },
      { object: "permission", space: "of-teams", team: "readers", permission: "read" },
      { object: "permission", space: "of-users", user: "rises", permission: "edit" },
      { object: "permission", space: "of-users", user: "falls", permission: "read" },
      { object: "permission", space: "of-users", user: "gains", permission: "read" },
    ]);
  } finally {
    vi.useRealTimers();
  }
  const token = await world.token("small");
  for (const [list, expected] of [
    ["space=of-teams", ["role-gains", "role-rises", "team-gains", "team-rises"]],
    ["space=of-users", ["gains", "rises", "role-gains", "role-rises"]],
    ["space=of-users&tab=people", ["gains", "rises"]],
    ["space=of-teams&tab=teams", ["editors", "readers"]],
    ["list=members", ["role-gains", "role-rises"]],
    ["list=members&role=edit", ["role-rises"]],
    ["team=editors", ["space/of-teams"]],
  ] as const) {
    const rows = await world.walk(`/explorer/access?${list}&since=2026-03-02T00:00:00Z`, token);
    expect(
      rows
        .map((row): NewRow => Object(row))
        .map(idOf)
        .toSorted(byBytes),
      list,
    ).toEqual(expected);
  }
  for (const [member, expected] of [
    ["rises", ["of-users"]],
    ["gains", ["of-users"]],
    ["falls", []],
    ["role-falls", []],
    ["role-rises", ["of-teams", "of-users"]],
  ] as const) {
    const rows = await world.walk(`/explorer/access?member=${member}&since=2026-03-02T00:00:00Z`, token);
    expect(
      rows
        .map((row): NewRow => Object(row))
        .map(idOf)
        .toSorted(byBytes),
      member,
    ).toEqual(expected);
  }
});

const GUESTS = { rises: null, gains: null, falls: null, "team-rises": null, "team-gains": null };

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

/** The roles of a list's rows, if they have some that may rise. */
type Ids = ReadonlyMap<string, Role | null>;

/** For every list of the explorer that has filters: the ids in it, with their roles, by the oracle. */
function listsOf(facts: Facts): Map<string, Ids> {
  const { members, teams, teamMembers, spaces, sites } = facts;
  const lists = new Map<string, Ids>();
  const addHeld = (list: string, ids: Iterable<readonly [id: string, role: Role | null]>) =>
    lists.set(list, new Map(ids));
  const add = (list: string, ids: Iterable<string>) =>
    addHeld(
      list,
      [...ids].map((id) => [id, null]),
    );
  const contents = contentsOf(facts);
  const on = (several: readonly Content[]) =>
    [...members.keys()].flatMap((user) => {
      const role = highest(several.flatMap((content) => effectiveOf(facts, user, content)?.role ?? []));
      return role === undefined ? [] : [[user, role] as const];
    });
  for (const content of contents) {
    const list = `${content.kind}=${encode(content.id)}`;
    const given = facts.permissionsOn(content);
    addHeld(list, on([content]));
    const held = (name: "user" | "team") =>
      given.flatMap(({ permission, ...whom }) => {
        const id = whom[name];
        return id === undefined ? [] : [[id, permission] as const];
      });
    addHeld(`${list}&tab=people`, held("user"));
    addHeld(`${list}&tab=teams`, held("team"));
  }
  for (const id of facts.collections.keys()) {
    const inside = contents.filter((each) => recordOf(facts, each)?.parent === id);
    add(
      `collection=${encode(id)}&tab=contents`,
      inside.map((each) => `${each.kind}/${each.id}`),
    );
  }
  for (const [site, ids] of sites) {
    addHeld(`site=${encode(site)}`, on(ids.map((id) => ({ kind: "space", id }))));
    add(`site=${encode(site)}&tab=spaces`, ids);
  }
  for (const user of members.keys()) {
    const reached = [...spaces.keys()].flatMap((id) => {
      const role = effectiveOf(facts, user, { kind: "space", id })?.role;
      return role === undefined ? [] : [[id, role] as const];
    });
    addHeld(`member=${encode(user)}`, reached);
    const own = teamMembers.filter((each) => each.user === user);
    add(
      `member=${encode(user)}&tab=teams`,
      own.map(({ team }) => team),
    );
  }
  for (const team of teams.keys()) {
    const given = contents.flatMap((each) => {
      const own = facts.permissionsOn(each).find((one) => one.team === team);
      return own === undefined ? [] : [[`${each.kind}/${each.id}`, own.permission] as const];
    });
    addHeld(`team=${encode(team)}`, given);
    const own = teamMembers.filter((each) => each.team === team);
    add(
      `team=${encode(team)}&tab=members`,
      own.map(({ user }) => user),
    );
  }
  addHeld("list=members", members);
  add("list=teams", teams.keys());
  const closed = contents.filter((each) => recordOf(facts, each)?.defaultLevel === null);
  add(
    "list=contents&show=closed",
    closed.map(({ kind, id }) => `${kind}/${id}`),
  );
  return lists;
}
