/**
 * The causes of a difference are those of the oracle, in its words and order, wherever they are told: by `rolebook diff`,
 * user by user and in the summary, by the explorer's lists of changes, and by `rolebook review`.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { wordedContents, wordedPairs } from "../../../../src/cli/commands/diff.ts";
import { type ContentKey, contentKey, idOf, kindOf } from "../../../../src/domain/content.ts";
import { DIRECTIONS } from "../../../../src/domain/difference.ts";
import { plain } from "../../../../src/domain/reason.ts";
import type { ChangedRow, ChangedNode } from "../../../../src/explorer/wire/lists.ts";
import type { ChangesAnswer } from "../../../../src/explorer/wire/answers.ts";
import { follow } from "../../../../src/review/outcomes.ts";
import type { ChangedRecord } from "../../../../src/domain/changed-record.ts";
import type { DiffRow } from "../../../../src/model/pairs.ts";
import { contentDifferences } from "../../../../src/model/summary.ts";
import { compare } from "../../../../src/store/revisions/diff/diff.ts";
import { type Cause, type Changed, Changes } from "../../../oracle/causes.ts";
import type { Content, Facts } from "../../../oracle/facts.ts";
import { histories } from "../../../oracle/random/organizations.ts";
import { lastChange, rolesIn } from "../../../oracle/reviews/review.ts";
import { countsOn } from "../../../oracle/summary.ts";
import { statesOf, type State } from "./diff.ts";
import { rowsOf, whole } from "./whole.ts";
import { contentsOf, inWorld } from "../../why.ts";
import { ownPlace, type World } from "../../../world.ts";
import { holds } from "../../../setup/property.ts";
import { drawUntil } from "../../../setup/seed.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 8);
const STEPS = 3;
/** Few things, so that several changes meet on one ladder. */
const SIZES = {
  maxOrganizations: 1,
  minMembers: 2,
  maxMembers: 4,
  maxTeams: 2,
  minContents: 2,
  maxContents: 5,
  minPermissions: 4,
  maxPermissions: 12,
};

test("causes are those of the oracle wherever they are told, of one revision and of several", async () => {
  const told = { changes: 0, reviewed: 0 };
  const property = fc.asyncProperty(
    histories(SIZES, STEPS),
    fc.array(fc.boolean(), { minLength: STEPS + 1, maxLength: STEPS + 1 }),
    async (history, anew) => {
      await inWorld(ownPlace, async (world) => {
        for (const [organization, states] of await statesOf(world, history, anew)) {
          const explorer = new Explorer(world, await world.token(organization), states);
          for (const moments of spansOf(states)) {
            for (const isUndone of [false, true]) await compareDiff(world, moments, isUndone);
            told.changes += await explorer.compare(moments);
          }
          told.reviewed += await compareReview(world, states);
        }
      });
    },
  );
  await drawUntil(
    () => RUNS <= 4 || Math.min(told.changes, told.reviewed) > 0,
    (seed) => holds(property, { numRuns: RUNS, seed }),
  );
});

/** Each state with the next one, and all. */
function spansOf(states: readonly State[]): State[][] {
  const steps = states.slice(1).map((_, index) => states.slice(index, index + 2));
  return states.length > 2 ? [...steps, [...states]] : steps;
}

function changesIn(states: readonly State[]): Changes {
  return new Changes(states.map(({ at, facts }) => ({ revision: at.revision, facts })));
}

async function compareDiff(world: World, states: readonly State[], isUndone: boolean): Promise<void> {
  const changes = changesIn(states);
  const ends = isUndone ? [states.at(-1), states[0]] : [states[0], states.at(-1)];
  const [from, to] = ends.map((state) => state && world.store.reading(state.at));
  const isCounted = countedBetween(ends[0], ends[1]);
  if (from === undefined || to === undefined) throw new Error("There is no state.");
  const diff = await compare({ before: from, after: to });
  const summary = new Map<ContentKey, Changed[]>();
  const pairs = rowsOf(diff);
  for (const { content, user, causes } of wordedPairs(diff, pairs)) {
    const records = changes.causesFor(user.id, content);
    expect(causes, `${user.id} on ${content.kind} ${content.id}`).toEqual(changes.tell(records, isUndone));
    if (!isCounted(user.id, content)) continue;
    const key = contentKey(content.kind, content.id);
    summary.set(key, [...(summary.get(key) ?? []), ...records]);
  }
  const contents = wordedContents(diff, whole(contentDifferences(diff)));
  expect(contents.map(({ content, causes }) => [contentKey(content.kind, content.id), causes])).toEqual(
    [...summary].map(([key, records]) => [key, changes.tell(records, isUndone)]),
  );
  const others = pairs.filter(({ user, content }) => isCounted(user.id, content));
  const [team] = others.flatMap(({ causes }) => causes.flatMap(({ team: id }) => id ?? []));
  if (team !== undefined) {
    const causedBy = (record: ChangedRecord) => record.team === team;
    const narrowed = await compare({ before: from, after: to }, { causedBy });
    const counts = whole(contentDifferences(narrowed)).map((each) => [each.content, each.counts]);
    expect(counts, `caused by team ${team}`).toEqual(countsOf(others, causedBy));
  }
}

/** Whether the summary of two states counts a user on a content. */
function countedBetween(from: State | undefined, to: State | undefined) {
  if (from === undefined || to === undefined) throw new Error("There is no state.");
  return (user: string, content: Content) => countsOn(from.facts, to.facts, user, content);
}

