/**
 * With `at`, every answer equals the answer that was given at that revision. The current revision decides
 * authorization.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { evolution } from "../../oracle/random/evolve.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/** Few runs, because each makes hundreds of requests. */
const RUNS = Math.min(2, Number(process.env.ROLEBOOK_TEST_RUNS ?? 2));
const encode = encodeURIComponent;

/** Requests about two subjects of each kind, and about the whole organization. */
function questionsOn(facts: Facts): string[] {
  const named = (kind: string, ids: Iterable<string>) =>
    [...ids].slice(0, 2).map((id) => `${kind}=${encode(id)}`);
  const contents = [...named("space", facts.spaces.keys()), ...named("collection", facts.collections.keys())];
  const sites = named("site", facts.sites.keys());
  const members = named("member", facts.members.keys());
  const teams = named("team", facts.teams.keys());
  const things = [...contents, ...sites, ...members, ...teams];
  const [user = ""] = facts.members.keys();
  const names = [...facts.members.keys()].map((id) => facts.users.get(id)?.displayName.trim() ?? "");
  const filters = names.filter((name) => /^[a-z]/i.test(name)).slice(0, 3);
  return [
    "me?",
    "tree?",
    "tree?kind=site",
    "access?list=members",
    "access?list=teams",
    ...filters.map((name) => `access?list=members&q=${encode(name)}`),
    ...filters.map((name) => `counts?list=members&q=${encode(name)}`),
    ...[...facts.spaces.values()].slice(0, 3).map(({ title }) => `search?q=${encode(title)}`),
    ...things.flatMap((thing) => [`tree?${thing}`, `access?${thing}`, `counts?${thing}`, `csv?${thing}`]),
    ...[...contents, ...sites].map((thing) => `why?${thing}&user=${encode(user)}`),
  ];
}

function asOf(question: string, revision: number): string {
  return `${question}${question.endsWith("?") ? "" : "&"}at=${revision}`;
}

function sorted(items: readonly object[]): string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

/**
 * An answer without the parts that describe the present: the newer revision, the time of confirmation, and `--at` of a
 * command.
 */
async function told(world: World, question: string, token: string): Promise<unknown> {
  const { status, body } = await world.get(`/explorer/${question}`, token);
  if (question.startsWith("csv")) return { status, body };
  const {
    newer: _,
    confirmedAt: __,
    ...answer
  } = JSON.parse(body.replace(/rolebook why --at \d+/, "rolebook why"));
  // The order of hits may differ: hits that are no longer in the index come last.
  if (question.startsWith("search")) answer.items = sorted(answer.items);
  return { status, answer };
}

