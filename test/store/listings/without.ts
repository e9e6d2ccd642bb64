/** The effect of removing a source, compared with an import that lacks the record of the source. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey, type ContentKey } from "../../../src/domain/content.ts";
import { DIRECTIONS, type Effect } from "../../../src/domain/difference.ts";
import { plain } from "../../../src/domain/reason.ts";
import { rank, type Role } from "../../../src/domain/role.ts";
import { readWithout, type Without, writeWithout } from "../../../src/domain/without.ts";
import { everyone as openEveryone, everyoneOn } from "../../../src/explorer/server/people.ts";
import { filterOf } from "../../../src/explorer/server/query.ts";
import type { Reading } from "../../../src/store/reading.ts";
import { findContent, keyOf } from "../../../src/model/model.ts";
import {
  affectedBy,
  differingOn,
  effectOn,
  effectsOnAll,
  peopleIn,
  sourceIn,
  withoutSources,
} from "../../../src/model/without.ts";
import { modelOf } from "../../../src/store/models.ts";
import { workInTurns } from "../../../src/store/turns.ts";
import { differenceRows } from "../../../src/explorer/server/without.ts";
import type { HeldRole } from "../../../src/explorer/wire/lists.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/** The number of removed sources per random organization. */
const SOURCES = 3;

/** `times` is the number of random organizations. */
export function exerciseWithout(open: OpenPlace, times: number): void {
  test("without a source, everybody has the role that an import without its record gives them", async () => {
    await using world = Object.assign(await World.open(open), {
      [Symbol.asyncDispose]: () => world.close(),
    });
    let compared = 0;
    await holds(
      fc.asyncProperty(
        organizations({ minContents: 2, minPermissions: 3 }),
        fc.nat(),
        async (records, seed) => {
          const sources = sourcesIn(records);
          for (let step = 0; step < Math.min(SOURCES, sources.length); step++) {
            const source = sources[(seed + step * 7) % sources.length];
            if (source === undefined) continue;
            const { organization } = source;
            // The last step removes two sources at once.
            const other = step === SOURCES - 1 ? sources.find((each) => isBeside(each, source)) : undefined;
            const removed = [source, ...(other === undefined ? [] : [other])].map(({ without }) => without);
            compared += await compare(world, records, organization, removed);
          }
        },
      ),
      { numRuns: times },
    );
    // If only few organizations are tried, no source may have an effect.
    if (times > 5) expect(compared).toBeGreaterThan(0);
  });

  test("a removed default level does not bring back a removed permission above it", async () => {
    await using world = Object.assign(await World.open(open), {
      [Symbol.asyncDispose]: () => world.close(),
    });
    const above = contentKey("collection", "above");
    const compared = await compare(world, ABOVE_A_DEFAULT, "a", [
      { of: "default", content: contentKey("collection", "below") },
      { of: "user", user: "u", content: above },
    ]);
    expect(compared).toBe(1);
  });
}

/** A user with a direct permission on a collection, and a collection in it that is open to all. */
const ABOVE_A_DEFAULT: readonly SnapshotRecord[] = [
  { object: "organization", id: "a", title: "A" },
  { object: "user", id: "u", displayName: "U" },
  { object: "member", organization: "a", user: "u", role: "read" },
  { object: "collection", id: "above", organization: "a", title: "Above", defaultLevel: "read" },
  {
    object: "collection",
    id: "below",
    organization: "a",
    title: "Below",
    parent: "above",
    defaultLevel: "read",
  },
  { object: "permission", collection: "above", user: "u", permission: "review" },
];

/** Compares what is said of a removal with an import that lacks the records. Returns the number of rows. */
async function compare(
  world: World,
  records: readonly SnapshotRecord[],
  organization: string,
  removed: readonly Without[],
): Promise<number> {
  await world.import(records);
  const told = await toldBy(await readingOf(world, organization), records, organization, removed);
  const before = await everyone(world, records, organization);
  await world.import(removed.reduce(leftOut, records));
  const after = await everyone(world, records, organization);
  const expected = differences(before, after);
  const name = removed.map(writeWithout).join(" and ");
  expect(told.rows, name).toEqual(expected.rows);
  expect(told.counts, name).toEqual(expected.counts);
  return Object.keys(told.rows).length;
}

