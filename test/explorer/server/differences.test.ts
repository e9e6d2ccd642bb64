/**
 * Effects of removing a source, comparisons of two people, and the spaces of a team. All are read over HTTP and
 * compared with the oracle.
 */
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { writeWithout } from "../../../src/domain/without.ts";
import type { WithoutAnswer } from "../../../src/explorer/wire/answers.ts";
import type { CompareRow, ConcernedRow, OpenedRow, PairRow } from "../../../src/explorer/wire/lists.ts";
import type { Effect } from "../../../src/domain/difference.ts";
import { effectiveOf } from "../../oracle/effective.ts";
import { type Content, type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import * as records from "../../oracle/examples/examples.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 4);
const encode = encodeURIComponent;

async function everywhere(
  check: (world: World, facts: Facts, token: string) => Promise<void>,
): Promise<void> {
  const world = await World.open(ownPlace);
  try {
    await holds(
      fc.asyncProperty(
        organizations({ minMembers: 3, minContents: 3, minPermissions: 6 }),
        async (records: SnapshotRecord[]) => {
          await world.import(records);
          for (const organization of organizationIds(records)) {
            await check(world, factsOf(records, organization), await world.token(organization));
          }
        },
      ),
      { numRuns: RUNS },
    );
  } finally {
    await world.close();
  }
}

const spacesOf = (facts: Facts): Content[] => [...facts.spaces.keys()].map((id) => ({ kind: "space", id }));

/** All contents, with the role of everybody on each, if a team did not exist. */
function withoutTeam(
  facts: Facts,
  team: string,
): { content: Content; user: string; now: number; later: number }[] {
  const rest: Facts = {
    ...facts,
    teamMembers: facts.teamMembers.filter((membership) => membership.team !== team),
  };
  const contents: Content[] = [
    ...spacesOf(facts),
    ...[...facts.collections.keys()].map((id): Content => ({ kind: "collection", id })),
  ];
  return contents.flatMap((content) =>
    [...facts.members.keys()].map((user) => ({
      content,
      user,
      now: rankOf(facts, user, content),
      later: rankOf(rest, user, content),
    })),
  );
}

function rankOf(facts: Facts, user: string, content: Content): number {
  const found = effectiveOf(facts, user, content);
  return found === null ? 0 : ROLES.indexOf(found.role) + 1;
}

test("without a team: people, contents, everybody on each, and the file", async () => {
  await everywhere(async (world, facts, token) => {
    for (const team of facts.teams.keys()) {
      const without = `without=${encode(writeWithout({ of: "team", team }))}`;
      const all = withoutTeam(facts, team).filter(({ now, later }) => now !== later);
      const sort = (rows: string[]) => rows.toSorted();
      const expected = all.map(
        ({ content, user, now, later }) => `${content.kind}/${content.id} ${user} ${now} ${later}`,
      );
      const rank = (held: { role: (typeof ROLES)[number] } | null) =>
        held === null ? 0 : ROLES.indexOf(held.role) + 1;

      const pairs = (await world.walk(`/explorer/access?list=pairs&${without}`, token, [1, 3])).map(
        (row): PairRow => Object(row),
      );
      expect(
        sort(
          pairs.map(
            ({ content, user, before, after }) =>
              `${content.kind}/${content.id} ${user.id} ${rank(before)} ${rank(after)}`,
          ),
        ),
      ).toEqual(sort(expected));

      const counted = await answer<WithoutAnswer>(world, `/explorer/without?${without}`, token);
      const people = (which: (row: (typeof all)[number]) => boolean) =>
        new Set(all.filter(which).map(({ user }) => user)).size;
      expect(counted.people?.counts).toEqual({
        lost: people(({ later }) => later === 0),
        lowered: people(({ now, later }) => later > 0 && later < now),
        raised: people(({ now, later }) => now > 0 && later > now),
        gained: people(({ now }) => now === 0),
      });

      const contents = (await world.walk(`/explorer/access?list=contents&${without}`, token, [2])).map(
        (row): ConcernedRow => Object(row),
      );
      expect(contents).toHaveLength(counted.contents ?? -1);
      const effects: Effect[] = [];
      for (const { content } of contents) {
        const path = `/explorer/without?${content.kind}=${encode(content.id)}&${without}`;
        const { here } = await answer<WithoutAnswer>(world, path, token);
        if (here !== undefined) effects.push(here);
      }
      const total = (direction: keyof Effect) => effects.reduce((sum, counts) => sum + counts[direction], 0);
      expect(total("lost")).toBe(all.filter(({ later }) => later === 0).length);
      expect(total("lowered")).toBe(all.filter(({ now, later }) => later > 0 && later < now).length);

      const { body } = await world.get(`/explorer/csv?list=pairs&${without}`, token);
      const lines = Papa.parse<string[]>(body, { skipEmptyLines: true }).data;
      expect(lines[5]?.slice(0, 5)).toEqual(["kind", "content", "title", "path", "id"]);
      expect(lines).toHaveLength(6 + all.length);
    }
  });
});

test("two people: each space once, differences first", async () => {
  await everywhere(async (world, facts, token) => {
    const [one, other] = facts.members.keys();
    if (one === undefined || other === undefined) return;
    const rows = (
      await world.walk(
        `/explorer/access?member=${encode(one)}&tab=compare&with=${encode(other)}`,
        token,
        [1, 2],
      )
    ).map((row): CompareRow => Object(row));
    const roles = spacesOf(facts).map((space) => ({
      id: space.id,
      one: effectiveOf(facts, one, space)?.role ?? null,
      other: effectiveOf(facts, other, space)?.role ?? null,
    }));
    const shown = rows.map((row) => ({
      id: row.space.id,
      one: row.one?.role ?? null,
      other: row.other?.role ?? null,
    }));
    const byId = (list: typeof roles) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(shown)).toEqual(byId(roles.filter((each) => each.one !== null || each.other !== null)));
    const differs = rows.map((row) => row.differs);
    expect(differs).toEqual(differs.toSorted((a, b) => Number(b) - Number(a)));
    for (const row of rows) expect(row.differs).toBe(row.one?.role !== row.other?.role);
  });
});

