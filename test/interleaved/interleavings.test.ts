/**
 * Random organizations through any interleaving of imports, changes, requests, walks, evictions, forgetting and pruning:
 * each page of a list is the oracle's, at the revision that its answer names. Every read of the server and every step of
 * the writer waits for its turn, so a seed replays an interleaving, however long anything takes.
 */
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CommandError } from "../../src/domain/error.ts";
import { buildApp } from "../../src/http/app.ts";
import { importFiles } from "../../src/snapshot/import.ts";
import type { Engine, Staging } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { Models } from "../../src/store/models.ts";
import { forgetUser } from "../../src/store/rows/forget.ts";
import { changeHistory } from "../../src/store/revisions/history.ts";
import { Store } from "../../src/store/store.ts";
import { createToken } from "../../src/store/tokens.ts";
import { sweep } from "../../src/store/rows/prune.ts";
import { organizationIds } from "../oracle/facts.ts";
import { type Listing, type Oracle, oracle } from "../oracle/oracle.ts";
import { histories } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { toLines } from "../oracle/records.ts";
import { Turns } from "./turns.ts";
import { stopClock } from "../setup/clock.ts";
import { PUBLIC_URL, serviceOf, sqlitePlace, World } from "../world.ts";
import { replaced } from "../store/engine/statements/replaced.ts";
import { never } from "../store/writing/imports.ts";
import { holds } from "../setup/property.ts";
import { drawUntil } from "../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
const DAY = 24 * 60 * 60_000;
const STATES = 4;

/** What the writer does; numbers choose among what there is. */
type Event =
  | { readonly does: "import"; readonly state: number; readonly isChange: boolean }
  | { readonly does: "forget"; readonly user: number }
  | { readonly does: "prune"; readonly kept: number }
  | { readonly does: "evict" };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("import" as const),
      state: fc.nat(STATES - 1),
      isChange: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant("forget" as const), user: fc.nat(20) }),
  fc.record({ does: fc.constant("prune" as const), kept: fc.nat(3) }),
  fc.constant({ does: "evict" as const }),
);

/** Somebody who walks one list after the other. */
interface Walker {
  readonly listings: readonly number[];
  readonly limit: number;
  /** Whether the lists are asked as of the revision that is current when the walk begins. */
  readonly isDated: boolean;
}

const walker: fc.Arbitrary<Walker> = fc.record({
  listings: fc.array(fc.nat(1000), { minLength: 4, maxLength: 20 }),
  limit: fc.integer({ min: 1, max: 3 }),
  isDated: fc.boolean(),
});

