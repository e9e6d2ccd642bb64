/** The summary of `rolebook diff` tells what newcomers got, as the explorer's changes do; both equal the oracle's. */
import * as fc from "fast-check";
import Papa from "papaparse";
import { beforeAll, expect, test } from "vitest";
import { acme } from "../../examples/acme.ts";
import { rolebook } from "../../command.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import { ROLES, type Role, type SnapshotRecord } from "../../oracle/records.ts";
import { type ContentLine, lineOf, type PersonLine, summaryOf } from "../../oracle/summary.ts";
import { ownPlace, World } from "../../world.ts";
import { inWorld } from "../../store/why.ts";
import { holds } from "../../setup/property.ts";
import { drawUntil } from "../../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 6);
const SIZES = {
  maxOrganizations: 1,
  minMembers: 3,
  maxMembers: 8,
  minContents: 3,
  maxContents: 8,
  minPermissions: 8,
};

/** A person or a content, as NDJSON and the explorer tell it. */
interface Told {
  readonly user?: { readonly id: string };
  readonly content?: { readonly kind: string; readonly id: string };
  readonly contents?: number;
}
interface ToldByCommand extends Told, Partial<Omit<ContentLine, "content">> {
  readonly before?: Role | null;
  readonly after?: Role | null;
  readonly had?: Partial<Record<Role, number>>;
  readonly has?: Partial<Record<Role, number>>;
}
interface RolesThen {
  readonly role: Role | null;
  readonly contents: Readonly<Record<Role, number>>;
}
interface ToldByExplorer extends Told {
  readonly had?: RolesThen;
  readonly has?: RolesThen;
  readonly effect?: Omit<ContentLine, "content">;
}

test("of random histories, the command and the explorer tell each person's roles and count newcomers as the oracle does", async () => {
  const told = { people: 0, newcomers: 0 };
  const property = fc.asyncProperty(
    histories(SIZES, 2),
    fc.constantFrom(undefined, ...ROLES),
    async (history, least) => {
      await inWorld(ownPlace, async (world) => {
        const states = await imported(world, history);
        for (const [index, from] of states.entries()) {
          const to = states.at(index + 1 - states.length);
          if (to === undefined || to.revision === from.revision) continue;
          const { people, contents } = summaryOf(from.facts, to.facts, least);
          told.people += people.length;
          told.newcomers += people.filter(({ before }) => before === undefined).length;
          await compareCommand(world, from, to, least, people, contents);
          if (from.revision < to.revision) await compareExplorer(world, from, to, least, people, contents);
        }
      });
    },
  );
  await drawUntil(
    () => RUNS <= 4 || Math.min(told.people, told.newcomers) > 0,
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});

interface State {
  readonly revision: number;
  readonly facts: Facts;
}

async function imported(world: World, history: readonly (readonly SnapshotRecord[])[]): Promise<State[]> {
  const states: State[] = [];
  for (const records of history) {
    await world.import(records);
    const [id = ""] = organizationIds(records);
    const { current } = (await world.store.registry.organization(id)) ?? {};
    if (current === undefined || states.at(-1)?.revision === current.revision) continue;
    states.push({ revision: current.revision, facts: factsOf(records, id) });
  }
  return states;
}

async function compareCommand(
  world: World,
  from: State,
  to: State,
  least: Role | undefined,
  people: readonly PersonLine[],
  contents: readonly ContentLine[],
): Promise<void> {
  const diff = async (...more: string[]) => {
    const between = [
      "--organization",
      to.facts.organization,
      "--from",
      `${from.revision}`,
      "--to",
      `${to.revision}`,
    ];
    const narrowed = least === undefined ? [] : ["--least", least];
    const ran = await rolebook(["diff", ...between, ...narrowed, ...more], {
      ROLEBOOK_DATABASE_URL: world.url,
    });
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    return ran;
  };
  const rows = linesOf<ToldByCommand>((await diff("--format", "ndjson")).stdout);
  expect(
    rows.flatMap(({ user, contents = 0, before, after, had, has }) =>
      user === undefined
        ? []
        : [
            {
              user: user.id,
              contents,
              before: before === undefined ? undefined : { role: before, on: had },
              after: after === undefined ? undefined : { role: after, on: has },
            },
          ],
    ),
  ).toEqual(people);
  for (const { had = {}, has = {} } of rows) {
    for (const roles of [had, has])
      expect(Object.keys(roles)).toEqual(ROLES.toReversed().filter((role) => role in roles));
  }
  expect(
    rows.flatMap(({ content, lost, lowered, raised, gained }) =>
      content === undefined
        ? []
        : [{ content: `${content.kind}/${content.id}`, lost, lowered, raised, gained }],
    ),
  ).toEqual(contents);

  const { data } = Papa.parse<string[]>((await diff("--format", "csv", "--no-head")).stdout, {
    skipEmptyLines: true,
  });
  expect(data.slice(1, 1 + people.length).map((cells) => cells.slice(5, 8))).toEqual(
    people.map(({ before, after, contents: on }) => [lineOf(before, on), lineOf(after, on), String(on)]),
  );

  // The pairs are counted before, and none of them twice.
  const { stdout, stderr } = await diff("--pairs", "--format", "ndjson");
  expect(stderr).toContain(`The pairs are ${linesOf(stdout).length} rows.\n`);
}

async function compareExplorer(
  world: World,
  from: State,
  to: State,
  least: Role | undefined,
  people: readonly PersonLine[],
  contents: readonly ContentLine[],
): Promise<void> {
  const token = await world.token(to.facts.organization);
  const query = `list=changes&earlier=${from.revision}&later=${to.revision}${least === undefined ? "" : `&least=${least}`}`;
  const rows = (await world.walk(`/explorer/access?${query}`, token, [2, 3])).map((row): ToldByExplorer =>
    Object(row),
  );
  const side = (then: RolesThen | undefined) =>
    then && {
      role: then.role,
      on: Object.fromEntries(Object.entries(then.contents).filter(([, count]) => count > 0)),
    };
  expect(
    rows.flatMap(({ user, contents = 0, had, has }) =>
      user === undefined ? [] : [{ user: user.id, contents, before: side(had), after: side(has) }],
    ),
  ).toEqual(people);
  expect(
    rows.flatMap(({ content, effect }) =>
      content === undefined ? [] : [{ content: `${content.kind}/${content.id}`, ...effect }],
    ),
  ).toEqual(contents);
  const { body } = await world.get(`/explorer/csv?${query}`, token);
  const [columns = [], ...cells] = Papa.parse<string[]>(body, { skipEmptyLines: true }).data.slice(5);
  const at = ["before", "after"].map((name) => columns.indexOf(name));
  expect(cells.slice(0, people.length).map((row) => at.map((index) => row[index]))).toEqual(
    people.map(({ before, after, contents: on }) => [lineOf(before, on), lineOf(after, on)]),
  );
}

function linesOf<Row>(stdout: string): Row[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Row => JSON.parse(line));
}

