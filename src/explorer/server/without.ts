/** What changes if a source of access is removed: the numbers of people, and the lists of people and contents. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { DIRECTIONS, type Direction, type Effect } from "../../domain/difference.ts";
import { decide } from "../../domain/ladder.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { reasonOf } from "../../domain/reason.ts";
import { RECORD_KINDS } from "../../domain/record-change.ts";
import { type Without, withoutCommand, writeWithout } from "../../domain/without.ts";
import { derived, findContent, findTeam, keyOf, memberId, type Model } from "../../model/model.ts";
import { personIn, titlesIn } from "../../model/records.ts";
import { rolesIn } from "../../model/sheets.ts";
import { firstFrom } from "../../model/texts.ts";
import type { ByTitle } from "../../model/titles.ts";
import { decisionOn, ladderOn } from "../../model/why.ts";
import {
  affectedBy,
  type CountedPeople,
  differingOn,
  effectFrom,
  effectOn,
  effectsOnAll,
  NONE,
  peopleIn,
  sourceIn,
  type WhatIf,
  withoutSources,
} from "../../model/without.ts";
import { absent } from "../../operations/authorize.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { giveTurn, workInTurns } from "../../store/turns.ts";
import type { WithoutAnswer } from "../wire/answers.ts";
import type { ConcernedRow, HeldRole, PairRow, WithoutRow } from "../wire/lists.ts";
import type { Stamp } from "../wire/protocol.ts";
import { keptBy } from "./contents.ts";
import { type ListOpener, groupByGroup, mapped, openOrdered } from "./list.ts";
import { countsByRole, FilteredList } from "./listed.ts";
import { contentRow } from "./nodes.ts";
import type { ExplorerOperation } from "./operation.ts";
import {
  type Filter,
  contentsOf,
  countOf,
  directionsOf,
  isFiltering,
  keyIn,
  only,
  optionalSubjectOf,
} from "./query.ts";
import { type States, mayCompare, removedIn, withoutIn } from "./states.ts";
import { type Viewer, viewOf, visible } from "./viewer.ts";

/** The time limit of one answer, in milliseconds. The answer then has the counts so far. */
const BUDGET = 150;

export const without: ExplorerOperation = {
  id: "explorerWithout",
  path: "/explorer/without",
  summary: "Count the people whose role changes without a permission, a team or a default level",
  description:
    "With `space` or `collection`: the number of people whose role on that content differs without the source. With `contents`: the same for each of several contents. Without a content: the number of people with a difference on any content, each counted once, as far as a short time allows; to continue, send `done` back as `from`, and add the counts. Nothing is changed.",
  parameters: ["space", "collection", "contents", "without", "from"],
  takes: "revision",
  ask(query) {
    const source = withoutIn(query);
    const subject = optionalSubjectOf(query, ["space", "collection"]);
    const several = query.has("contents") ? contentsOf(query).map(keyIn) : undefined;
    const scope = subject?.kind ?? (several === undefined ? "from" : "contents");
    only(query, [scope, "without", "revision"]);
    const from = countOf(query, "from");
    return async (asking) => {
      await mayCompare(asking, { before: {}, after: { without: source } }, subject);
      const { reading } = asking;
      const model = await modelOf(reading);
      const found = sourceIn(model, source);
      if (found === undefined) throw absent("source", query.get("without") ?? "");
      const contents = (await workInTurns(affectedBy(model, source))).order.length;
      const whatIf = await workInTurns(withoutSources(model, [source]));
      const fields: Omit<WithoutAnswer, keyof Stamp> = {
        source: found.phrase,
        ...(asking.viewer.all ? { contents } : {}),
        command: withoutCommand(source),
        ...(several !== undefined
          ? { effects: await effectsOn(whatIf, several) }
          : subject === undefined
            ? { people: await countPeople(whatIf, from) }
            : await onContent(whatIf, keyIn(subject), source)),
      };
      return { of: "thing", fields };
    };
  },
};

async function effectsOn(whatIf: WhatIf, keys: readonly ContentKey[]): Promise<Record<string, Effect>> {
  const effects: Record<string, Effect> = {};
  for (const key of keys) {
    const content = findContent(whatIf.before, key);
    effects[key] = content === undefined ? NONE : await workInTurns(effectOn(whatIf, content));
  }
  return effects;
}

/** Counts at least one part of the organization. */
async function countPeople(whatIf: WhatIf, from: number): Promise<CountedPeople> {
  const begun = performance.now();
  const counting = peopleIn(whatIf, from);
  for (;;) {
    const step = counting.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined && performance.now() - begun > BUDGET) return step.value;
    await giveTurn();
  }
}