test("whatever goes on at the same time, each page is the oracle's at the revision that it names", async () => {
  const letTimePass = stopClock(Date.parse("2026-01-01T12:00:00Z"));
  const met = { pages: 0, replaced: 0, gone: 0 };
  const property = fc.asyncProperty(
    histories({ maxOrganizations: 1, minMembers: 2, minContents: 2 }, STATES - 1),
    fc.array(event, { minLength: 2, maxLength: 6 }),
    fc.array(walker, { minLength: 1, maxLength: 3 }),
    // Nothing is kept, a few models are, or all.
    fc.constantFrom(0, 20_000, 1e9),
    fc.array(fc.nat(), { minLength: 20, maxLength: 200 }),
    async (states, events, walkers, bytes, choices) => {
      const run = await Run.begin(states, bytes, new Turns(choices), letTimePass, met);
      try {
        await run.together(events, walkers);
      } finally {
        await run.close();
      }
    },
  );
  await drawUntil(
    // A few runs may meet nothing that was replaced or is gone.
    () => met.pages > 0 && (RUNS < 100 || Math.min(met.replaced, met.gone) > 0),
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});

/** What the walkers met, so that a run in which nothing happens is noticed. */
interface Met {
  pages: number;
  /** Pages of a revision that was not the current one any more. */
  replaced: number;
  /** Answers that said that something is gone. */
  gone: number;
}

/** One database with a server and a writer, each with an engine of its own. */
class Run {
  readonly #world: World;
  readonly #serving: Engine;
  readonly #writing: Engine;
  readonly #store: Store;
  readonly #app: ReturnType<typeof buildApp>;
  readonly #states: readonly (readonly SnapshotRecord[])[];
  readonly #turns: Turns;
  readonly #letTimePass: (milliseconds: number) => void;
  readonly #oracles = new Map<number, Oracle>();
  readonly #id: string;
  readonly #met: Met;
  #token = "";

  private constructor(
    world: World,
    engines: { readonly serving: Engine; readonly writing: Engine },
    states: readonly (readonly SnapshotRecord[])[],
    bytes: number,
    turns: Turns,
    letTimePass: (milliseconds: number) => void,
    met: Met,
  ) {
    this.#met = met;
    this.#world = world;
    this.#states = states;
    this.#turns = turns;
    this.#letTimePass = letTimePass;
    this.#id = organizationIds(states[0] ?? [])[0] ?? "";
    const read: Engine["read"] = (...asked) => turns.ofServer().then(() => engines.serving.read(...asked));
    this.#serving = engines.serving;
    this.#writing = engines.writing;
    this.#store = new Store(replaced(engines.serving, { read }), 8 << 20, new Models({ bytes }));
    this.#app = buildApp(serviceOf(this.#store), false);
  }

  static async begin(
    states: readonly (readonly SnapshotRecord[])[],
    bytes: number,
    turns: Turns,
    letTimePass: (milliseconds: number) => void,
    met: Met,
  ): Promise<Run> {
    const world = await World.open(sqlitePlace);
    const engines = { serving: await openEngine(world.url), writing: await openEngine(world.url) };
    const run = new Run(world, engines, states, bytes, turns, letTimePass, met);
    await run.#import(0, false, engines.writing);
    run.#token = await createToken(world.store, { organization: run.#id, member: undefined, name: "test" });
    return run;
  }

  async together(events: readonly Event[], walkers: readonly Walker[]): Promise<void> {
    const writing = inTurns(this.#writing, this.#turns);
    const write = async () => {
      for (const each of events) await this.#happens(each, writing);
    };
    await this.#turns.run(
      write,
      walkers.map((each) => () => this.#walks(each)),
    );
  }

  async #happens(event: Event, engine: Engine): Promise<void> {
    switch (event.does) {
      case "import":
        return this.#import(event.state, event.isChange, engine);
      case "forget": {
        const users = this.#states.flat().flatMap((each) => (each.object === "user" ? [each.id] : []));
        await forgetUser(engine, this.#id, users[event.user % users.length] ?? "", never).catch(refused);
        return;
      }
      case "prune":
        return engine.importing(async (staging) => {
          await changeHistory(engine, staging, event.kept * DAY + DAY / 2);
          await sweep(staging, -1);
        }, never);
      case "evict":
        await this.#store.models.forget(this.#serving);
    }
  }

  async #import(state: number, isChange: boolean, engine: Engine): Promise<void> {
    const records = this.#states[state] ?? [];
    this.#letTimePass(DAY);
    const file = this.#world.file(toLines(records), `${state}.ndjson`);
    const expected = oracle(records, { publicUrl: PUBLIC_URL });
    // Readers may see the revision before the import returns.
    this.#next = expected;
    const isWhole = () => !isChange;
    await importFiles(engine, [file], { allowRemovals: true, allowEmpty: true, isWhole });
    const { current } = (await this.#world.store.registry.organization(this.#id)) ?? {};
    if (current === undefined) throw new Error("The organization is gone.");
    this.#oracles.set(current.revision, expected);
    this.#next = undefined;
  }

  #next: Oracle | undefined;

  #oracleOf(revision: number): Oracle {
    const known = this.#oracles.get(revision) ?? this.#next;
    if (known === undefined) throw new Error(`Nobody wrote revision ${revision}.`);
    return known;
  }

  async #walks({ listings, limit, isDated }: Walker): Promise<void> {
    for (const number of listings) {
      const latest = Math.max(...this.#oracles.keys());
      const asked = this.#oracleOf(latest).listings(this.#id);
      const listing = asked[number % asked.length];
      if (listing !== undefined) await this.#walk(listing, limit, isDated ? latest : undefined);
    }
  }

  async #walk(listing: Listing, limit: number, at: number | undefined): Promise<void> {
    const path = this.#oracleOf(Math.max(...this.#oracles.keys())).path(this.#id, listing);
    const mark = path.includes("?") ? "&" : "?";
    let found: unknown[] = [];
    let walked: number | undefined;
    for (let next = ""; ;) {
      const url = `${at === undefined ? "" : `/at/${at}`}${path}${mark}limit=${limit}${next}`;
      await this.#turns.ofServer();
      const { statusCode, headers, payload } = await this.#app.inject({
        url,
        headers: { authorization: `Bearer ${this.#token}` },
      });
      // The subject or the revision is gone, or the revision was deleted while it was read.
      if (statusCode === 404 || statusCode === 503) {
        this.#met.gone++;
        return;
      }
      expect([statusCode, url]).toEqual([200, url]);
      const revision = Number(headers["x-rolebook-revision"]);
      this.#met.pages++;
      if (revision < Math.max(...this.#oracles.keys())) this.#met.replaced++;
      if (at !== undefined) expect(revision).toBe(at);
      const expected = this.#oracleOf(revision).list(this.#id, listing).map(withoutProfile);
      const page: { items: unknown[]; next?: { page: string } } = JSON.parse(payload);
      const items = page.items.map(withoutProfile);
      if (walked !== undefined && walked !== revision) found = [];
      // A walk whose revision was deleted, or replaced a day ago, goes on at the current one.
      const begin = walked === revision || next === "" ? found.length : placeOf(items, expected);
      expect(items).toEqual(expected.slice(begin, begin + items.length));
      found = expected.slice(0, begin + items.length);
      walked = revision;
      if (page.next === undefined) {
        expect(found).toEqual(expected);
        return;
      }
      expect(items).toHaveLength(limit);
      next = `&page=${page.next.page}`;
    }
  }

  async close(): Promise<void> {
    await this.#app.close();
    await this.#store.engine.close();
    await this.#writing.close();
    await this.#world.close();
  }
}