// Nora joins with two teams, Otto with none.
const GIVEN: readonly SnapshotRecord[] = [
  {
    object: "team",
    id: "admins",
    organization: "acme",
    title: "Admins",
    createdAt: "2026-01-01T00:00:00.000Z",
  },
  { object: "permission", collection: "developer-docs", team: "admins", permission: "admin" },
];
const CAME: readonly SnapshotRecord[] = [
  { object: "user", id: "nora", displayName: "Nora" },
  { object: "user", id: "otto", displayName: "Otto" },
  { object: "member", organization: "acme", user: "nora", role: "read" },
  { object: "member", organization: "acme", user: "otto", role: "read" },
  { object: "teamMember", team: "admins", user: "nora", role: "member" },
  { object: "teamMember", team: "admins", user: "nils", role: "member" },
  { object: "teamMember", team: "writers", user: "nora", role: "member" },
];
/** Nils joins a team of Nora's too, but has a line of his own: he is no newcomer. */
const promoted = (record: SnapshotRecord): SnapshotRecord =>
  record.object === "member" && record.user === "nils" ? { ...record, role: "create" } : record;
let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import([...acme, ...GIVEN]);
  await world.import([...acme.map(promoted), ...GIVEN, ...CAME]);
  return () => world.close();
});

const diff = (...args: string[]) =>
  rolebook(["diff", "--from", "1", ...args], { ROLEBOOK_DATABASE_URL: world.url });

test("a newcomer's line tells each role beyond the organization role, and the contents count the newcomer there", async () => {
  const { stdout } = await diff();
  expect(stdout).toMatch(
    /^nora +Nora +came +read; admin on 7, edit on 2, comment on 2 of 18 +Nora came with role read in revision 2$/m,
  );
  expect(stdout).toMatch(
    /^otto +Otto +came +read; create on 1, comment on 2 of 18 +Otto came with role read in revision 2$/m,
  );
  // Where Otto has what a default level gives, no content counts him: Nora is the one.
  expect(stdout).toMatch(/^space\/glossary +Glossary +1 +0 +0 +0 +Nora joined team Writers in revision 2$/m);
  expect(stdout.match(/^(?:space|collection)\/.* Nora joined team \w+ in revision 2$/gm)).toHaveLength(10);
});

test("with a least role, what reaches it on neither side is left out, in each format", async () => {
  const whole = (await diff("--pairs", "--format", "ndjson")).stdout;
  const { stdout } = await diff("--least", "edit", "--pairs", "--format", "ndjson");
  const strong = linesOf<{ before: { role: Role } | null; after: { role: Role } | null }>(whole).filter(
    (row) =>
      [row.before, row.after].some(
        (held) => held !== null && ROLES.indexOf(held.role) >= ROLES.indexOf("edit"),
      ),
  );
  expect(linesOf(stdout)).toEqual(strong);
  const table = (await diff("--least", "admin")).stdout;
  expect(table).toMatch(/^nora +Nora +came +read; admin on 7 of 7 /m);
  expect(table).not.toContain("otto");
  const csv = (await diff("--least", "edit", "--format", "csv")).stdout;
  expect(csv).toContain(",from or to role edit or stronger,every change,");
  expect(await diff("--least", "edit", "--role", "read")).toMatchObject({
    status: 2,
    stderr: "--role and --least are both given; accepted: one of them.\n",
  });
  expect(await diff("--least", "owner")).toMatchObject({
    status: 2,
    stderr: '--least is "owner"; accepted: read, comment, edit, review, create, admin.\n',
  });
});

test("the changes because of a team count newcomers in it, and list the same people", async () => {
  const token = await world.token("acme");
  const between = "tab=changes&earlier=1&later=2";
  const rows = (await world.walk(`/explorer/access?team=admins&${between}`, token)).map(
    (row): ToldByExplorer => Object(row),
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { content, effect } of rows) {
    const people = await world.walk(
      `/explorer/access?${content?.kind}=${content?.id}&${between}&through=admins`,
      token,
    );
    expect(people.map((row): Told => Object(row)).map(({ user }) => user?.id)).toEqual(["nora"]);
    expect(effect).toEqual({ lost: 0, lowered: 0, raised: 0, gained: 1 });
  }
});
