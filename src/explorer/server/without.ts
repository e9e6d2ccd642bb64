/** What changes if a source of access is removed: the numbers of people, and the lists of people and contents. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import type { Direction, Effect } from "../../domain/difference.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { reasonOf } from "../../domain/reason.ts";
import { type Without, withoutCommand, writeWithout } from "../../domain/without.ts";
import { titlesIn } from "../../model/records.ts";
import { absent } from "../../operations/authorize.ts";
import type { CacheKind } from "../../store/cache.ts";
import { personOf } from "../../store/directory/person.ts";
import { membersAt } from "../../store/directory/member-rows.ts";
import { roleCounts } from "../../store/listings/counts.ts";
import type { AccessDifference, DifferenceHit } from "../../store/listings/difference.ts";
import {
  concernedBy,
  countsWithout,
  differenceWithout,
  peopleWithout,
  sourceOf,
} from "../../store/listings/without.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { decodeMemberRole } from "../../store/schema/encoding.ts";
import { inTurns } from "../../store/turns.ts";
import type { WithoutAnswer } from "../wire/answers.ts";
import type { ConcernedRow, HeldRole, PairRow, WithoutRow } from "../wire/lists.ts";
import type { Stamp } from "../wire/protocol.ts";
import { filteredWithout } from "./filtered.ts";
import { type ListOpener, groupByGroup, matching, openSorted } from "./list.ts";
import { contentRows } from "./nodes.ts";
import type { ExplorerOperation } from "./operation.ts";
import { membersOn, roleOfTeam } from "./people.ts";
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
import { type Viewer, visible } from "./viewer.ts";

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
      const found = await sourceOf(reading, source);
      if (found === undefined) throw absent("source", query.get("without") ?? "");
      const contents = (await concernedBy(reading, source)).length;
      const fields: Omit<WithoutAnswer, keyof Stamp> = {
        source: found.phrase,
        ...(asking.viewer.all ? { contents } : {}),
        command: withoutCommand(source),
        ...(several !== undefined
          ? { effects: Object.fromEntries(await countsWithout(reading, [source], several)) }
          : subject === undefined
            ? { people: await peopleWithout(reading, [source], { from, budget: BUDGET }) }
            : await onContent(reading, keyIn(subject), source)),
      };
      return { of: "thing", fields };
    };
  },
};

async function onContent(
  reading: Reading,
  key: ContentKey,
  source: Without,
): Promise<Pick<WithoutAnswer, "here" | "team">> {
  const difference = await differenceWithout(reading, key, [source]);
  const here = await difference?.counts();
  if (here === undefined) return {};
  if (source.of !== "team") return { here };
  const [role, query] = await Promise.all([
    roleOfTeam(reading, key, source.team),
    membersOn(reading, key, source.team),
  ]);
  if (role === undefined || query === undefined) return { here };
  return { here, team: { role, members: await roleCounts(reading, `${key} of team/${source.team}`, query) } };
}

/** The users whose role on one content differs without the source. */
export function withoutOn(key: ContentKey, states: States, filter: Filter): ListOpener<WithoutRow> {
  return async (reading, viewer) => {
    const difference = await filteredWithout(reading, key, removedIn(states), filter);
    if (difference === undefined) return undefined;
    // Callers must not learn whether a user without a role exists.
    const directions = directionsOf(filter).filter((each) => viewer.all || each !== "gained");
    return {
      async page(request) {
        const page = await differenceRows(reading, key, difference, request, directions);
        return viewer.all ? page : { ...page, entries: await hidden(reading, viewer, page.entries) };
      },
      async count() {
        const counts = await difference.counts();
        return { total: directions.reduce((sum, each) => sum + counts[each], 0) };
      },
    };
  };
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

/**
 * The contents on which the source is set, and the contents that inherit from these. In a CSV file, each has the number
 * of affected users.
 */
export function concerned(states: States, { q }: Filter): ListOpener<ConcernedRow> {
  const without = removedIn(states);
  const isNamed = matching(q);
  return async (reading, viewer) => {
    const all = (await concernedBy(reading, without)).filter(({ title }) => isNamed(title));
    return openSorted(all, async (some, order) => {
      const keys = some.map(({ content }) => content);
      const [rows, counts] = await Promise.all([
        contentRows(reading, viewer, keys),
        // The page requests the counts of the rows on the screen separately.
        order === "id" ? countsWithout(reading, [without], keys) : undefined,
      ]);
      return keys.flatMap((key): ConcernedRow[] => {
        const [row, effect] = [rows.get(key), counts?.get(key)];
        return row === undefined ? [] : [{ ...row, ...(effect && { counts: effect }) }];
      });
    });
  };
}

/** The users whose role differs without the source, on each content that the source affects. */
export function pairs(states: States, filter: Filter): ListOpener<PairRow> {
  const without = removedIn(states);
  return async (reading, viewer) => ({
    async page(request) {
      const page = await pairsWithout(reading, without, request, filter);
      const rows = await contentRows(reading, viewer, [
        ...new Set(page.entries.map(({ content }) => content)),
      ]);
      const entries = page.entries.flatMap(({ content, row }): PairRow[] => {
        const of = rows.get(content);
        return of === undefined ? [] : [{ ...row, ...of }];
      });
      return { ...page, entries };
    },
    async count() {
      const counts = await countsOfPairs(reading, without, filter);
      const directions = directionsOf(filter);
      return {
        total: counts.reduce((sum, each) => directions.reduce((all, way) => all + each[way], sum), 0),
      };
    },
  });
}

/** The time after which a page ends early, in milliseconds. */
const PATIENCE = 2_000;

/** The number of contents whose differences are counted together. Contents without a difference are then skipped. */
const CONTENTS_AT_ONCE = 200;

const KIND: CacheKind<ReadonlyMap<ContentKey, Effect>> = { name: "pairs", bytes: ({ size }) => 200 * size };

interface PairWithout {
  readonly content: ContentKey;
  readonly row: WithoutRow;
}

/**
 * Everybody whose role differs when a source is removed, on every content that the source affects. Sorted by content
 * (collections before spaces, each kind by title), then as {@link differenceRows}.
 */
export async function pairsWithout(
  reading: Reading,
  without: Without,
  { after, limit }: PageRequest<string>,
  filter: Filter,
): Promise<Page<PairWithout, string>> {
  const concerned = await concernedBy(reading, without);
  const [begun, inner] = after?.split(SEPARATOR) ?? [];
  const first = Math.max(
    0,
    concerned.findIndex(({ position }) => position === begun),
  );
  const entries: PairWithout[] = [];
  let next: string | undefined;
  const until = performance.now() + PATIENCE;
  for (let nth = first; nth < concerned.length && next === undefined; nth++) {
    const block = Math.floor(nth / CONTENTS_AT_ONCE);
    const counts = await reading.cache.once(KIND, reading.at, `${block} ${writeWithout(without)}`, () =>
      countsWithout(
        reading,
        [without],
        concerned
          .slice(block * CONTENTS_AT_ONCE, (block + 1) * CONTENTS_AT_ONCE)
          .map(({ content }) => content),
      ),
    );
    const { content, position } = concerned[nth] ?? {};
    const found = content && counts.get(content);
    if (content === undefined || found === undefined || isNone(found, filter)) continue;
    // A filter may leave few rows on very many contents; then the page ends early.
    if (entries.length === limit || (nth > first && performance.now() > until)) {
      next = `${position}${SEPARATOR}`;
      break;
    }
    const difference = await filteredWithout(reading, content, without, filter);
    if (difference === undefined) continue;
    const behind = position === begun && inner !== "" ? inner : undefined;
    const request = { after: behind, limit: limit - entries.length };
    const page = await differenceRows(reading, content, difference, request, directionsOf(filter));
    entries.push(...page.entries.map((row) => ({ content, row })));
    if (page.next !== undefined) next = `${position}${SEPARATOR}${page.next}`;
  }
  return next === undefined ? { entries } : { entries, next };
}

/** A character that occurs in no title and no id. */
const SEPARATOR = "\0";

function isNone(effect: Effect, filter: Filter): boolean {
  return directionsOf(filter).every((direction) => effect[direction] === 0);
}

/** The number of pairs per direction, by content. */
export async function countsOfPairs(
  reading: Reading,
  without: Without,
  filter: Filter,
): Promise<readonly Effect[]> {
  const keys = (await concernedBy(reading, without)).map(({ content }) => content);
  const { changes: _, ...rest } = filter;
  const whole = await countsWithout(reading, [without], keys);
  if (!isFiltering(rest)) return [...whole.values()];
  const counts: Effect[] = [];
  for await (const [key, effect] of inTurns([...whole])) {
    const difference = isNone(effect, filter)
      ? undefined
      : await filteredWithout(reading, key, without, rest);
    if (difference !== undefined) counts.push(await difference.counts());
  }
  return counts;
}

/**
 * The users whose role on a content differs: losses of access first, then lower roles, higher roles and gains, each
 * sorted by user id.
 */
export async function differenceRows(
  reading: Reading,
  key: ContentKey,
  difference: AccessDifference,
  request: PageRequest<string>,
  directions: readonly Direction[],
): Promise<Page<WithoutRow, string>> {
  return groupByGroup(
    request,
    directions,
    ({ user }) => user.id,
    async (direction, { after, limit }) => {
      const hits = await difference.find(direction, after, limit + 1);
      return pageOf(await rowsOf(reading, key, direction, hits), limit, ({ user }) => user.id);
    },
  );
}

async function rowsOf(
  reading: Reading,
  key: ContentKey,
  direction: Direction,
  hits: readonly DifferenceHit[],
): Promise<WithoutRow[]> {
  const members = await membersAt(
    reading,
    hits.map(({ position }) => position),
  );
  const titles = titlesIn(await modelOf(reading));
  const held = (side: DifferenceHit["before"]): HeldRole | null => {
    if (side === undefined) return null;
    const { role, decision } = side;
    if (decision === undefined) throw new Error(`No source gives ${role} on ${key}.`);
    return { role, reason: reasonOf(key, decision, titles) };
  };
  return hits.map(({ position, before, after }) => {
    const row = members.get(position);
    if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const [, id, own, text, omitted] = row;
    return {
      user: personOf({ id, role: decodeMemberRole(own), document: { text, omitted } }),
      direction,
      before: held(before),
      after: held(after),
    };
  });
}
