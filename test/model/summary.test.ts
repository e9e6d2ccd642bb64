/** What a summary tells of contents is the sum of the rows that tell of each person, with all their causes. */
import { expect, test } from "vitest";
import { type ChangedRecord, AccessChanges, compareCauses } from "../../src/domain/changed-record.ts";
import { type ContentKey, contentKey } from "../../src/domain/content.ts";
import { DIRECTIONS } from "../../src/domain/difference.ts";
import type { DifferenceFilter } from "../../src/domain/difference-filter.ts";
import { rank, type Role } from "../../src/domain/role.ts";
import { build, type ContentRow, type MemberRow } from "../../src/model/builder.ts";
import { rankOfLevel } from "../../src/model/model.ts";
import { compared, type Comparison } from "../../src/model/comparison.ts";
import type { Manner } from "../../src/model/differences.ts";
import { countedPairs, type DiffRow, rowsOfPairs } from "../../src/model/pairs.ts";
import { contentDifferences, DifferingPeople, peopleApart } from "../../src/model/summary.ts";
import { randomOf } from "../oracle/random/values.ts";
import { ROLES } from "../oracle/records.ts";
import { SEED } from "../setup/seed.ts";

const TEAMS = 9;
/** The permissions of the other teams never change. */
const CHANGING = 4;
const CONTENTS = 12;
const COLLECTIONS = 6;
const MEMBERS = 40;
const RUNS = 30;

const NAMED = { text: '{"displayName":"Somebody"}', omitted: 0 };
const TITLED = { text: '{"title":"Something"}', omitted: 0 };

type Below = (count: number) => number;
interface State {
  readonly contents: readonly ContentRow[];
  readonly members: readonly MemberRow[];
}

const roleIn = (below: Below): Role => ROLES[below(4)] ?? "read";
const keyOf = (number: number) =>
  contentKey(number < COLLECTIONS ? "collection" : "space", String(number).padStart(2, "0"));
const teamId = (number: number) => `t${number}`;

const isChanging = (team: number) => team < CHANGING;

function permissionsIn(below: Below, isOf: (team: number) => boolean, most: number) {
  return Array.from({ length: TEAMS }, (_, team) => ({ team, role: roleIn(below) })).filter(
    ({ team }) => isOf(team) && below(5) < most,
  );
}

function levelIn(below: Below): ContentRow["level"] {
  return below(5) > 0 ? "inherit" : below(2) === 0 ? null : roleIn(below);
}

function parentOf(below: Below, number: number): number | undefined {
  const most = Math.min(number, COLLECTIONS);
  return most === 0 || below(6) === 0 ? undefined : below(most);
}

function firstState(below: Below): State {
  return {
    contents: Array.from({ length: CONTENTS }, (_, number) => ({
      number,
      key: keyOf(number),
      parent: parentOf(below, number),
      level: levelIn(below),
      created: number,
      document: TITLED,
      teams: permissionsIn(below, () => true, 1),
    })),
    members: Array.from({ length: MEMBERS }, (_, number) => memberIn(below, number)),
  };
}

function memberIn(below: Below, number: number): MemberRow {
  const role = below(4) === 0 ? null : below(20) === 0 ? "admin" : roleIn(below);
  return {
    id: `u${String(number).padStart(3, "0")}`,
    role,
    document: NAMED,
    teams: Array.from({ length: TEAMS }, (_, team) => ({ team, isOwner: false })).filter(
      () => below(4) === 0,
    ),
    permissions: below(8) === 0 ? [{ on: below(CONTENTS), role: roleIn(below) }] : [],
  };
}

/** Few people have changed records of their own, and permissions of teams change on several contents of a ladder. */
function nextState(below: Below, { contents, members }: State): State {
  return {
    contents: contents.map((row) => ({
      ...row,
      teams:
        below(3) > 0
          ? row.teams
          : [...row.teams.filter(({ team }) => !isChanging(team)), ...permissionsIn(below, isChanging, 2)],
      ...(below(8) > 0 ? {} : { level: levelIn(below) }),
      ...(below(12) > 0 ? {} : { parent: parentOf(below, row.number) }),
    })),
    members: members
      .filter(() => below(20) > 0)
      .map((row, at) => ({ ...(below(10) === 0 ? memberIn(below, at) : row), id: row.id }))
      .concat(Array.from({ length: below(4) }, (_, at) => memberIn(below, MEMBERS + at))),
  };
}

