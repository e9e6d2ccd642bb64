/** A filtered list equals the whole list without the excluded rows, by whatever code it is read. */
import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import type { CountsAnswer, LevelAnswer } from "../../../src/explorer/wire/answers.ts";
import { fold } from "../../oracle/fold.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { ROLES } from "../../oracle/records.ts";
import { answer, foundBy, nameOf, type Row, rowsOf } from "./found-by.ts";
import { mixed } from "../page/mixed.ts";
import { ownPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 4);
/** The number of filtered lists per organization. */
const TURNS = 12;
const encode = encodeURIComponent;

type Filters = Readonly<Record<string, string>>;

/** The lists of an organization with their filters. */
function listsOf({
  spaces,
  collections,
  sites,
  members,
  teams,
}: Facts): [lists: string[], filters: string[]][] {
  const people = ["q", "role", "least", "guests", "sort"];
  const access = [...people, "reason", "through"];
  const reach = ["q", "role", "least", "reason", "through", "deleted", "sort"];
  const of = (kind: string, things: ReadonlyMap<string, unknown>, tab = "") =>
    [...things.keys()].map((id) => `${kind}=${encode(id)}${tab}`);
  const contents = (tab?: string) => [...of("space", spaces, tab), ...of("collection", collections, tab)];
  const groups: [string[], string[]][] = [
    [["list=members"], ["q", "role", "guests", "sort"]],
    [["list=teams"], ["q", "sort"]],
    [of("member", members, "&tab=teams"), ["q", "sort"]],
    [contents(), access],
    [contents("&tab=people"), people],
    [contents("&tab=teams"), ["q", "role", "least", "sort"]],
    // The hardest case: if several spaces give the highest role, the reason is that of the first one.
    [of("site", sites), access],
    [of("site", sites), ["reason", "through"]],
    [of("site", sites, "&tab=spaces"), ["q"]],
    [of("member", members), reach],
    [of("team", teams), ["q", "role", "least", "sort"]],
    [of("team", teams, "&tab=members"), ["q", "guests", "sort"]],
  ];
  return groups.filter(([lists]) => lists.length > 0);
}

/** The orders of a list, which differ by what its rows have. */
function sortsOf(list: string): string[] {
  if (/^(?:list=|.*tab=members$|member=.*tab=teams$)/.test(list)) return ["id", "name"];
  return /^team=|tab=teams$/.test(list) ? ["strongest", "name"] : ["strongest", "id", "name"];
}

