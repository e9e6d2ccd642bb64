/** The outcomes of `rolebook review` agree with a naive implementation after random changes. */
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ROLES, type Role } from "../../src/domain/role.ts";
import { follow, type Followed } from "../../src/review/outcomes.ts";
import { type DecidedRow, pairOf } from "../../src/review/decided-report.ts";
import { changeHistory } from "../../src/store/revisions/history.ts";
import { sweep } from "../../src/store/rows/prune.ts";
import { factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { isLeft, lastChange, outcomeOf, rolesIn } from "../oracle/reviews/review.ts";
import { inWorld } from "../store/why.ts";
import { ownPlace, type World } from "../world.ts";
import { currentReading, decidedRows } from "./decided-rows.ts";
import { drawUntil } from "../setup/seed.ts";
import { holds } from "../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);
/** The number of imports after the report. */
const STEPS = 3;

test("of each row and of newcomers, after random changes, some of which are no longer kept", async () => {
  const outcomes = new Set<string>();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const property = () =>
      fc.asyncProperty(
        histories({ maxPermissions: 30, minContents: 1, minMembers: 2, maxOrganizations: 2 }, STEPS),
        fc.boolean(),
        fc.constantFrom(0, 0, 1, 2, 3),
        fc.constantFrom<Role | undefined>(undefined, ...ROLES),
        async ([first = [], ...others], goesBack, dropped, least) => {
          const later = goesBack ? [...others, first] : others;
          await inWorld(ownPlace, async (world) => {
            const started = new Map<string, Started>();
            for (const [day, records] of [first, ...later].entries()) {
              vi.setSystemTime(START + day * DAY);
              await world.import(records);
              if (day === 0) {
                for (const id of organizationIds(first)) started.set(id, await startedOn(world, id, least));
              }
              for (const [id, { states }] of started) {
                const { at } = await currentReading(world, id);
                states.push([at.revision, rolesIn(factsOf(records, id))]);
              }
            }
            if (dropped > 0) await keepFrom(world, dropped, later.length + 1);
            for (const [id, { rows, states }] of started) {
              for (const row of await expectFollowed(world, id, rows, states, { dropped, least }))
                outcomes.add(row);
            }
          });
        },
      );
    await drawUntil(
      () => RUNS < 10 || outcomes.size === 6,
      (seed) => holds(property(), { numRuns: RUNS, seed }),
    );
  } finally {
    vi.useRealTimers();
  }
  if (RUNS > 10) {
    expect([...outcomes].sort()).toEqual([
      "below",
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

async function startedOn(world: World, id: string, least: Role | undefined): Promise<Started> {
  return { rows: await decidedRows(world, id, least), states: [] };
}

/** Follows a report to the current revision, and compares each row with the states. Returns the outcomes. */
async function expectFollowed(
  world: World,
  id: string,
  rows: readonly DecidedRow[],
  states: readonly State[],
  { dropped, least }: { readonly dropped: number; readonly least: Role | undefined },
): Promise<string[]> {
  const to = await currentReading(world, id);
  const revisions = states.map(([revision]) => revision);
  const kept = states.slice(dropped);
  const newcomers = { scope: { least }, where: {} };
  const decisions = { organization: id, revision: revisions[0] ?? 0, rows, newcomers, weakest: least };
  const review = await follow(to, decisions);
  const followed: Followed[] = [];
  for await (const some of review.rows) followed.push(...some);
  expect(review.from.revision).toBe(revisions[dropped]);
  const now = states.at(-1)?.[1] ?? new Map<string, string>();
  const expected = rows.map(({ content, user, role }) => {
    const is = now.get(pairOf(content, user));
    const outcome = outcomeOf(role, is, least);
    return { outcome, pair: pairOf(content, user), was: role, now: is ?? "" };
  });
  const known = new Set(expected.map(({ pair }) => pair));
  for (const [pair, is] of now) {
    if (!known.has(pair) && isLeft(is, least)) expected.push({ outcome: "came", pair, was: "", now: is });
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