interface Source {
  readonly organization: string;
  readonly without: Without;
}

function sourcesIn(records: readonly SnapshotRecord[]): Source[] {
  const owners = new Map<string, string>();
  for (const record of records) {
    if (
      record.object === "space" ||
      record.object === "collection" ||
      record.object === "site" ||
      record.object === "team"
    ) {
      owners.set(`${record.object}/${record.id}`, record.organization);
    }
  }
  // A site is removed as a whole beside each of the things that it says.
  return records.flatMap((record): Source[] => {
    const without = withoutOf(record);
    const organization = without && owners.get(placeOf(without));
    if (without === undefined || organization === undefined) return [];
    const whole: Without[] =
      without.of === "site" ? [{ of: "site", site: without.site, what: "everything" }] : [];
    return [without, ...whole].map((each) => ({ organization, without: each }));
  });
}

function placeOf(without: Without): string {
  if (without.of === "site") return `site/${without.site}`;
  return "content" in without ? without.content : `team/${without.team}`;
}

function withoutOf(record: SnapshotRecord): Without | undefined {
  if (record.object === "team") return { of: "team", team: record.id };
  if (record.object === "space" || record.object === "collection") {
    const { defaultLevel = "inherit" } = record;
    const content = contentKey(record.object, record.id);
    return defaultLevel === "inherit" ? undefined : { of: "default", content };
  }
  if (record.object === "site") {
    const { id: site, defaultLevel = "inherit" } = record;
    return defaultLevel === "inherit" ? undefined : { of: "site", site, what: "default" };
  }
  if (record.object !== "permission") return undefined;
  if (record.site !== undefined) {
    const { site, user, team = "" } = record;
    return { of: "site", site, what: user === undefined ? { team } : { user } };
  }
  const content = onOf(record);
  if (record.user !== undefined) return { of: "user", user: record.user, content };
  return record.team === undefined ? undefined : { of: "grant", team: record.team, content };
}

function onOf(record: Extract<SnapshotRecord, { object: "permission" }>): ContentKey {
  return record.space === undefined
    ? contentKey("collection", record.collection ?? "")
    : contentKey("space", record.space);
}

function isBeside(one: Source, other: Source): boolean {
  return one !== other && one.organization === other.organization;
}

function leftOut(records: readonly SnapshotRecord[], without: Without): SnapshotRecord[] {
  return records.flatMap((record): SnapshotRecord[] => {
    if (without.of === "team") {
      const names = "team" in record && record.team === without.team;
      return names || (record.object === "team" && record.id === without.team) ? [] : [record];
    }
    if (without.of === "site") {
      const { site, what } = without;
      if (record.object === "site" && record.id === site) {
        const { defaultLevel: _, ...rest } = record;
        return [typeof what === "string" ? rest : record];
      }
      if (record.object !== "permission" || record.site !== site) return [record];
      const isIt =
        what === "everything" ||
        (typeof what === "object" &&
          ("user" in what ? record.user === what.user : record.team === what.team));
      return isIt ? [] : [record];
    }
    if (without.of === "default") {
      if (record.object !== "space" && record.object !== "collection") return [record];
      if (contentKey(record.object, record.id) !== without.content) return [record];
      const { defaultLevel: _, ...rest } = record;
      return [rest];
    }
    if (record.object !== "permission" || record.site !== undefined) return [record];
    if (onOf(record) !== without.content) return [record];
    const isIt = without.of === "user" ? record.user === without.user : record.team === without.team;
    return isIt ? [] : [record];
  });
}

function contentsOf(records: readonly SnapshotRecord[], organization: string): ContentKey[] {
  return records.flatMap((record) =>
    (record.object === "space" || record.object === "collection") && record.organization === organization
      ? [contentKey(record.object, record.id)]
      : [],
  );
}

type Shown = readonly [role: Role, because: string];
type Rows = Record<string, { readonly before: Shown | null; readonly after: Shown | null }>;