test("at a past revision, every answer equals the one that was given then", async () => {
  await holds(
    fc.asyncProperty(
      organizations({ minMembers: 1, minContents: 2 }),
      evolution,
      async (records: SnapshotRecord[], evolve) => {
        await using world = Object.assign(await World.open(ownPlace), {
          [Symbol.asyncDispose]: () => world.close(),
        });
        await world.import(records);
        const before: { question: string; token: string; revision: number; given: unknown }[] = [];
        for (const organization of organizationIds(records)) {
          const token = await world.token(organization);
          const { current } = (await world.store.registry.organization(organization)) ?? {};
          for (const question of questionsOn(factsOf(records, organization))) {
            const given = await told(world, question, token);
            before.push({ question, token, revision: current?.revision ?? 0, given });
          }
        }
        await world.import(evolve(records));
        for (const { question, token, revision, given } of before) {
          expect(await told(world, asOf(question, revision), token), question).toEqual(given);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

const DATE = "2025-01-01T00:00:00Z";
const ROLES: Record<string, Role | null> = { ana: "admin", ben: "comment", cleo: "read", dora: "read" };

/**
 * Ben may list the space now. In the past, the space was in a collection that Ben never saw, and Dora could list it.
 */
function state(now: boolean): SnapshotRecord[] {
  const space = (id: string, parent?: string): SnapshotRecord => ({
    object: "space",
    id,
    organization: "o",
    title: id,
    createdAt: DATE,
    updatedAt: DATE,
    ...(parent === undefined ? {} : { parent }),
  });
  return [
    { object: "organization", id: "o", title: now ? "New" : "Old" },
    ...Object.entries(ROLES).flatMap(([id, role]): SnapshotRecord[] => [
      { object: "user", id, displayName: `${id} ${now ? "now" : "then"}` },
      { object: "member", organization: "o", user: id, role },
    ]),
    { object: "collection", id: "c", organization: "o", title: "Secret plans", defaultLevel: null },
    { object: "permission", collection: "c", user: "cleo", permission: "edit" },
    now ? space("s") : space("s", "c"),
    space(now ? "new" : "gone"),
    { object: "permission", space: "s", user: now ? "ben" : "dora", permission: "create" },
  ];
}

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import(state(false));
  await world.import(state(true));
});
afterAll(() => world.close());

async function ask(question: string, member?: string): Promise<{ status: number; body: string }> {
  return world.get(`/explorer/${question}`, await world.token("o", member));
}

test("the current revision authorizes, the past revision answers", async () => {
  const status = async (question: string, member?: string) => (await ask(question, member)).status;
  for (const name of ["access", "counts", "csv"]) {
    expect([name, await status(`${name}?space=s&at=1`, "ben")]).toEqual([name, 200]);
    expect([name, await status(`${name}?space=s&at=1`, "dora")]).toEqual([name, 403]);
    expect([name, await status(`${name}?space=new&at=1`)]).toEqual([name, 404]);
    expect([name, await status(`${name}?space=gone&at=1`, "ana")]).toEqual([name, 200]);
    expect([name, await status(`${name}?space=gone&at=1`, "ben")]).toEqual([name, 404]);
  }
  expect(await status("why?space=s&user=cleo&at=1", "ben")).toBe(200);
  expect(await status("access?list=members&at=1", "ben")).toBe(403);
});

test("contents that the caller does not see now stay hidden in past reasons", async () => {
  for (const question of [
    "access?space=s",
    "csv?space=s",
    "why?space=s&user=cleo",
    "tree?space=s",
    "tree?",
  ]) {
    const { status, body } = await ask(asOf(question, 1), "ben");
    expect(status, question).toBe(200);
    expect(body, question).not.toMatch(/Secret plans|"c"/);
  }
  expect((await ask("access?space=s&at=1", "ben")).body).toContain("something that you do not see");
  expect((await ask("access?space=s&at=1")).body).toContain("Secret plans");
});

test("searches and filters use the contents and names of that revision", async () => {
  await using small = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => small.close(),
  });
  // Most members do not change, so that the second state is written as a change of the first generation.
  const organization = (title: string, name: string): SnapshotRecord[] => [
    { object: "organization", id: "o", title: "O" },
    ...Array.from({ length: 60 }, (_, at): SnapshotRecord[] => [
      { object: "user", id: `u${at}`, displayName: at === 0 ? name : `Somebody ${at}` },
      { object: "member", organization: "o", user: `u${at}`, role: "read" },
    ]).flat(),
    { object: "space", id: title, organization: "o", title, createdAt: DATE, updatedAt: DATE },
  ];
  await small.import(organization("Former", "Xaver Vorher"));
  await small.import(organization("Present", "Yvo Nachher"));
  const token = await small.token("o");
  const found = async (question: string): Promise<string[]> => {
    const { items } = await small.page(`/explorer/${question}`, token);
    return items
      .map((item) => JSON.stringify(item))
      .map((item) => /"(?:title|displayName)":"([^"]*)"/.exec(item)?.[1] ?? item);
  };
  expect(await found("search?q=former&at=1")).toEqual(["Former"]);
  expect(await found("search?q=present&at=1")).toEqual([]);
  expect(await found("search?q=former")).toEqual([]);
  expect(await found("search?q=xaver&at=1")).toEqual(["Xaver Vorher"]);
  for (const [name, at, rows] of [
    ["vorher", "&at=1", ["Xaver Vorher"]],
    ["nachher", "&at=1", []],
    ["vorher", "", []],
    ["nachher", "", ["Yvo Nachher"]],
  ] as const) {
    expect(await found(`access?list=members&q=${name}${at}`), `${name}${at}`).toEqual(rows);
    expect(
      await found(`access?space=${at === "" ? "Present" : "Former"}&q=${name}${at}`),
      `${name}${at}`,
    ).toEqual(rows);
  }
});

test("an unreadable revision is refused with the readable ones; an invalid WHEN is refused", async () => {
  for (const name of ["me?", "tree?", "access?space=s&", "csv?space=s&"]) {
    const none = await ask(`${name}at=99`);
    expect([name, none.status]).toEqual([name, 404]);
    expect(none.body).toMatch(
      /There is no revision .*99.* that can be read; the earliest is 1 .*, the latest 2 /,
    );
    expect((await ask(`${name}at=soon`)).body).toContain(
      'The parameter at is \\"soon\\"; accepted: the number',
    );
    if (name !== "me?") {
      expect((await ask(`${name}at=1&revision=1`)).body).toContain("Both revision and at are given");
    }
  }
});