/** An engine whose imports wait for their turn before each step. */
function inTurns(engine: Engine, turns: Turns): Engine {
  const importing: Engine["importing"] = (work, waiting, patience) =>
    engine.importing(
      (staging) => {
        const read: Staging["read"] = (...asked) => turns.ofWriter().then(() => staging.read(...asked));
        const transaction: Staging["transaction"] = (inner) =>
          turns.ofWriter().then(() => staging.transaction(inner));
        const insert: Staging["insert"] = (...asked) => turns.ofWriter().then(() => staging.insert(...asked));
        const erase: Staging["erase"] = (...asked) => turns.ofWriter().then(() => staging.erase(...asked));
        return work(replaced(staging, { read, transaction, insert, erase }));
      },
      waiting,
      patience,
    );
  return replaced(engine, { importing });
}

/** Somebody who was forgotten has another profile in the past, from one moment on. */
function withoutProfile(item: unknown): unknown {
  const user: unknown = Object(item).user;
  return user === undefined ? item : { ...Object(item), user: Object(user).id };
}

function placeOf([first]: readonly unknown[], expected: readonly unknown[]): number {
  if (first === undefined) return expected.length;
  return expected.findIndex((each) => isDeepStrictEqual(each, first));
}

function refused(error: unknown): void {
  if (!(error instanceof CommandError)) throw error;
}