async function onContent(
  whatIf: WhatIf,
  key: ContentKey,
  source: Without,
): Promise<Pick<WithoutAnswer, "here" | "team">> {
  const model = whatIf.before;
  const content = findContent(model, key);
  if (content === undefined) return {};
  const here = await workInTurns(effectOn(whatIf, content));
  const team = source.of === "team" ? findTeam(model, source.team) : undefined;
  if (source.of !== "team" || team === undefined) return { here };
  // What a guest has who is in this team alone.
  const role = decide(ladderOn(model, content), {
    role: null,
    teams: [source.team],
    direct: new Map(),
  })?.role;
  if (role === undefined) return { here };
  const members = countsByRole(await workInTurns(rolesIn(model, { of: "team", team, on: content })));
  return { here, team: { role, members } };
}

/** The users whose role on one content differs without the source. */
export function withoutOn(key: ContentKey, states: States, filter: Filter): ListOpener<WithoutRow> {
  return async (reading, viewer) => {
    const model = await modelOf(reading);
    const content = findContent(model, key);
    if (content === undefined) return undefined;
    const whatIf = await workInTurns(withoutSources(model, [removedIn(states)]));
    const differing = await differingFor(whatIf, content, filter);
    // Callers must not learn whether a user without a role exists.
    const directions = directionsOf(filter).filter((each) => viewer.all || each !== "gained");
    return {
      async page(request) {
        const page = await differenceRows(whatIf, content, differing, request, directions);
        return viewer.all ? page : { ...page, entries: await hidden(reading, viewer, page.entries) };
      },
      count: async () => ({ total: countIn(countsIn(differing), directions) }),
    };
  };
}

/** {@link differingOn}, of those people who pass a filter now or then. The filter by direction is the caller's. */
async function differingFor(whatIf: WhatIf, content: number, filter: Filter): Promise<Uint8Array> {
  const differing = await workInTurns(differingOn(whatIf, content));
  const { changes: _, ...rest } = filter;
  if (!isFiltering(rest)) return differing;
  const lists = [whatIf.before, whatIf.after].map(
    (model) => new FilteredList(model, { of: "content", content }, rest),
  );
  const includes = await Promise.all(lists.map((list) => list.includes()));
  return differing.map((direction, member) => (includes.some((isIn) => isIn(member)) ? direction : 0));
}

function countsIn(differing: Uint8Array): Effect {
  const counts = DIRECTIONS.map(() => 0);
  for (const found of differing) if (found > 0) counts[found - 1] = (counts[found - 1] ?? 0) + 1;
  return effectFrom(counts);
}

function countIn(effect: Effect, directions: readonly Direction[]): number {
  return directions.reduce((sum, direction) => sum + effect[direction], 0);
}

/** Removes contents that the viewer does not see from the reasons of rows. */
async function hidden(reading: Reading, viewer: Viewer, rows: readonly WithoutRow[]): Promise<WithoutRow[]> {
  const keyOf = ({ reason: { content } }: HeldRole) =>
    content === undefined ? [] : [contentKey(content.kind, content.id)];
  const keys = new Set(rows.flatMap(({ after }) => (after === null ? [] : keyOf(after))));
  const seen = await visible(reading, viewer, [...keys]);
  return rows.map((row) => {
    if (row.after === null || keyOf(row.after).every((key) => seen.has(key))) return row;
    const { rule } = row.after.reason;
    return {
      ...row,
      after: { role: row.after.role, reason: { rule, because: ["something above that you do not see"] } },
    };
  });
}

/** What was worked out for the last sources that were asked for. */
interface Known {
  affected?: Promise<ByTitle>;
  effects?: Promise<(content: number) => Effect>;
}

const KNOWN = 8;
const known = derived(RECORD_KINDS, () => new Map<string, Known>());

function knownOf(model: Model, without: Without): Known {
  const all = known(model);
  const name = writeWithout(without);
  const found = all.get(name) ?? {};
  all.delete(name);
  all.set(name, found);
  const [oldest] = all.keys();
  if (all.size > KNOWN && oldest !== undefined) all.delete(oldest);
  return found;
}

function affectedByTitle(model: Model, without: Without): Promise<ByTitle> {
  return (knownOf(model, without).affected ??= workInTurns(affectedBy(model, without)));
}

/** How many people have another role, by content. */
function effectsOf(whatIf: WhatIf, without: Without): Promise<(content: number) => Effect> {
  return (knownOf(whatIf.before, without).effects ??= workInTurns(effectsOnAll(whatIf)));
}

/**
 * The contents on which the source is set, and the contents that inherit from these. In a CSV file, each has the number
 * of affected users.
 */
export function concerned(states: States, { q, ...filter }: Filter): ListOpener<ConcernedRow> {
  const without = removedIn(states);
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const { order, keyOf: titleKey } = await affectedByTitle(model, without);
    const isNamed = await keptBy(model, { ...filter, q, deleted: undefined });
    const list = { entries: order.filter(isNamed), keyOf: titleKey, isCounted: true };
    return {
      ...openOrdered(list, (x) => contentRow(view, x)),
      async page(request, asked) {
        // The page requests the counts of the rows on the screen separately.
        const whatIf = asked === "id" ? await workInTurns(withoutSources(model, [without])) : undefined;
        const effectIn = whatIf && (await effectsOf(whatIf, without));
        const rowOf = (x: number): ConcernedRow => ({
          ...contentRow(view, x),
          ...(effectIn && { counts: effectIn(x) }),
        });
        return openOrdered(list, rowOf).page(request, asked);
      },
    };
  };
}

