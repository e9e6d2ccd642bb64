/** Whatever happens to an organization, its model in memory is the one that a load gives, array by array. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { forgetUser } from "../../src/store/rows/forget.ts";
import { changeHistory } from "../../src/store/revisions/history.ts";
import type { Reader } from "../../src/store/engine/engine.ts";
import { modelOf, Models } from "../../src/store/models.ts";
import { Reading, type Revision } from "../../src/store/reading.ts";
import { Store } from "../../src/store/store.ts";
import { sweep } from "../../src/store/rows/prune.ts";
import { CommandError } from "../../src/domain/error.ts";
import { acme } from "../examples/acme.ts";
import { expectEqual } from "../model/expect-equal.ts";
import { organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { stopClock } from "../setup/clock.ts";
import { type OpenPlace, World } from "../world.ts";
import { never } from "./writing/imports.ts";
import { holds } from "../setup/property.ts";
import { drawUntil } from "../setup/seed.ts";

/** What happens to the organizations, and what is asked of them; numbers choose among what there is. */
type Event =
  | { readonly does: "import"; readonly state: number; readonly isChange: boolean }
  | { readonly does: "forget"; readonly user: number }
  | { readonly does: "prune"; readonly kept: number }
  | { readonly does: "tidy"; readonly minutes: number }
  | { readonly does: "nothing" };

interface Step {
  readonly event: Event;
  /** The revisions that are asked for at the same time. */
  readonly asked: readonly number[];
}

const DAY = 24 * 60 * 60_000;
const STATES = 5;

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: importing(fc.constant(true)) },
  importing(fc.boolean()),
  fc.record({ does: fc.constant("forget" as const), user: fc.nat(20) }),
  fc.record({ does: fc.constant("prune" as const), kept: fc.nat(4) }),
  fc.record({ does: fc.constant("tidy" as const), minutes: fc.nat(2) }),
  fc.constant({ does: "nothing" as const }),
);
const steps = fc.array(fc.record({ event, asked: fc.array(fc.nat(20), { maxLength: 3 }) }), {
  minLength: 4,
  maxLength: 14,
});
/** Nothing is kept, a few models are, or all. */
const budget = fc.constantFrom(0, 20_000, 1e9);

function importing(isChange: fc.Arbitrary<boolean>): fc.Arbitrary<Event> {
  return fc.record({ does: fc.constant("import" as const), state: fc.nat(STATES - 1), isChange });
}

/**
 * `runs` random chains of imports, changes, requests of any revision, forgetting, pruning and evictions; and a pruning or a
 * forgetting at each step of making a model, or at some if `isWhole` is false.
 */
export function exerciseFollowing(open: OpenPlace, runs: number, isWhole: boolean): void {
  test("after any chain of events, the model of each revision is the one that is loaded", async () => {
    const made = { loads: 0, follows: 0 };
    const letTimePass = stopClock(Date.parse("2026-01-01T12:00:00Z"));
    const property = fc.asyncProperty(
      histories({ maxOrganizations: 2, minMembers: 2 }, STATES - 1),
      steps,
      budget,
      async (states, chain, bytes) => {
        const world = await World.open(open);
        try {
          const { loads, follows } = await follow(world, states, chain, bytes, letTimePass);
          made.loads += loads;
          made.follows += follows;
        } finally {
          await world.close();
        }
      },
    );
    await drawUntil(
      // A few chains may have none.
      () => made.loads > 0 && (!isWhole || made.follows > 0),
      (seed) => holds(property, { numRuns: runs, seed }),
    );
  });

  for (const [what, does] of [
    ["a pruning", prune],
    ["a pruning whose rows stay", (world: World) => prune(world, 0, 60_000)],
    ["a forgetting", forgetAna],
  ] as const) {
    test.each([
      ["a load", 1, undefined],
      ["following", 2, 1],
      ["a rolling back", 1, 2],
    ])(`${what} at any step of %s`, async (_, wanted, near) => {
      for (let at = 0, isPast = false; !isPast; at += isWhole ? 1 : 5) {
        const world = await World.open(open);
        try {
          isPast = await whileMade(world, () => does(world), at, wanted, near);
        } finally {
          await world.close();
        }
      }
    });
  }

  /** Asks for a revision with another one in memory; returns whether that takes fewer reads than `step`, at which something happens. */
  async function whileMade(
    world: World,
    happens: () => Promise<void>,
    step: number,
    wanted: number,
    near: number | undefined,
  ): Promise<boolean> {
    const isWhole = () => false;
    for (const records of [acme, withoutAna])
      await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
    const warnings: string[] = [];
    const models = new Models({ warn: (each) => warnings.push(each) });
    const store = new Store(world.store.engine, undefined, models);
    const at = await revisionOf(store, "acme", 2 - wanted);
    const other = near === undefined ? undefined : await revisionOf(store, "acme", 2 - near);
    if (at === undefined) throw new Error(`There is no revision ${wanted}.`);
    if (other !== undefined) await modelOf(store.reading(other));
    let reads = 0;
    const read: Reader["read"] = async (...asked) => {
      if (reads++ === step) await happens();
      return store.engine.read(...asked);
    };
    const [outcome] = await Promise.allSettled([modelOf(store.reading(at, readerOf(store, read)))]);
    const isPast = reads <= step;
    const now = await store.registry.organization("acme");
    if (wanted < (now?.earliest ?? 0)) {
      const reason = { message: "This revision was just deleted; try again." };
      expect(outcome).toMatchObject({ status: "rejected", reason });
    } else {
      if (outcome.status === "rejected") throw outcome.reason;
      const erasures = now?.current.erasures ?? 0;
      expectEqual(outcome.value, await modelOf(new Reading(store.engine, { ...at, erasures })));
      if (isPast) expect([models.loads, models.follows]).toEqual([1, Number(near !== undefined)]);
    }
    expect(warnings).toEqual([]);
    return isPast;
  }
}

