/** The changes of contents, members and teams, compared with the oracle on random organizations and their later states. */
import Papa from "papaparse";
import { expect, test } from "vitest";
import { plain } from "../../../src/domain/reason.ts";
import type { RevisionChange, ChangesAnswer, SinceAnswer } from "../../../src/explorer/wire/answers.ts";
import type { ChangedRow, ChangedNode } from "../../../src/explorer/wire/lists.ts";
import type { Facts } from "../../oracle/facts.ts";
import { byBytes } from "../../oracle/order.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { answer, contentsOf, countsOf, differences, type Direction, DIRECTIONS, staged } from "./stages.ts";

const encode = encodeURIComponent;

/** Reads all changes of a subject, with as many requests as necessary. */
async function changesOf(world: World, thing: string, token: string): Promise<RevisionChange[]> {
  const found: RevisionChange[] = [];
  for (let next: number | undefined, first = true; first || next !== undefined; first = false) {
    const path = `/explorer/changes?${thing}${next === undefined ? "" : `&before=${next}`}`;
    const part = await answer<ChangesAnswer>(world, path, token);
    expect(part.done).toBeLessThanOrEqual(part.of);
    found.push(...part.changes);
    next = part.next;
    if (next === undefined) expect(part.done).toBe(part.of);
  }
  return found;
}

test("the changes of every content and member are the differences between consecutive revisions", async () => {
  await staged(async (world, stages, token) => {
    const last = stages.at(-1);
    if (last === undefined) return;
    const things = [
      ...contentsOf(last.facts).map(({ kind, id }) => ({
        thing: `${kind}=${encode(id)}`,
        key: `${kind}/${id}`,
      })),
      ...[...last.facts.members.keys()].map((id) => ({
        thing: `member=${encode(id)}`,
        user: id,
        key: undefined,
      })),
    ];
    const expected = stages.slice(1).map((later, place) => {
      const earlier = stages[place];
      return { earlier, later, all: earlier === undefined ? [] : differences(earlier.facts, later.facts) };
    });
    for (const { thing, key, ...of } of things) {
      const isOwn = (row: { content: string; user: string }) =>
        key === undefined ? "user" in of && row.user === of.user : row.content === key;
      const told = await changesOf(world, thing, token);
      for (const { earlier, later, all } of expected) {
        const own = all.filter(isOwn);
        const found = told.find(({ revision }) => revision === later.revision);
        const why = `${thing} in ${later.revision}`;
        expect(found?.effect ?? countsOf([]), why).toEqual(countsOf(own));
        if (own.length === 0) continue;
        expect(found?.earlier, why).toBe(earlier?.revision);
        const list = `${thing}&tab=changes&earlier=${earlier?.revision}&later=${later.revision}`;
        const rows = (await world.walk(`/explorer/access?${list}`, token, [1, 3])).map((row): ChangedRow =>
          Object(row),
        );
        const cells = rows.map(
          ({ content, user, direction }) => `${content.kind}/${content.id} ${user.id} ${direction}`,
        );
        const ordered = own
          .toSorted((a, b) =>
            byBytes(key === undefined ? a.content : a.user, key === undefined ? b.content : b.user),
          )
          .map(({ content, user, direction }) => `${content} ${user} ${direction}`);
        expect(cells, why).toEqual(ordered);
        for (const { sentence } of rows) expect(plain(sentence)).toMatch(/, because .+ in revision \d+/s);
        const { body } = await world.get(`/explorer/csv?${list}`, token);
        const file = Papa.parse<string[]>(body, { newline: "\r\n", skipEmptyLines: true }).data.slice(6);
        expect(file, why).toHaveLength(own.length);
      }
    }
  });
});

test("since a revision: people anywhere, people on a content, contents of a member; the list of all changes", async () => {
  await staged(async (world, stages, token) => {
    const [first, last] = [stages[0], stages.at(-1)];
    if (first === undefined || last === undefined || first === last) return;
    const all = differences(first.facts, last.facts);
    const people = (wanted: Direction) =>
      new Set(all.filter(({ direction }) => direction === wanted).map(({ user }) => user)).size;
    const { effect, cut } = await answer<SinceAnswer>(
      world,
      `/explorer/since?earlier=${first.revision}`,
      token,
    );
    expect(cut).toBe(undefined);
    expect(effect).toEqual({
      lost: people("lost"),
      lowered: people("lowered"),
      raised: people("raised"),
      gained: people("gained"),
    });
    for (const { kind, id } of contentsOf(last.facts)) {
      const path = `/explorer/since?${kind}=${encode(id)}&earlier=${first.revision}`;
      const own = all.filter(({ content }) => content === `${kind}/${id}`);
      expect((await answer<SinceAnswer>(world, path, token)).effect, path).toEqual(countsOf(own));
    }
    const list = `/explorer/access?list=changes&earlier=${first.revision}&later=${last.revision}`;
    const things = (await world.walk(list, token, [2])).map((row): ChangedNode => Object(row));
    const apart = new Map(
      things.flatMap(({ user, contents }) => (user === undefined ? [] : [[user.id, contents]])),
    );
    for (const [id, contents] of apart) {
      expect(contents, id).toBe(all.filter(({ user }) => user === id).length);
    }
    const others = all.filter(({ user }) => !apart.has(user));
    const expected = Map.groupBy(others, ({ content }) => content);
    expect(
      new Map(
        things.flatMap(({ content, effect: own }) =>
          content === undefined ? [] : [[`${content.kind}/${content.id}`, own]],
        ),
      ),
    ).toEqual(new Map([...expected].map(([content, rows]) => [content, countsOf(rows)])));
  });
});

