/** Filtered lists of differences equal the whole lists without the excluded rows, on the page, in counts and in files. */
import Papa from "papaparse";
import { expect, test } from "vitest";
import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";
import { ownPlace, World } from "../../world.ts";
import { mixed } from "../page/mixed.ts";
import { answer, foundBy, nameOf, type Row, rowsOf } from "./found-by.ts";

interface Held {
  readonly role: string;
  readonly reason?: { readonly rule: string; readonly team?: { readonly id: string } };
  readonly because?: string;
}
interface DifferenceRow extends Row {
  readonly before?: Held | null;
  readonly after?: Held | null;
  readonly one?: Held | null;
  readonly other?: Held | null;
  readonly direction?: string;
  readonly differs?: boolean;
}
type Filters = Readonly<Record<string, string>>;

const PEOPLE: readonly Filters[] = [
  ...["a", "ng", "lima ana", "u07.", "nobody"].map((q) => ({ q })),
  { role: "edit" },
  { least: "review" },
  { reason: "direct" },
  { reason: "team,default", role: "edit" },
  { through: "t1" },
  { guests: "only" },
  { guests: "none", q: "n" },
];
const CHANGES: readonly Filters[] = [
  { change: "lost" },
  { change: "lowered,raised", reason: "organization" },
  { change: "gained", q: "b" },
  { role: "admin", least: "edit" },
];
const SPACES: readonly Filters[] = [
  { q: "nils" },
  { role: "edit" },
  { least: "edit", q: "s" },
  { deleted: "only" },
  { deleted: "none" },
];
const COMPARED: readonly Filters[] = [
  ...SPACES,
  { differs: "only" },
  { differs: "none", reason: "default" },
  { reason: "team,direct" },
  { through: "t0" },
];

/** A later state: half of a team leaves, a level closes, somebody becomes an admin, somebody leaves. */
function later(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  return records.flatMap((record) => {
    const { object, user, id, team }: { object: string; user?: string; id?: string; team?: string } = record;
    if (user === "u20" || (object === "user" && id === "u20")) return [];
    if (object === "teamMember" && team === "t1" && Number(user?.slice(1)) % 2 === 0) return [];
    if (object === "space" && id === "s1") return [{ ...record, defaultLevel: null } as SnapshotRecord];
    if (object === "member" && user === "u10") return [{ ...record, role: "admin" } as SnapshotRecord];
    return [record];
  });
}

/** The group of a reason: that of its rule, or of its words. */
function groupOf({ reason, because = "" }: Held): string {
  const rule = reason?.rule ?? because.split(" ")[0] ?? "";
  return rule === "admin" ? "organization" : rule;
}

/** Whether a row passes a filter: role and reason on the same side. */
function isKept(row: DifferenceRow, filters: Filters, isFound: boolean): boolean {
  const { role, least, reason, through, guests, deleted, change, differs, q } = filters;
  const ranked: readonly string[] = ROLES;
  const own = row.role == null ? [] : [{ ...row, role: row.role }];
  const sides = [row.before, row.after, row.one, row.other].flatMap((held) => held ?? []);
  const passes = (held: Held) =>
    (role === undefined || held.role === role) &&
    (least === undefined || ranked.indexOf(held.role) >= ranked.indexOf(least)) &&
    (reason === undefined || reason.split(",").includes(groupOf(held))) &&
    (through === undefined || held.reason?.team?.id === through);
  const space = row.space;
  return (
    ([role, least, reason, through].every((each) => each === undefined) || [...own, ...sides].some(passes)) &&
    (guests === undefined || (row.user?.guest === true) === (guests === "only")) &&
    (deleted === undefined || ["s2", "s4"].includes(space?.id ?? "") === (deleted === "only")) &&
    (change === undefined || change.split(",").includes(row.direction ?? "")) &&
    (differs === undefined || row.differs === (differs === "only")) &&
    (q === undefined || isFound)
  );
}