test("one person on the spaces of a site or collection: all of them, differences first", async () => {
  await everywhere(async (world, facts, token) => {
    const [user] = facts.members.keys();
    if (user === undefined) return;
    const inside = (collection: string): string[] => [
      ...[...facts.spaces.values()].flatMap(({ id, parent }) => (parent === collection ? [id] : [])),
      ...[...facts.collections.values()].flatMap(({ id, parent }) =>
        parent === collection ? inside(id) : [],
      ),
    ];
    const scopes = [
      ...[...facts.sites].map(([id, spaces]) => ({ query: `site=${encode(id)}`, spaces })),
      ...[...facts.collections.keys()].map((id) => ({
        query: `collection=${encode(id)}`,
        spaces: inside(id),
      })),
    ];
    for (const { query, spaces } of scopes) {
      const path = `/explorer/access?${query}&tab=compare&user=${encode(user)}`;
      const rows = (await world.walk(path, token, [2])).map((row): CompareRow => Object(row));
      const expected = spaces.map((id) => [
        id,
        effectiveOf(facts, user, { kind: "space", id })?.role ?? null,
      ]);
      expect(rows.map(({ space, one }) => [space.id, one?.role ?? null]).toSorted()).toEqual(
        expected.toSorted(),
      );
    }
  });
});

test("through a team: the spaces that it opens, and who has a higher role there from elsewhere", async () => {
  await everywhere(async (world, facts, token) => {
    for (const team of facts.teams.keys()) {
      const rows = (await world.walk(`/explorer/access?team=${encode(team)}&tab=reach`, token, [2])).map(
        (row): OpenedRow => Object(row),
      );
      // A guest who is only in that team has exactly the access that the team gives.
      const guest: Facts = {
        ...facts,
        members: new Map([...facts.members, ["only", null]]),
        teamMembers: [{ object: "teamMember", team, user: "only", role: "member" }],
      };
      const opened = spacesOf(facts).flatMap((space) => {
        const found = effectiveOf(guest, "only", space);
        return found === null ? [] : [[space.id, found.role]];
      });
      expect(rows.map(({ space, role }) => [space.id, role]).toSorted()).toEqual(opened.toSorted());
      for (const { space, role } of rows) {
        const query = `space=${encode(space.id)}&without=${encode(writeWithout({ of: "team", team }))}`;
        const told = await answer<WithoutAnswer>(world, `/explorer/without?${query}`, token);
        expect(told.team?.role).toBe(role);
        const members = facts.teamMembers.filter((each) => each.team === team).map(({ user }) => user);
        const counts = Object.fromEntries(
          ROLES.map((each) => [
            each,
            members.filter((user) => effectiveOf(facts, user, { kind: "space", id: space.id })?.role === each)
              .length,
          ]),
        );
        expect(told.team?.members).toEqual(counts);
        const through = `/explorer/access?space=${encode(space.id)}&tab=within&within=${encode(team)}`;
        expect((await world.walk(through, token, [2])).length).toBe(
          Object.values(counts).reduce((sum, count) => sum + count, 0),
        );
      }
    }
  });
});

async function answer<Answer>(world: World, path: string, token: string): Promise<Answer> {
  const { status, body } = await world.get(path, token);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  const parsed: Answer = JSON.parse(body);
  return parsed;
}

test("of two permissions of a team, the nearer one decides, whatever the order of collections", async () => {
  const world = await World.open(ownPlace);
  try {
    await world.import([
      records.organization(),
      ...records.member("u", null),
      ...records.team("t", ["u"]),
      records.collection("outer"),
      records.collection("inner", { parent: "outer" }),
      records.collection("a", { parent: "inner" }),
      records.space("s", { parent: "a" }),
      records.onCollection("outer", { team: "t" }, "review"),
      records.onCollection("inner", { team: "t" }, "read"),
    ]);
    const token = await world.token("o");
    const [row] = (await world.walk("/explorer/access?team=t&tab=reach", token)).map((each): OpenedRow =>
      Object(each),
    );
    expect([row?.space.id, row?.role, row?.reason.content?.id]).toEqual(["s", "read", "inner"]);
    const told = await answer<WithoutAnswer>(
      world,
      "/explorer/without?space=s&without=team/t@collection/inner",
      token,
    );
    expect(told.here).toEqual({ lost: 0, lowered: 0, raised: 1, gained: 0 });
  } finally {
    await world.close();
  }
});