test("a team's changes are those of its members and permissions, with the people whom they affect", async () => {
  await staged(async (world, stages, token) => {
    const last = stages.at(-1);
    for (const team of last?.facts.teams.keys() ?? []) {
      const told = await changesOf(world, `team=${encode(team)}`, token);
      for (const [place, later] of stages.entries()) {
        const earlier = stages[place - 1];
        if (earlier === undefined) continue;
        const own = (facts: Facts) =>
          JSON.stringify(
            [
              ...facts.teamMembers.filter((each) => each.team === team).map(({ user }) => user),
              ...contentsOf(facts).flatMap((content) =>
                facts
                  .permissionsOn(content)
                  .filter((each) => each.team === team)
                  .map(({ permission }) => `${content.kind}/${content.id} ${permission}`),
              ),
            ].sort(byBytes),
          );
        if (own(earlier.facts) === own(later.facts)) continue;
        const change = told.find(({ revision }) => revision === later.revision);
        expect(change?.what.length, team).toBeGreaterThan(0);
        const list = `team=${encode(team)}&tab=changes&earlier=${earlier.revision}&later=${later.revision}`;
        const things = (await world.walk(`/explorer/access?${list}`, token)).map((row): ChangedNode =>
          Object(row),
        );
        const all = differences(earlier.facts, later.facts);
        for (const { content, effect } of things) {
          const key = `${content?.kind}/${content?.id}`;
          const came = (id: string) => earlier.facts.members.get(id) !== later.facts.members.get(id);
          const others = all.filter((row) => row.content === key && !came(row.user));
          // People who are members of the team at either revision. Others on the content differ for other reasons.
          const inTeam = (id: string) =>
            [earlier, later].some(({ facts }) =>
              facts.teamMembers.some((each) => each.team === team && each.user === id),
            );
          const most = countsOf(others.filter(({ user }) => inTeam(user)));
          for (const each of DIRECTIONS) expect(effect?.[each], key).toBeLessThanOrEqual(most[each]);
          expect(DIRECTIONS.some((each) => (effect?.[each] ?? 0) > 0)).toBe(true);
        }
      }
    }
  });
});

test("a team's changes do not count people who differ on the same content for another reason", async () => {
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  const before = [team("docs", "in-docs"), team("other", "in-other"), given("guide", "docs", "read")].flat();
  const raised: SnapshotRecord[] = [
    ...team("docs", "in-docs"),
    ...team("other", "in-other"),
    given("guide", "docs", "edit"),
    given("guide", "other", "read"),
    given("notes", "docs", "comment"),
    { object: "permission", space: "guide", user: "alone", permission: "read" },
  ];
  // A person joins the team who already has a higher role on the notes than the team gives.
  const joined: SnapshotRecord[] = [
    ...raised,
    { object: "teamMember", team: "docs", user: "joins", role: "member" },
    { object: "permission", space: "notes", user: "joins", permission: "edit" },
  ];
  for (const records of [before, raised, joined]) await world.import([...small, ...records]);
  const token = await world.token("small");
  const concerned = async (id: string, earlier: number) => {
    const between = `tab=changes&earlier=${earlier}&later=${earlier + 1}`;
    const rows = await world.walk(`/explorer/access?team=${id}&${between}`, token);
    const things = rows.map((row): ChangedNode => Object(row));
    for (const { content, effect } of things) {
      // The list behind the number has that many people.
      const people = `space=${content?.id}&${between}&through=${id}`;
      const number = Object.values(effect ?? {}).reduce((sum, each) => sum + each, 0);
      expect(await world.walk(`/explorer/access?${people}`, token, [1]), people).toHaveLength(number);
    }
    return things.map(({ content, effect }) => [content?.id, effect]);
  };
  const none = { lost: 0, lowered: 0, raised: 0, gained: 0 };
  expect(await concerned("docs", 1)).toEqual([
    ["guide", { ...none, raised: 1 }],
    ["notes", { ...none, gained: 1 }],
  ]);
  expect(await concerned("other", 1)).toEqual([["guide", { ...none, gained: 1 }]]);
  expect(await concerned("docs", 2)).toEqual([["guide", { ...none, gained: 1 }]]);
});

const DAY = "2026-01-01T00:00:00Z";
/** Two spaces, and guests without permissions. */
const small: readonly SnapshotRecord[] = [
  { object: "organization", id: "small", title: "Small" },
  ...["in-docs", "in-other", "alone", "joins"].flatMap((id): SnapshotRecord[] => [
    { object: "user", id, displayName: id },
    { object: "member", organization: "small", user: id, role: null },
  ]),
  ...["guide", "notes"].map((id): SnapshotRecord => ({
    object: "space",
    id,
    organization: "small",
    title: id,
    createdAt: DAY,
    updatedAt: DAY,
  })),
];

function team(id: string, user: string): SnapshotRecord[] {
  return [
    { object: "team", id, organization: "small", title: id, createdAt: DAY },
    { object: "teamMember", team: id, user, role: "member" },
  ];
}

function given(space: string, to: string, permission: Role): SnapshotRecord {
  return { object: "permission", space, team: to, permission };
}
