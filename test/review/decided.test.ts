/** `rolebook review` agrees with a naive implementation after random changes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { follow, type Followed } from "../../src/review/decided/followed.ts";
import { type DecidedRow, pairOf } from "../../src/review/decided/row.ts";
import { changeHistory } from "../../src/store/revisions/past/history.ts";
import { sweep } from "../../src/store/writing/generation/sweep.ts";
import { scopeNamed, whereNamed, whereOf } from "../../src/operations/report-sheet.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { rolebook } from "../command.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { lastChange, rolesIn } from "../oracle/reviews/review.ts";
import { inWorld } from "../why/world.ts";
import { ownPlace, type World } from "../world.ts";
import { currentReading, decidedRows } from "./decided-rows.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);
/** The number of imports after the report. */
const STEPS = 3;
const folder = mkdtempSync(join(tmpdir(), "rolebook-review-"));
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const file = join(folder, "review.csv");

beforeAll(async () => {
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("of each row and of newcomers, after random changes, some of which are no longer kept", async () => {
  const outcomes = new Set<string>();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await fc.assert(
      fc.asyncProperty(
        histories({ maxPermissions: 30, minContents: 1, minMembers: 2, maxOrganizations: 2 }, STEPS),
        fc.boolean(),
        fc.constantFrom(0, 0, 1, 2, 3),
        async ([first = [], ...others], goesBack, dropped) => {
          const later = goesBack ? [...others, first] : others;
          await inWorld(ownPlace, async (world) => {
            const started = new Map<string, Started>();
            for (const [day, records] of [first, ...later].entries()) {
              vi.setSystemTime(START + day * DAY);
              await world.import(records);
              if (day === 0) {
                for (const id of organizationIds(first)) started.set(id, await startedOn(world, id));
              }
              for (const [id, { states }] of started) {
                const { at } = await currentReading(world, id);
                states.push([at.revision, rolesIn(factsOf(records, id))]);
              }
            }
            if (dropped > 0) await keepFrom(world, dropped, later.length + 1);
            for (const [id, { rows, states }] of started) {
              for (const row of await expectFollowed(world, id, rows, states, dropped)) outcomes.add(row);
            }
          });
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  } finally {
    vi.useRealTimers();
  }
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

const START = Date.parse("2026-01-01T12:00:00Z");
const DAY = 24 * 60 * 60_000;

/** Prunes all revisions that were replaced before a day, counted from the first import. */
async function keepFrom({ store: { engine } }: World, day: number, days: number): Promise<void> {
  vi.setSystemTime(START + days * DAY);
  const kept = (days - day) * DAY - DAY / 2;
  const never = () => {
    throw new Error("Nobody else imports.");
  };
  await engine.importing(async (staging) => {
    await changeHistory(engine, staging, kept);
    await sweep(staging, -1);
  }, never);
}

/** A revision with its roles. */
type State = [revision: number, roles: ReadonlyMap<string, string>];

interface Started {
  readonly rows: readonly DecidedRow[];
  /** As of each day, oldest first. */
  readonly states: State[];
}

async function startedOn(world: World, id: string): Promise<Started> {
  return { rows: await decidedRows(world, id), states: [] };
}

/** Follows a report to the current revision, and compares each row with the states. Returns the outcomes. */
async function expectFollowed(
  world: World,
  id: string,
  rows: readonly DecidedRow[],
  states: readonly State[],
  dropped: number,
): Promise<string[]> {
  const to = await currentReading(world, id);
  const revisions = states.map(([revision]) => revision);
  const kept = states.slice(dropped);
  const newcomers = { guests: false, where: {} };
  const decisions = { organization: id, revision: revisions[0] ?? 0, rows, newcomers };
  const review = await follow(to, decisions);
  const followed: Followed[] = [];
  for await (const some of review.rows) followed.push(...some);
  expect(review.from.revision).toBe(revisions[dropped]);
  const now = states.at(-1)?.[1] ?? new Map<string, string>();
  const expected = rows.map(({ content, user, role }) => {
    const is = now.get(pairOf(content, user)) ?? "";
    const outcome = is === "" ? "removed" : is === role ? "still there" : "changed";
    return { outcome, pair: pairOf(content, user), was: role, now: is };
  });
  const known = new Set(expected.map(({ pair }) => pair));
  for (const [pair, is] of now) {
    if (!known.has(pair)) expected.push({ outcome: "came", pair, was: "", now: is });
  }
  const told = followed.map(({ outcome, content, user, was, now, since }) =>
    [outcome, pairOf(content, user), was, now, since?.revision ?? 0].join(" | "),
  );
  expect(told.sort()).toEqual(
    expected
      .map(({ outcome, pair, was, now: is }) => {
        const any = outcome === "came" || outcome === "removed";
        const roles = kept.map(([, each]) => each);
        const place = lastChange(roles, pair, (role) => (any ? role !== undefined : role === is));
        return [outcome, pair, was, is, place === 0 ? 0 : kept[place]?.[0]].join(" | ");
      })
      .sort(),
  );
  for (const { since } of followed) {
    if (since !== undefined) expect(since.change).toMatch(new RegExp(` in revision ${since.revision}$`));
  }
  return followed.map(({ outcome, since }) =>
    outcome === "still there" && since !== undefined ? `${outcome}, given anew` : outcome,
  );
}

test("a decided file: decisions are counted, other words are warned about; another file is refused", async () => {
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

  const row = decided.split("\r\n").findIndex((line) => line.includes(",amara,")) + 1;
  expect(whole.stderr).not.toContain("accepted:");
  writeFileSync(file, decided.replace(",remove,left", ",Removed,left").replace(",keep,", ", KEEP ,"));
  const others = await rolebook(["review", file], environment);
  expect(others.stderr).toContain(
    `Row ${row} (space/salaries, amara): decision is "Removed"; accepted: keep, remove, ask or empty.\n`,
  );
  expect(others.stderr.match(/accepted/g)).toHaveLength(1);
  expect(others.stderr).toMatch(/\nReport of revision 1.* Decisions in other words: 1\.\n$/);

  const none = await rolebook(["review", "examples/people.csv"], environment);
  expect(none).toMatchObject({ status: 1, stdout: "" });
  expect(none.stderr).toMatch(/^examples\/people.csv is not a report of rolebook report with its head/);
});

test.each([
  [["--decision", "x"], 2, /^--decision is "x"; accepted: keep, remove, ask, other, open\.$/m],
  [["--outcome", "x"], 2, /^--outcome is "x"; accepted: removed, changed, still there, came\.$/m],
  [["--summary", "x.pdf", "--by", "A"], 2, /^--summary is "x\.pdf"; accepted: a name that ends in /],
  [["--summary", "x.html"], 2, /^--summary and --by NAME go together/],
  [["--changes", "x", "--at", "1"], 2, /^--changes is given with --at/],
  [["--changes", "/nowhere/x"], 1, /^\/nowhere\/x cannot be written: ENOENT\.$/m],
])("%j", async (options, status, message) => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout);
  const ran = await rolebook(["review", file, ...options], environment);
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(message);
});

test("a report of a later revision than the compared one is refused", async () => {
  const { stdout } = await rolebook(["report", "--space", "salaries"], environment);
  writeFileSync(file, stdout.replace("\r\nrevision,1\r\n", "\r\nrevision,9\r\n"));
  const { status, stderr } = await rolebook(["review", file], environment);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      "The report is of revision 9, but it is compared with revision 1 of organization acme; accepted: the same or a later one.\n",
  });
});

test("a review of a revision that is no longer kept says so, and lists outcomes without a time", async () => {
  const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "pruned.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], database)).toMatchObject({ status: 0 });
  const { stdout } = await rolebook(["report", "--space", "salaries"], database);
  writeFileSync(file, stdout.replace(/(,amara,.*),,\r\n/, "$1,remove,left\r\n"));
  const removals = join(folder, "removals.ndjson");
  expect(await rolebook(["review", file, "--changes", removals], database)).toMatchObject({ status: 0 });
  expect(await rolebook(["apply", removals], database)).toMatchObject({ status: 0 });
  const kept = await rolebook(["review", file, "--decision", "remove"], database);
  expect(kept.stdout).toContain(" was taken away in revision 2 (");
  expect(kept.stderr).not.toContain("no longer kept");

  const engine = await openEngine(database.ROLEBOOK_DATABASE_URL, () => {});
  try {
    await engine.importing(
      (staging) => changeHistory(engine, staging, 0),
      () => {},
    );
  } finally {
    await engine.close();
  }
  const pruned = await rolebook(["review", file, "--decision", "remove", "--format", "ndjson"], database);
  expect(pruned.stderr).toMatch(
    /^Revision 1 is no longer kept: changes before revision 2 \([-\dT:.]+Z\) are listed without a time\.\nSo the rows are compared only with the hash in the file itself\.\n/,
  );
  const summary = join(folder, "pruned.csv");
  expect(await rolebook(["review", file, "--summary", summary, "--by", "Ana"], database)).toMatchObject({
    status: 0,
  });
  expect(readFileSync(summary, "utf8")).toContain(
    'altered beyond the decisions,"no, by the hash in the file itself; revision 1 is no longer kept"',
  );
  const [row] = pruned.stdout.trimEnd().split("\n");
  expect(JSON.parse(row ?? "")).toMatchObject({ outcome: "removed", user: "amara", was: "admin", now: "" });
  expect(JSON.parse(row ?? "")).not.toHaveProperty("since");
});

test("newcomers on contents that are new in the report's scope are listed", async () => {
  const database = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "new.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], database)).toMatchObject({ status: 0 });
  const reports = ["--collection=partner", "--space=glossary"].map(async (scope) => [
    scope,
    (await rolebook(["report", "--guests", scope], database)).stdout,
  ]);
  const sheets = await Promise.all(reports);
  const change = join(folder, "new.ndjson");
  const date = "2026-01-01T00:00:00Z";
  const space = { object: "space", id: "new", organization: "acme", title: "New", parent: "partner" };
  const records = [
    { object: "changes", organization: "acme" },
    { ...space, createdAt: date, updatedAt: date },
  ];
  writeFileSync(
    change,
    [...records, { object: "end", records: 2 }].map((each) => JSON.stringify(each)).join("\n"),
  );
  expect(await rolebook(["apply", change], database)).toMatchObject({ status: 0 });
  for (const [scope, sheet] of sheets) {
    writeFileSync(file, sheet ?? "");
    const { stdout } = await rolebook(["review", file, "--outcome", "came", "--format", "csv"], database);
    const came = stdout.split("\r\n").flatMap((line) => /^came,space\/new,([^,]+),/.exec(line)?.[1] ?? []);
    expect([scope, came.length > 1]).toEqual([scope, scope === "--collection=partner"]);
  }
});

test.each([{}, { space: "a" }, { collection: "a and all that lies in it" }, { site: "space x" }])(
  "%j is parsed from its words",
  (scope) => {
    expect(whereNamed(whereOf(scope))).toMatchObject(scope);
    expect(scopeNamed([whereOf(scope), "user guests only", "role edit only"])).toMatchObject({
      ...scope,
      user: "guests",
      role: "edit",
    });
    expect(scopeNamed([whereOf(scope), "guests", "every role"])).toBe(undefined);
    expect(whereNamed(`${whereOf(scope)}\n`)).not.toEqual(whereNamed(whereOf(scope)));
  },
);