function readerOf({ engine }: Store, read: Reader["read"]): Reader {
  const { dialect, remote, history } = engine;
  return { dialect, remote, history, read, stream: (...asked) => engine.stream(...asked) };
}

const withoutAna = acme.filter(
  (record) =>
    !("user" in record && record.user === "ana") && !(record.object === "user" && record.id === "ana"),
);

async function forgetAna({ store }: World): Promise<void> {
  await forgetUser(store.engine, "acme", "ana", never);
}

async function prune({ store: { engine } }: World, kept = 0, grace = -1): Promise<void> {
  await engine.importing(async (staging) => {
    await changeHistory(engine, staging, kept);
    await sweep(staging, grace);
  }, never);
}

async function follow(
  world: World,
  states: readonly (readonly SnapshotRecord[])[],
  chain: readonly Step[],
  bytes: number,
  letTimePass: (milliseconds: number) => void,
): Promise<{ readonly loads: number; readonly follows: number }> {
  const ids = organizationIds(states[0] ?? []);
  let minutes = 0;
  const warnings: string[] = [];
  const models = new Models({ bytes, warn: (each) => warnings.push(each), now: () => minutes * 60_000 });
  const { engine } = world.store;
  const store = new Store(engine, undefined, models);
  const users = states.flatMap((records) =>
    records.flatMap((each) => (each.object === "user" ? [each.id] : [])),
  );
  const happens = async (event: Event) => {
    switch (event.does) {
      case "import": {
        const isWhole = () => !event.isChange;
        letTimePass(DAY);
        await world.import(states[event.state] ?? [], { allowRemovals: true, allowEmpty: true, isWhole });
        return;
      }
      case "forget":
        for (const id of ids)
          await forgetUser(engine, id, users[event.user % users.length] ?? "", never).catch(refused);
        return;
      case "prune":
        await prune(world, event.kept * DAY + DAY / 2);
        return;
      case "tidy":
        minutes += event.minutes;
        await models.forget(engine);
        return;
      case "nothing":
        return;
    }
  };
  await happens({ does: "import", state: 0, isChange: false });
  for (const { event, asked } of chain) {
    const wanted = await Promise.all(
      asked.map(async (number) => revisionOf(store, ids[number % ids.length] ?? "", number)),
    );
    const before = await Promise.all(wanted.map((at) => at && modelOf(new Reading(engine, at))));
    const [, ...found] = await Promise.all([
      happens(event),
      ...wanted.map((at) => at && modelOf(store.reading(at)).catch((error: unknown) => String(error))),
    ]);
    for (const [index, model] of found.entries()) {
      const [at, expected] = [wanted[index], before[index]];
      if (at === undefined || expected === undefined) continue;
      if (typeof model === "string" || model === undefined) {
        // An import deletes what is beyond the history, too.
        expect(["import", "prune"]).toContain(event.does);
        expect(model).toContain("This revision was just deleted");
        continue;
      }
      const isForgotten = event.does === "forget" && model.members.profiles !== expected.members.profiles;
      // Whoever asks while a person is forgotten may get either.
      try {
        expectEqual(model, expected);
      } catch (error) {
        if (!isForgotten) throw error;
        expectEqual(model, await modelOf(new Reading(engine, at)));
      }
    }
  }
  expect(models.bytes).toBeLessThanOrEqual(bytes);
  expect(warnings.filter((each) => !each.includes("ROLEBOOK_MEMORY"))).toEqual([]);
  return models;
}

/** A revision of an organization that can be read; `undefined` if there is none with this choice. */
async function revisionOf({ registry }: Store, id: string, choice: number): Promise<Revision | undefined> {
  const organization = await registry.organization(id);
  if (organization === undefined) return undefined;
  const { current, earliest } = organization;
  const number = current.revision - (choice % (current.revision - earliest + 1));
  return number === current.revision ? current : registry.past.byNumber(organization, number);
}

function refused(error: unknown): void {
  if (!(error instanceof CommandError)) throw error;
}
