/** What became of a decided report after random changes is what a naive reading says. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { follow } from "../../src/review/decided/followed.ts";
import { type DecidedRow, pairOf } from "../../src/review/decided/row.ts";
import { rolebook } from "../command.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { lastChange, rolesIn } from "../oracle/review.ts";
import { inWorld } from "../why/world.ts";
import { ownPlace, type World } from "../world.ts";
import { currentReading, decidedRows } from "./decided-rows.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);
/** Imports after the report. */
const STEPS = 3;
const folder = mkdtempSync(join(tmpdir(), "rolebook-review-"));
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const file = join(folder, "review.csv");

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("of each row, and of who came since, after random changes", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      histories({ maxPermissions: 30, minContents: 1, minMembers: 2, maxOrganizations: 2 }, STEPS),
      fc.boolean(),
      async ([first = [], ...others], goesBack) => {
        const later = goesBack ? [...others, first] : others;
        await inWorld(ownPlace, async (world) => {
          await world.import(first);
          const started = new Map<string, Started>();
          for (const id of organizationIds(first)) started.set(id, await startedOn(world, id, first));
          for (const records of later) {
            await world.import(records);
            for (const [id, { states }] of started) {
              const { at } = await currentReading(world, id);
              states.set(at.revision, rolesIn(factsOf(records, id)));
            }
          }
          for (const [id, begun] of started) {
            for (const row of await expectFollowed(world, id, begun)) outcomes.add(row);
          }
        });
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  if (RUNS > 10) {
    expect([...outcomes].sort()).toEqual([
      "came",
      "changed",
      "removed",
      "still there",
      "still there, given anew",
    ]);
  }
});

interface Started {
  readonly rows: readonly DecidedRow[];
  /** The roles of each revision, oldest first. */
  readonly states: Map<number, ReadonlyMap<string, string>>;
}

async function startedOn(world: World, id: string, records: readonly SnapshotRecord[]): Promise<Started> {
  const { at } = await currentReading(world, id);
  const states = new Map([[at.revision, rolesIn(factsOf(records, id))]]);
  return { rows: await decidedRows(world, id), states };
}

/** Follows a report to now, and compares each row with the states. What they came to. */
async function expectFollowed(world: World, id: string, { rows, states }: Started): Promise<string[]> {
  const { store } = world;
  const to = await currentReading(world, id);
  const revisions = [...states.keys()];
  const decisions = { organization: id, revision: revisions[0] ?? 0, rows, newcomers: "everybody" as const };
  const followed = await follow(store.engine, to, (at) => store.reading(at), decisions);
  const now = [...states.values()].at(-1) ?? new Map<string, string>();
  const expected = rows.map(({ content, user, role }) => {
    const is = now.get(pairOf(content, user)) ?? "";
    const outcome = is === "" ? "removed" : is === role ? "still there" : "changed";
    return { outcome, pair: pairOf(content, user), was: role, now: is };
  });
  const contents = new Set(rows.map(({ content }) => content));
  const known = new Set(expected.map(({ pair }) => pair));
  for (const [pair, is] of now) {
    if (!known.has(pair) && [...contents].some((content) => pair.startsWith(`${content} `)))
      expected.push({ outcome: "came", pair, was: "", now: is });
  }
  const told = followed.rows.map(({ outcome, content, user, was, now, since }) =>
    [outcome, pairOf(content, user), was, now, since?.revision ?? 0].join(" | "),
  );
  expect(told.sort()).toEqual(
    expected
      .map(({ outcome, pair, was, now: is }) => {
        const any = outcome === "came" || outcome === "removed";
        const place = lastChange([...states.values()], pair, (role) =>
          any ? role !== undefined : role === is,
        );
        return [outcome, pair, was, is, place === 0 ? 0 : revisions[place]].join(" | ");
      })
      .sort(),
  );
  for (const { since } of followed.rows) {
    if (since !== undefined) expect(since.change).toMatch(new RegExp(` in revision ${since.revision}$`));
  }
  return followed.rows.map(({ outcome, since }) =>
    outcome === "still there" && since !== undefined ? `${outcome}, given anew` : outcome,
  );
}

test("a decided file: decisions are counted, and what else was changed in it is said", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  const decided = stdout
    .replace(/(,amara,.*),,\r\n/, "$1,remove,left\r\n")
    .replace(/(,ivo,.*),,\r\n/, "$1,keep,\r\n");
  expect(decided).not.toBe(stdout);
  writeFileSync(file, decided);
  const whole = await rolebook(["review", file], environment);
  expect(whole).toMatchObject({ status: 0 });
  expect(whole.stdout.split("\n")[0]).toMatch(
    /^outcome +content +user +decision +was +now +reason +since +comment$/,
  );
  expect(whole.stdout).toMatch(
    /^still there +space\/salaries +amara +remove +admin +admin +direct permission here +left$/m,
  );
  expect(whole.stderr).not.toContain("altered");
  expect(whole.stderr).toContain("remove: 1 still there");
  expect(whole.stderr).toContain("keep: 1 still there");

  writeFileSync(file, decided.replace(",admin,", ",read,"));
  const altered = await rolebook(["review", file, "--format", "csv"], environment);
  expect(altered.stderr).toContain(
    "The report was altered beyond the decisions: cells other than decision and comment are not what they were.\n",
  );
  writeFileSync(file, decided.split("\r\n").slice(0, -2).join("\r\n"));
  expect((await rolebook(["review", file], environment)).stderr).toMatch(
    /altered.*the head tells \d+ rows, and there are/,
  );
  const none = await rolebook(["review", "examples/people.csv"], environment);
  expect(none).toMatchObject({ status: 1, stdout: "" });
  expect(none.stderr).toMatch(/^examples\/people.csv is no report of rolebook report with its head/);
});

test.each([
  [["--decision", "x"], 2, /^--decision is "x"; accepted: keep, remove, ask, other, open\.$/m],
  [["--outcome", "x"], 2, /^--outcome is "x"; accepted: removed, changed, still there, came\.$/m],
  [["--summary", "x.pdf", "--by", "A"], 2, /^--summary is "x\.pdf"; accepted: a name that ends in /],
  [["--summary", "x.html"], 2, /^--summary and --by NAME go together/],
  [["--changes", "x", "--at", "1"], 2, /^--changes stands beside --at/],
  [["--changes", "/nowhere/x"], 1, /^\/nowhere\/x cannot be written: ENOENT\.$/m],
])("%j", async (options, status, message) => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout);
  const ran = await rolebook(["review", file, ...options], environment);
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(message);
});

test("a report of a later revision than what is looked at is refused", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout.replace("\r\nrevision,1\r\n", "\r\nrevision,9\r\n"));
  const { status, stderr } = await rolebook(["review", file], environment);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      "The report is of revision 9, and what is looked at is revision 1 of organization acme; accepted: the same or a later one.\n",
  });
});