/** The name by which a row is sorted, as a text that compares as the rows do. */
function sortName({ user, space, content, team }: Row): string {
  const name = user
    ? [user.displayName, user.email ?? "", user.id].find((each) => each.trim() !== "")
    : undefined;
  return fold(name ?? (space ?? content ?? team)?.title ?? "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** A value of a filter. Most values occur in the rows. */
function valuesOf(
  name: string,
  list: string,
  rows: readonly Row[],
  pick: <T>(from: readonly T[]) => T,
): string {
  const text = (row: Row) => row.user?.displayName ?? (row.space ?? row.content ?? row.team)?.title ?? "";
  switch (name) {
    case "q": {
      const words = rows.flatMap((row) => [
        text(row).slice(0, 3),
        ...(row.user?.email === undefined ? [] : [row.user.email.slice(0, 8)]),
        ...text(row).split(/[^\p{L}\p{N}\p{M}]+/u),
      ]);
      return pick([...words.map((word) => word.slice(0, 2)), "e", "nobody"]).trim() || "a";
    }
    case "role":
    case "least":
      return pick(ROLES);
    case "reason":
      return pick(["organization", "direct", "team", "default", "direct,team", "default,organization"]);
    case "through":
      return pick([...rows.flatMap(({ reason }) => reason?.team?.id ?? []), "none"]);
    case "sort":
      return pick(sortsOf(list));
    default:
      return pick(["only", "none"]);
  }
}

/** Decides from the row alone whether it passes a filter. Other tests cover the search. */
function isKept(row: Row, filters: Filters, found: ReadonlySet<string>): boolean {
  const { role, least, reason, through, guests, deleted, q } = filters;
  const ranked: readonly string[] = ROLES;
  const rank = ranked.indexOf(row.role ?? "");
  const group = row.reason?.rule === "admin" ? "organization" : (row.reason?.rule ?? "");
  return (
    (role === undefined || row.role === role) &&
    (least === undefined || rank >= ranked.indexOf(least)) &&
    (reason === undefined || reason.split(",").includes(group)) &&
    (through === undefined || row.reason?.team?.id === through) &&
    (guests === undefined || (row.user?.guest === true) === (guests === "only")) &&
    (deleted === undefined || (row.deletedAt !== undefined) === (deleted === "only")) &&
    (q === undefined || found.has(nameOf(row)))
  );
}

test("every filter of every list selects the right rows, on the page, in counts and in files", async () => {
  await holds(
    fc.asyncProperty(
      organizations({ minMembers: 1 }),
      fc.infiniteStream(fc.nat()),
      async (records, choices) => {
        const world = await World.open(ownPlace);
        const choose = () => choices.next().value ?? 0;
        const pick = <T>(from: readonly T[]): T => {
          const chosen = from[choose() % from.length];
          if (chosen === undefined) throw new Error("There is nothing to choose from.");
          return chosen;
        };
        try {
          await world.import(records);
          for (const organization of organizationIds(records)) {
            const token = await world.token(organization);
            const lists = listsOf(factsOf(records, organization));
            for (let turn = 0; turn < TURNS; turn++) {
              const [alike, names] = pick(lists);
              const list = pick(alike);
              const rows = await rowsOf(world, `/explorer/access?${list}`, token);
              if (rows.length === 0) continue;
              const some = names.filter(() => choose() % 3 === 0);
              const filters = Object.fromEntries(
                (some.length === 0 ? [pick(names)] : some).map((name) => [
                  name,
                  valuesOf(name, list, rows, pick),
                ]),
              );
              await check(world, token, list, rows, filters);
            }
          }
        } finally {
          await world.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
});

async function check(world: World, token: string, list: string, rows: readonly Row[], filters: Filters) {
  const query = new URLSearchParams(filters).toString();
  const path = `${list}&${query}`;
  const found = filters["q"] === undefined ? new Set<string>() : foundBy(filters["q"], rows);
  const expected = rows.filter((row) => isKept(row, filters, found));
  const narrowed = await rowsOf(world, `/explorer/access?${path}`, token, [2, 3]);
  expect(narrowed.map(nameOf).toSorted(), path).toEqual(expected.map(nameOf).toSorted());
  if (filters["sort"] === undefined) expect(narrowed, path).toEqual(expected);
  if (filters["sort"] === "strongest") {
    const ranks = narrowed.map(
      ({ role }) => [...ROLES.entries()].find(([, each]) => each === role)?.[0] ?? -1,
    );
    expect(ranks, path).toEqual(ranks.toSorted((a, b) => b - a));
  }
  if (filters["sort"] === "name") {
    const names = narrowed.map(sortName);
    const bytes = (text: string) => Buffer.from(text.slice(0, 20));
    expect(names, path).toEqual(names.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b))));
  }
  for (const from of [Math.floor(narrowed.length / 2), narrowed.length]) {
    const { items } = await answer<{ items: readonly Row[] }>(
      world,
      `/explorer/access?${path}&from=${from}&limit=3`,
      token,
    );
    expect(items, `${path} from ${from}`).toEqual(narrowed.slice(from, from + 3));
  }
  const { sort: _, q, ...others } = filters;
  // A text that has only blanks and control characters is no filter.
  const isNamed = q !== undefined && !/^[\s\p{Cc}]*$/u.test(q);
  if (isNamed || Object.keys(others).length > 0) {
    const { filtered } = await answer<CountsAnswer>(world, `/explorer/counts?${path}`, token);
    expect(filtered?.total, path).toBe(expected.length);
  }
  const { status, body } = await world.get(`/explorer/csv?${path}`, token);
  expect(status).toBe(200);
  const lines = Papa.parse<string[]>(body.replace(/^\uFEFF/, ""), { skipEmptyLines: true }).data.slice(6);
  expect(lines.length, `csv ${path}`).toBe(expected.length);
}

// If a list has very many sets, a few candidate members of a chunk are decided one by one.
test.each([4, 120])("filters work with many reasons in one list, through %d teams", async (teams) => {
  const world = await World.open(ownPlace);
  const records = mixed(teams);
  try {
    await world.import(records);
    const token = await world.token("o");
    const some: readonly Filters[] = [
      ...["organization", "direct", "team", "default", "team,default"].map((reason) => ({ reason })),
      ...["t0", "t1", "t3"].map((through) => ({ through })),
      ...["a", "ng", "nils", "de la", "la cru", "u07.", "mail", "o’n", "lima ana"].map((q) => ({ q })),
      { guests: "only", least: "edit" },
      { guests: "none", reason: "direct", sort: "id" },
      { q: "n", reason: "team", sort: "strongest" },
      { sort: "name" },
      { sort: "name", role: "read" },
      { sort: "name", least: "edit", guests: "none" },
      { sort: "name", q: "a" },
      { deleted: "only" },
      { deleted: "none", reason: "default" },
      { role: "review", guests: "only" },
    ];
    const { items } = await answer<LevelAnswer>(world, "/explorer/tree", token);
    expect(items.flatMap((node) => ("deletedAt" in node ? [node.id] : []))).toEqual(["s2", "s4"]);
    for (const [lists, names] of listsOf(factsOf(records, "o"))) {
      for (const list of lists.slice(0, 2)) {
        const rows = await rowsOf(world, `/explorer/access?${list}`, token);
        for (const filters of some) {
          if (Object.keys(filters).every((name) => names.includes(name))) {
            await check(world, token, list, rows, filters);
          }
        }
      }
    }
  } finally {
    await world.close();
  }
});

test("an unknown filter of a list and an unknown value are refused with a clear message", async () => {
  const world = await World.open(ownPlace);
  try {
    await world.import([
      { object: "organization", id: "o", title: "O" },
      { object: "user", id: "u", displayName: "U" },
      { object: "member", organization: "o", user: "u", role: "read" },
    ]);
    const token = await world.token("o");
    const refused = async (path: string) => {
      const { status, body } = await world.get(`/explorer/${path}`, token);
      return `${status} ${JSON.parse(body).error.message}`;
    };
    expect(await refused("access?list=members&reason=direct")).toBe(
      '400 This list has no parameter "reason"; accepted: list, role, guests, sort, q, since, revision, limit, page, from.',
    );
    expect(await refused("access?member=u&reason=luck")).toContain(
      "accepted: organization, direct, team, default, or several with commas between.",
    );
    expect(await refused("access?member=u&deleted=yes")).toContain("accepted: only, none.");
    expect(await refused("csv?list=members&sort=strongest")).toBe(
      '400 The parameter sort is "strongest"; accepted: id, name.',
    );
    expect(await refused("access?team=t&sort=id")).toContain("accepted: strongest, name.");
  } finally {
    await world.close();
  }
});
