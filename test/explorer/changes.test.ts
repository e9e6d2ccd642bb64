/** The changes of contents, members and teams, compared with the oracle on random organizations and their later states. */
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { plain } from "../../src/domain/explanation/phrase.ts";
import type {
  Change,
  ChangedRow,
  ChangedThing,
  ChangesAnswer,
  SinceAnswer,
} from "../../src/explorer/wire/past.ts";
import { effectiveOf } from "../oracle/effective.ts";
import { evolution } from "../oracle/evolve.ts";
import { type Content, type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { byBytes } from "../oracle/order.ts";
import { organizations } from "../oracle/organizations.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { ownPlace, World } from "../world.ts";

/** Each run makes many requests. */
const RUNS = Math.min(2, Number(process.env.ROLEBOOK_TEST_RUNS ?? 2));
const encode = encodeURIComponent;
type Direction = "lost" | "lowered" | "raised" | "gained";

const contentsOf = (facts: Facts): Content[] => [
  ...[...facts.collections.keys()].map((id): Content => ({ kind: "collection", id })),
  ...[...facts.spaces.keys()].map((id): Content => ({ kind: "space", id })),
];

function rankOf(facts: Facts, user: string, content: Content): number {
  const there = content.kind === "space" ? facts.spaces : facts.collections;
  if (!there.has(content.id) || !facts.members.has(user)) return 0;
  const found = effectiveOf(facts, user, content);
  return found === null ? 0 : ROLES.indexOf(found.role) + 1;
}

/** Every difference between two states, by content and user: "space/s ana gained 0 3". */
function differences(before: Facts, after: Facts): { content: string; user: string; direction: Direction }[] {
  const keys = new Map(
    [...contentsOf(before), ...contentsOf(after)].map((each) => [`${each.kind}/${each.id}`, each]),
  );
  const users = new Set([...before.members.keys(), ...after.members.keys()]);
  return [...keys].flatMap(([content, each]) =>
    [...users].flatMap((user) => {
      const [was, is] = [rankOf(before, user, each), rankOf(after, user, each)];
      if (was === is) return [];
      const direction: Direction = was === 0 ? "gained" : is === 0 ? "lost" : was < is ? "raised" : "lowered";
      return [{ content, user, direction }];
    }),
  );
}

function countsOf(found: readonly { direction: Direction }[]): Record<Direction, number> {
  const count = (wanted: Direction) => found.filter(({ direction }) => direction === wanted).length;
  return { lost: count("lost"), lowered: count("lowered"), raised: count("raised"), gained: count("gained") };
}

async function answer<Answer>(world: World, path: string, token: string): Promise<Answer> {
  const { status, body } = await world.get(path, token);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  const parsed: Answer = JSON.parse(body);
  return parsed;
}

/** All changes of a subject, with as many requests as necessary. */
async function changesOf(world: World, thing: string, token: string): Promise<Change[]> {
  const found: Change[] = [];
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

interface Stage {
  readonly facts: Facts;
  readonly revision: number;
}

/** Random organizations in three states, each with its revisions. */
async function staged(
  check: (world: World, stages: readonly Stage[], token: string) => Promise<void>,
): Promise<void> {
  let compared = 0;
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  await fc.assert(
    fc.asyncProperty(
      organizations({ minMembers: 2, minContents: 2, minPermissions: 3 }),
      fc.array(evolution, { minLength: 2, maxLength: 2 }),
      async (records: SnapshotRecord[], evolutions) => {
        const stages = new Map<string, Stage[]>();
        let now = records;
        for (const evolve of [(same: typeof records) => same, ...evolutions]) {
          now = evolve(now);
          await world.import(now);
          for (const organization of organizationIds(now)) {
            const { current } = (await world.store.registry.organization(organization)) ?? {};
            const known = stages.get(organization) ?? [];
            stages.set(organization, known);
            // An import without changes makes no revision.
            if (known.at(-1)?.revision === current?.revision) continue;
            known.push({ facts: factsOf(now, organization), revision: current?.revision ?? 0 });
          }
        }
        for (const [organization, known] of stages) {
          await check(world, known, await world.token(organization));
          compared += known.length - 1;
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(0);
}

test("the changes of every content and member are who differs between each revision and the one before", async () => {
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

test("since a revision: people anywhere, on a content, and contents of a member; the list of all that changed", async () => {
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
    const things = (await world.walk(list, token, [2])).map((row): ChangedThing => Object(row));
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

test("a team's changes are its members and permissions, with whom they concern", async () => {
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
        const things = (await world.walk(`/explorer/access?${list}`, token)).map((row): ChangedThing =>
          Object(row),
        );
        const all = differences(earlier.facts, later.facts);
        for (const { content, effect } of things) {
          const key = `${content?.kind}/${content?.id}`;
          const came = (id: string) => earlier.facts.members.get(id) !== later.facts.members.get(id);
          const others = all.filter((row) => row.content === key && !came(row.user));
          expect(effect, key).toEqual(countsOf(others));
        }
      }
    }
  });
});