/** The number of differences in each direction with a cause that passes, by content. */
function countsOf(rows: readonly DiffRow[], isCause: (record: ChangedRecord) => boolean) {
  const found = Map.groupBy(
    rows.filter(({ causes }) => causes.some(isCause)),
    ({ content }) => contentKey(content.kind, content.id),
  );
  return [...found].map(([key, own]) => [
    key,
    DIRECTIONS.map((direction) => own.filter((row) => row.direction === direction).length),
  ]);
}

/** The most causes in a row of a list of all changes. */
const MOST_WORDED = 10;

class Explorer {
  readonly #world: World;
  readonly #token: string;
  readonly #now: Facts | undefined;

  constructor(world: World, token: string, states: readonly State[]) {
    this.#world = world;
    this.#token = token;
    this.#now = states.at(-1)?.facts;
  }

  /** Compares what the explorer tells of the first and the last of some states. Returns the number of rows. */
  async compare(states: readonly State[]): Promise<number> {
    const changes = changesIn(states);
    const [earlier, later] = [states[0]?.at.revision, states.at(-1)?.at.revision];
    const between = `earlier=${earlier}&later=${later}`;
    const isCounted = countedBetween(states[0], states.at(-1));
    const found = new Map<string, Changed[]>();
    let rows = 0;
    for (const thing of this.#things()) {
      const all = new Set<Changed>();
      for (const row of await this.#list<ChangedRow>(`${thing}&tab=changes&${between}`)) {
        const records = changes.causesFor(row.user.id, row.content);
        const causes = changes.tell(records, false);
        expect(plain(row.sentence).replace(/^.*?, because /s, ""), thing).toBe(joined(causes));
        for (const record of records) all.add(record);
        if (isCounted(row.user.id, row.content)) found.set(thing, [...(found.get(thing) ?? []), ...records]);
        rows++;
      }
      if (states.length === 2) await this.#compareLog(thing, later, changes.tell([...all], false));
    }
    for (const { content, what, more } of await this.#list<ChangedNode>(`list=changes&${between}`)) {
      const records = content && found.get(`${content.kind}=${encodeURIComponent(content.id)}`);
      // The content is gone now, so nobody may list it by itself.
      if (records === undefined) continue;
      const causes = changes.tell(records, false).map(withoutRevision);
      expect(what.map(plain)).toEqual(causes.slice(0, MOST_WORDED));
      expect(more).toBe(Math.max(0, causes.length - MOST_WORDED));
    }
    return rows;
  }

  /** The revision's entry in the log of a thing names every cause of a difference, in their order. */
  async #compareLog(thing: string, revision: number | undefined, causes: readonly Cause[]): Promise<void> {
    const path = `/explorer/changes?${thing}&before=${revision}`;
    const { changes }: ChangesAnswer = JSON.parse((await this.#world.get(path, this.#token)).body);
    const entry = changes.find((change) => change.revision === revision);
    const what = entry?.what.map(plain) ?? [];
    const wanted = causes.map(withoutRevision);
    const named = what.filter((text) => wanted.includes(text));
    expect(named, thing).toEqual(wanted.slice(0, (entry?.more ?? 0) > 0 ? named.length : wanted.length));
  }

  #things(): string[] {
    const { members = new Map<string, unknown>() } = this.#now ?? {};
    const contents = this.#now === undefined ? [] : contentsOf(this.#now);
    return [
      ...contents.map(({ kind, id }) => `${kind}=${encodeURIComponent(id)}`),
      ...[...members.keys()].map((id) => `member=${encodeURIComponent(id)}`),
    ];
  }

  async #list<Row>(query: string): Promise<Row[]> {
    return (await this.#world.walk(`/explorer/access?${query}`, this.#token)).map((row): Row => Object(row));
  }
}

function withoutRevision({ text }: Cause): string {
  return text.replace(/ in revisions? \d+( to \d+)?$/, "");
}

function joined(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join(", and ");
}

/** Compares a review of all rows of the first state. Returns the number of rows with a change. */
async function compareReview(world: World, states: readonly State[]): Promise<number> {
  const [first, last] = [states[0], states.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const roles = states.map(({ facts }) => rolesIn(facts));
  const rows = [...(roles[0] ?? [])].map(([row, role]) => {
    const [content = "", ...user] = row.split(" ");
    return { content: keyOf(content), user: user.join(" "), role, decision: "", comment: "" };
  });
  const { organization, revision } = first.at;
  const narrowed = { newcomers: { scope: {}, where: {} }, weakest: undefined };
  const review = await follow(world.store.reading(last.at), { organization, revision, rows, ...narrowed });
  let changed = 0;
  for await (const some of review.rows) {
    for (const { outcome, content, user, now, since } of some) {
      if (since === undefined) continue;
      const isAny = outcome === "came" || outcome === "removed";
      const place = lastChange(roles, `${content} ${user}`, (role) =>
        isAny ? role !== undefined : role === now,
      );
      const changes = changesIn(states.slice(place - 1, place + 1));
      const causes = changes.causesFor(user, { kind: kindOf(content), id: idOf(content) });
      expect(since.change, `${user} on ${content}`).toBe(joined(changes.tell(causes, false)));
      changed++;
    }
  }
  return changed;
}

function keyOf(name: string): ContentKey {
  const kind = name.startsWith("space/") ? "space" : "collection";
  return contentKey(kind, name.slice(kind.length + 1));
}