interface Told {
  /** The rows, by content and user. */
  readonly rows: Rows;
  /** The counts, by content. */
  readonly counts: Readonly<Record<string, Effect>>;
}

async function toldBy(
  reading: Reading,
  records: readonly SnapshotRecord[],
  organization: string,
  removed: readonly Without[],
): Promise<Told> {
  const model = await modelOf(reading);
  for (const without of removed) {
    expect(readWithout(writeWithout(without))).toEqual(without);
    expect(sourceIn(model, without)).toBeDefined();
  }
  const whatIf = await workInTurns(withoutSources(model, removed));
  const effectIn = await workInTurns(effectsOnAll(whatIf));
  const affected: ContentKey[] = [];
  for (const each of removed)
    for (const content of (await workInTurns(affectedBy(model, each))).order)
      affected.push(keyOf(model, content));
  const rows: Rows = {};
  const counts: Record<string, Effect> = {};
  const people = new Map(DIRECTIONS.map((direction) => [direction, new Set<string>()]));
  for (const key of contentsOf(records, organization)) {
    const content = findContent(model, key);
    if (content === undefined) throw new Error(`${key} is not there.`);
    const differing = await workInTurns(differingOn(whatIf, content));
    for (let after: string | undefined; ;) {
      // With two rows per page, walks continue within a direction and from one direction to the next.
      const page = await differenceRows(whatIf, content, differing, { after, limit: 2 }, DIRECTIONS);
      for (const { user, direction, before, after: then } of page.entries) {
        const place = `${key} ${user.id}`;
        expect(rows, place).not.toHaveProperty([place]);
        rows[place] = { before: shown(before), after: shown(then) };
        people.get(direction)?.add(user.id);
      }
      if (page.next === undefined) break;
      after = page.next;
    }
    const effect = await workInTurns(effectOn(whatIf, content));
    expect(effect).toEqual(effectIn(content));
    if (DIRECTIONS.every((direction) => effect[direction] === 0)) continue;
    expect(affected).toContain(key);
    counts[key] = effect;
  }
  const counted = peopleIn(whatIf);
  let step = counted.next();
  while (step.done !== true) step = counted.next();
  for (const direction of DIRECTIONS)
    expect(step.value.counts[direction], direction).toBe(people.get(direction)?.size);
  return { rows, counts };
}

function shown(held: HeldRole | null): Shown | null {
  return held === null ? null : [held.role, plain(held.reason.because)];
}

type Everyone = ReadonlyMap<string, Shown>;

async function everyone(
  world: World,
  records: readonly SnapshotRecord[],
  organization: string,
): Promise<Everyone> {
  const reading = await readingOf(world, organization);
  const found = new Map<string, Shown>();
  for (const key of contentsOf(records, organization)) {
    const list = await openEveryone(everyoneOn(key), filterOf(new Map()))(reading, { all: true });
    if (list === undefined) throw new Error(`${key} is not there.`);
    const page = await list.page({ after: undefined, limit: 1000 }, "id");
    for (const { user, role, reason } of page.entries) {
      found.set(`${key} ${user.id}`, [role, plain(reason.because)]);
    }
  }
  return found;
}

function differences(before: Everyone, after: Everyone): Told {
  const rows: Rows = {};
  const counts: Record<string, { -readonly [key in keyof Effect]: number }> = {};
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const had = before.get(place) ?? null;
    const has = after.get(place) ?? null;
    if (had?.[0] === has?.[0]) continue;
    rows[place] = { before: had, after: has };
    const [content = ""] = place.split(" ");
    const of = (counts[content] ??= { lost: 0, lowered: 0, raised: 0, gained: 0 });
    of[directionOf(had, has)]++;
  }
  return { rows, counts };
}

function directionOf(had: Shown | null, has: Shown | null): keyof Effect {
  if (has === null) return "lost";
  if (had === null) return "gained";
  return rank(has[0]) > rank(had[0]) ? "raised" : "lowered";
}

async function readingOf(world: World, organization: string): Promise<Reading> {
  const found = await world.store.registry.organization(organization);
  if (found === undefined) throw new Error(`There is no organization ${organization}.`);
  return world.store.reading(found.current);
}