/** What each record says, by its names. */
function said({ contents, members }: State): Map<string, ChangedRecord> {
  const found = new Map<string, ChangedRecord>();
  const add = (record: Pick<ChangedRecord, "kind" | "member" | "team" | "content">, text: string) =>
    found.set(JSON.stringify(record), { ...record, was: undefined, becomes: text, first: 0, revision: 0 });
  for (const { key, parent, level, teams } of contents) {
    const place = parent === undefined ? {} : { parent: keyOf(parent).slice("collection/".length) };
    const setting = level === "inherit" ? {} : { defaultLevel: level };
    const kind = key.startsWith("space/") ? "space" : "collection";
    add({ kind, content: key }, JSON.stringify({ title: "Something", ...place, ...setting }));
    for (const { team, role } of teams)
      add({ kind: "permission", team: teamId(team), content: key }, String(rank(role)));
  }
  for (const { id, role, teams, permissions } of members) {
    add({ kind: "member", member: id }, String(role === null ? 0 : rank(role)));
    for (const { team } of teams) add({ kind: "teamMember", member: id, team: teamId(team) }, "member");
    for (const { on, role: given } of permissions)
      add({ kind: "permission", member: id, content: keyOf(on) }, String(rankOfLevel(given)));
  }
  return found;
}

function changedRecords(below: Below, before: State, after: State): ChangedRecord[] {
  const [then, now] = [said(before), said(after)];
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((key) => {
    const [was, becomes] = [then.get(key)?.becomes, now.get(key)?.becomes];
    const record = then.get(key) ?? now.get(key);
    if (was === becomes || record === undefined) return [];
    const first = 2 + below(3);
    return [{ ...record, was, becomes, first, revision: first + below(2) }];
  });
}

function whole<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function modelOf({ contents, members }: State) {
  const teams = Array.from({ length: TEAMS }, (_, number) => ({
    number,
    id: teamId(number),
    text: '{"title":"Team"}',
  }));
  const rows = {
    teams,
    contents: contents.map((row) => ({ ...row, teams: [...row.teams] })),
    members: [...members].sort((a, b) => (a.id < b.id ? -1 : 1)),
    sites: [],
  };
  return whole(build({ id: "o", title: "O" }, rows));
}

function rowsOf(comparison: Comparison): DiffRow[] {
  return [...rowsOfPairs(whole(countedPairs(comparison)))].flatMap((some) => some?.rows ?? []);
}

interface Told {
  readonly content: ContentKey;
  readonly counts: readonly number[];
  readonly causes: readonly ChangedRecord[];
}

/** The sums of rows. */
function summed(rows: readonly DiffRow[]): Told[] {
  const byContent = Map.groupBy(rows, ({ content }) => contentKey(content.kind, content.id));
  return [...byContent].map(([content, own]) => ({
    content,
    counts: DIRECTIONS.map((direction) => own.filter((row) => row.direction === direction).length),
    causes: [...new Set(own.flatMap(({ causes }) => causes))].sort(compareCauses),
  }));
}

const MANNERS: readonly (Manner | undefined)[] = [
  undefined,
  { window: 7, copied: 0 },
  { window: 16, copied: 5 },
];
const FILTERS: readonly DifferenceFilter[] = [
  {},
  { guests: true },
  { least: "edit", directions: new Set(["raised", "gained"]) },
  { causedBy: ({ team }) => team === "t1" },
  { causedBy: ({ kind, revision }) => kind === "permission" && revision > 3, role: "edit" },
];

const seeds = Array.from({ length: RUNS }, (_, run) => run + (SEED ?? Date.now()));

test.each(seeds)("contents, people and pairs, seed %i", (seed) => {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const first = firstState(below);
  const second = nextState(below, first);
  const changes = new AccessChanges(changedRecords(below, first, second));
  const models = [modelOf(first), modelOf(second)] as const;
  for (const isUndone of [false, true]) {
    const [before, after] = isUndone ? [models[1], models[0]] : models;
    for (const filter of FILTERS) {
      const comparison = whole(compared(before, after, { changes, isUndone, filter }));
      const wanted = summed(rowsOf({ ...comparison, filter: { ...filter, counted: true } }));
      for (const manner of MANNERS)
        expect(whole(contentDifferences(comparison, manner && { manner }))).toEqual(wanted);
      const rows = rowsOf(comparison);
      if (filter.causedBy === undefined) {
        const alone = wanted.slice(0, 2).map(({ content }) => content);
        expect(whole(contentDifferences(comparison, { among: alone }))).toEqual(wanted.slice(0, 2));
        for (const person of peopleApart(comparison)) {
          const own = rows.filter(({ user }) => user.id === person?.user.id);
          if (person !== undefined) expect(own.length).toBe(person.contents);
        }
      }
    }
    const everything = whole(compared(before, after, { changes, isUndone, filter: {} }));
    const people = new DifferingPeople();
    whole(people.work(everything));
    const rows = rowsOf(everything);
    expect(people.counts).toEqual(
      DIRECTIONS.map(
        (wanted) =>
          new Set(rows.flatMap(({ direction, user }) => (direction === wanted ? user.id : []))).size,
      ),
    );
  }
});