/** The users whose role differs without the source, on each content that the source affects. */
export function pairs(states: States, filter: Filter): ListOpener<PairRow> {
  const without = removedIn(states);
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const whatIf = await workInTurns(withoutSources(view.model, [without]));
    return {
      page: async (request) =>
        mapped(await pairsWithout(whatIf, without, request, filter), ({ content, row }) => [
          { ...row, ...contentRow(view, content) },
        ]),
      count: async () => ({ total: await countPairs(whatIf, without, filter) }),
    };
  };
}

/** The time after which a page ends early, in milliseconds. */
const PATIENCE = 2_000;

interface PairWithout {
  readonly content: number;
  readonly row: WithoutRow;
}

/**
 * Everybody whose role differs when a source is removed, on every content that the source affects. Sorted by content
 * (collections before spaces, each kind by title), then as {@link differenceRows}.
 */
async function pairsWithout(
  whatIf: WhatIf,
  without: Without,
  { after, limit }: PageRequest<string>,
  filter: Filter,
): Promise<Page<PairWithout, string>> {
  const { order, keyOf: titleKey } = await affectedByTitle(whatIf.before, without);
  const effectIn = await effectsOf(whatIf, without);
  const directions = directionsOf(filter);
  const [begun, inner] = after?.split(SEPARATOR) ?? [];
  const first = begun === undefined ? -1 : order.findIndex((content) => titleKey(content) === begun);
  const entries: PairWithout[] = [];
  const until = performance.now() + PATIENCE;
  for (const content of order.subarray(Math.max(0, first))) {
    if (countIn(effectIn(content), directions) === 0) continue;
    const isBegun = first >= 0 && content === order[first];
    // A filter may leave few rows on very many contents; then the page ends early.
    if (entries.length === limit || (!isBegun && performance.now() > until))
      return { entries, next: `${titleKey(content)}${SEPARATOR}` };
    const differing = await differingFor(whatIf, content, filter);
    const behind = isBegun && inner !== "" ? inner : undefined;
    const request = { after: behind, limit: limit - entries.length };
    const page = await differenceRows(whatIf, content, differing, request, directions);
    entries.push(...page.entries.map((row) => ({ content, row })));
    if (page.next !== undefined) return { entries, next: `${titleKey(content)}${SEPARATOR}${page.next}` };
  }
  return { entries };
}

/** A character that occurs in no title and no id. */
const SEPARATOR = "\0";

async function countPairs(whatIf: WhatIf, without: Without, filter: Filter): Promise<number> {
  const directions = directionsOf(filter);
  const { changes: _, ...rest } = filter;
  const effectIn = await effectsOf(whatIf, without);
  let total = 0;
  for (const content of (await affectedByTitle(whatIf.before, without)).order) {
    const all = countIn(effectIn(content), directions);
    if (all === 0 || !isFiltering(rest)) total += all;
    else total += countIn(countsIn(await differingFor(whatIf, content, rest)), directions);
  }
  return total;
}

/**
 * The users whose role on a content differs: losses of access first, then lower roles, higher roles and gains, each
 * sorted by user id. `differing` is as {@link differingOn} returns it.
 */
export async function differenceRows(
  whatIf: WhatIf,
  content: number,
  differing: Uint8Array,
  request: PageRequest<string>,
  directions: readonly Direction[],
): Promise<Page<WithoutRow, string>> {
  const { before, after: then } = whatIf;
  const key = keyOf(before, content);
  const titles = titlesIn(before);
  const heldIn = (model: Model, member: number): HeldRole | null => {
    const decision = decisionOn(model, member, content);
    return decision === undefined ? null : { role: decision.role, reason: reasonOf(key, decision, titles) };
  };
  return groupByGroup(
    request,
    directions,
    ({ user }) => user.id,
    async (direction, { after, limit }) => {
      const wanted = 1 + DIRECTIONS.indexOf(direction);
      const found: number[] = [];
      for (let from = memberBehind(before, after); found.length <= limit; from = (found.at(-1) ?? 0) + 1) {
        const member = differing.indexOf(wanted, from);
        if (member < 0) break;
        found.push(member);
      }
      const rows = found.map((member) => ({
        user: personIn(before, member),
        direction,
        before: heldIn(before, member),
        after: heldIn(then, member),
      }));
      return pageOf(rows, limit, ({ user }) => user.id);
    },
  );
}

/** The first member behind an id. */
function memberBehind(model: Model, id: string | undefined): number {
  if (id === undefined) return 0;
  const first = firstFrom(model.members.ids, id);
  return first < model.members.count && memberId(model, first) === id ? first + 1 : first;
}
