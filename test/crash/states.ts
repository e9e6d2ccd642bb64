import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { type Size, snapshotLines } from "../../bench/data.ts";
import { statement } from "../../src/store/engine/engine.ts";
import { GENERATION_TABLES } from "../../src/store/schema/tables.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { organizationIds } from "../oracle/facts.ts";
import { type Oracle, oracle } from "../oracle/oracle.ts";
import { histories } from "../oracle/random/organizations.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { PUBLIC_URL, World } from "../world.ts";

/** A state of all organizations; the title of each organization names the state. */
export interface State {
  readonly name: string;
  readonly records: readonly SnapshotRecord[];
  /** The snapshot file. */
  readonly file: string;
}

/** A database file in a folder of its own, and the states between which imports change it. */
export interface Ground {
  readonly folder: string;
  readonly path: string;
  readonly url: string;
  readonly states: readonly [State, State];
  close(): void;
}

/** Unless all names differ between the states, only those of the organizations and of the first user do. */
function ground(
  imports: readonly (readonly SnapshotRecord[])[],
  allDiffer = true,
  parent = tmpdir(),
): Ground {
  const folder = mkdtempSync(join(parent, "rolebook-crash-"));
  const [before, after] = imports.map((records, index): State => {
    const name = `state-${index}`;
    const first = records.find(({ object }) => object === "user");
    const named = records.map((record): SnapshotRecord => {
      if (record.object === "organization") return { ...record, title: name };
      const differs = record.object === "user" && (allDiffer || isSame(record, first));
      return differs ? { ...record, displayName: name } : record;
    });
    const file = join(folder, `${name}.ndjson`);
    writeFileSync(file, toLines(named));
    return { name, records: named, file };
  });
  if (before === undefined || after === undefined) throw new Error("two states are needed");
  const path = join(folder, "rolebook.db");
  return {
    folder,
    path,
    url: `sqlite:${path}`,
    states: [before, after],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function isSame(record: SnapshotRecord, other: SnapshotRecord | undefined): boolean {
  return JSON.stringify(record) === JSON.stringify(other);
}

/**
 * Two small random organizations, in two states. If all names differ between them, an import writes new generations,
 * else it changes the current ones. `parent` is the folder for its files.
 */
export function smallGround(seed = 1, allDiffer = true, parent?: string): Ground {
  const sizes = {
    minOrganizations: 2,
    maxOrganizations: 2,
    minMembers: 21,
    maxMembers: 24,
    minContents: 5,
    minPermissions: 10,
  };
  const [history] = fc.sample(histories(sizes, 1), { seed, numRuns: 1 });
  return ground(history ?? [], allDiffer, parent);
}

/** The benchmark's organization, generated with two seeds: its two states. */
export async function largeGround(size: Size): Promise<Ground> {
  const draw = async (seed: number) => {
    const records: SnapshotRecord[] = [];
    for await (const line of snapshotLines(size, seed)) records.push(JSON.parse(line));
    return records;
  };
  return ground([await draw(1), await draw(2)]);
}

/** Opens a database as a crash left it, without repairs. */
export async function opened(url: string): Promise<World> {
  return World.open(async () => ({ url, dispose: async () => {} }));
}

/** The number of lists that are compared per organization; `npm run test:long` compares all. */
const SOME = process.env.TEST_EVERY_CALL === undefined ? 40 : Number.POSITIVE_INFINITY;

/**
 * The state that a database is in. Compares up to `most` of its lists, evenly spread, with the oracle. Throws if the
 * database is in no state, or partly in one.
 */
export async function stateOf({ url, states }: Ground, most = SOME): Promise<State> {
  const world = await opened(url);
  try {
    const ids = organizationIds(states[0].records);
    const titles = await Promise.all(
      ids.map(async (id) => (await world.store.registry.organization(id))?.current.title),
    );
    const state = states.find(({ name }) => titles.every((title) => title === name));
    if (state === undefined) throw new Error(`the organizations are in ${titles.join(", ")}`);
    await compareSome(world, state, most);
    return state;
  } finally {
    await world.close();
  }
}

const known = new WeakMap<State, Oracle>();

/** Compares up to `most` lists of a world with those of the oracle for a state. */
export async function compareSome(world: World, state: State, most: number): Promise<void> {
  const expected = known.get(state) ?? oracle(state.records, { publicUrl: PUBLIC_URL });
  known.set(state, expected);
  for (const id of organizationIds(state.records)) {
    const token = await world.token(id);
    const listings = expected.listings(id);
    const step = Math.max(1, listings.length / most);
    for (let index = 0; index < listings.length; index += step) {
      const listing = listings[Math.floor(index)];
      if (listing === undefined) continue;
      const path = expected.path(id, listing);
      const found = JSON.stringify(sorted(await world.walk(path, token)));
      if (found !== JSON.stringify(sorted(expected.list(id, listing))))
        throw new Error(`${path} is not ${state.name}'s`);
    }
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Files and rows that belong to no readable revision. */
export async function leftovers({ folder, url }: Ground): Promise<string[]> {
  const engine = await openEngine(url);
  try {
    const kept = new Set((await engine.read(FINISHED)).map(([generation]) => generation));
    const found = (await engine.read(UNDER_WAY)).map(([revision]) => `what was written of ${revision}`);
    for (const table of [...GENERATION_TABLES, "generation"]) {
      const rows = await engine.read(statement<[number]>(() => `SELECT DISTINCT generation FROM ${table}`));
      for (const [generation] of rows) if (!kept.has(generation)) found.push(`${table} of ${generation}`);
    }
    return [...found, ...readdirSync(folder).filter((name) => name.includes("staging"))];
  } finally {
    await engine.close();
  }
}

/** The revisions that are being written in place. */
const UNDER_WAY = statement<[revision: number]>(
  () => "SELECT writing FROM generation WHERE writing IS NOT NULL",
);
/** The published generations. */
const FINISHED = statement<[generation: number]>(() => "SELECT generation FROM revision");