test("every filter of every list of differences selects the right rows", async () => {
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  const records = mixed(4);
  await world.import(records);
  await world.import(later(records));
  const token = await world.token("o");
  const between = "tab=changes&earlier=1&later=2";
  const lists: [list: string, filters: readonly Filters[]][] = [
    ["space=s1&tab=without&without=default@space/s1", [...PEOPLE, ...CHANGES]],
    ["space=s5&tab=without&without=team/t1", [...PEOPLE, ...CHANGES]],
    ["space=s0&tab=without&without=team/t0@collection/c", [...PEOPLE, ...CHANGES]],
    ["list=pairs&without=team/t0", [...PEOPLE, ...CHANGES]],
    ["list=contents&without=team/t0@collection/c", [{ q: "nils" }, { q: "zoë" }]],
    ["space=s5&tab=within&within=t1", PEOPLE],
    ["team=t0&tab=reach", SPACES],
    ["member=u01&tab=compare&with=u13", COMPARED],
    ["site=w&tab=compare&user=u01", COMPARED],
    ["site=w&tab=compare&user=u01&with=u00", COMPARED],
    [`space=s1&${between}`, [...PEOPLE.filter((each) => isOfChanges(each)), ...CHANGES]],
    [`collection=c&${between}`, [...PEOPLE.filter((each) => isOfChanges(each)), ...CHANGES]],
    [
      `member=u10&${between}`,
      [
        { q: "nils" },
        { role: "admin" },
        { least: "create" },
        { change: "raised" },
        { reason: "direct" },
        { reason: "direct", least: "review" },
        ...ROLES.map((role) => ({ role, least: "admin" })),
      ],
    ],
  ];
  let kept = 0;
  for (const [list, some] of lists) {
    const rows: readonly DifferenceRow[] = await rowsOf(world, `/explorer/access?${list}`, token);
    expect(rows.length, list).toBeGreaterThan(0);
    for (const [place, filters] of some.entries()) {
      const path = `${list}&${new URLSearchParams(filters).toString()}`;
      // The rows of a member's changes differ by content, so the text searches their titles.
      const subjects = list.startsWith("member=")
        ? rows.map((row): Row => (row.content === undefined ? row : { content: row.content }))
        : rows;
      const found = filters["q"] === undefined ? new Set<string>() : foundBy(filters["q"], subjects);
      const expected = rows.filter((row, at) => isKept(row, filters, found.has(nameOf(subjects[at] ?? row))));
      kept += expected.length;
      expect(await rowsOf(world, `/explorer/access?${path}`, token, [2, 3]), path).toEqual(expected);
      const { filtered } = await answer<{ filtered?: { total: number } }>(
        world,
        `/explorer/counts?${path}`,
        token,
      );
      expect(filtered?.total, path).toBe(expected.length);
      if (place % 4 > 0) continue;
      const { body } = await world.get(`/explorer/csv?${path}`, token);
      const lines = Papa.parse<string[]>(body, { skipEmptyLines: true }).data.slice(6);
      expect(lines.length, `csv ${path}`).toBe(expected.length);
    }
  }
  expect(kept).toBeGreaterThan(300);
});

function isOfChanges({ through, guests }: Filters): boolean {
  return through === undefined && guests !== "none";
}

test("all that differs, by direction and by text", async () => {
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  const records = mixed(4);
  await world.import(records);
  await world.import(later(records));
  const token = await world.token("o");
  const list = "/explorer/access?list=changes&earlier=1&later=2";
  interface Thing extends Row {
    readonly effect?: Readonly<Record<string, number>>;
  }
  const whole: readonly Thing[] = await rowsOf(world, list, token);
  const lost: readonly Thing[] = await rowsOf(world, `${list}&change=lost`, token);
  const contents = (things: readonly Thing[]) =>
    things.flatMap((row) => (row.content === undefined ? [] : [[nameOf(row), row.effect?.["lost"]]]));
  expect(contents(lost)).toEqual(contents(whole).filter(([, count]) => count !== 0));
  expect(lost.flatMap(({ effect }) => effect?.["raised"] ?? []).every((count) => count === 0)).toBe(true);
  expect(lost.flatMap(({ user }) => user?.id ?? [])).toEqual(["u20"]);
  for (const q of ["nils", "chloé", "nobody"]) {
    const some = await rowsOf(world, `${list}&q=${encodeURIComponent(q)}`, token, [1]);
    expect(some.map(nameOf)).toEqual(whole.map(nameOf).filter((name) => foundBy(q, whole).has(name)));
  }
  const { status, body } = await world.get(`${list}&guests=none`, token);
  expect([status, body]).toEqual([400, expect.stringContaining("lists of changes accept: only.")]);
});
