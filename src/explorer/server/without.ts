import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { DIRECTIONS, type Direction, type Effect } from "../../domain/difference.ts";
import { ApiError } from "../../domain/error.ts";
import type { Decision } from "../../domain/ladder.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Reason, type Titles, reasonOf } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import { quote } from "../../domain/text.ts";
import type { Person } from "../../domain/why.ts";
import {
  WITHOUT_SPELLING,
  type Without,
  ladderWithout,
  readWithout,
  withoutCommand,
  writeWithout,
} from "../../domain/without.ts";
import { absent } from "../../operations/authorize.ts";
import type { CacheKind } from "../../store/cache/cache.ts";
import { chainOf, chains } from "../../store/directory/ancestors.ts";
import { contents } from "../../store/directory/inheritance.ts";
import { personOf } from "../../store/directory/person.ts";
import { membersAt } from "../../store/directory/rows/member-rows.ts";
import { roleCounts } from "../../store/listings/counts.ts";
import type { AccessDifference, DifferenceHit } from "../../store/listings/difference.ts";
import { countsWithout } from "../../store/listings/without/below.ts";
import { differenceWithout } from "../../store/listings/without/difference.ts";
import { concernedBy } from "../../store/listings/without/inheriting.ts";
import { peopleWithout } from "../../store/listings/without/people.ts";
import { sourceOf } from "../../store/listings/without/source.ts";
import type { Reading } from "../../store/reading.ts";
import { decodeMemberRole } from "../../store/schema/encoding.ts";
import { inTurns } from "../../store/turns.ts";
import type { WithoutAnswer } from "../wire/answers.ts";
import type { Stamp } from "../wire/protocol.ts";
import { type Asker, mayList, mustSeeAll, visible } from "./viewer.ts";
import {
  type Filter,
  type Subject,
  countOf,
  directionsOf,
  isFiltering,
  keyIn,
  only,
  subjectOf,
} from "./query.ts";
import { filteredWithout } from "./filtered.ts";
import { groupByGroup } from "./list.ts";
import type { ExplorerOperation } from "./operation.ts";
import type { Query } from "./query.ts";
import { membersOn, roleOfTeam, teamTitles } from "./people.ts";

/** The time limit of one answer, in milliseconds. The answer then has the counts so far. */
const BUDGET = 150;

export const without: ExplorerOperation = {
  id: "explorerWithout",
  path: "/explorer/without",
  summary: "Count the people whose role changes without a permission, a team or a default level",
  description:
    "With `space` or `collection`: the number of people whose role on that content differs without the source. Without a content: the number of people with a difference on any content, each counted once, as far as a short time allows; to continue, send `done` back as `from`, and add the counts. Nothing is changed.",
  parameters: ["space", "collection", "without", "from"],
  takes: "revision",
  ask(query) {
    const source = withoutIn(query);
    const subject =
      query.has("space") || query.has("collection") ? subjectOf(query, ["space", "collection"]) : undefined;
    only(query, [...(subject === undefined ? ["from"] : [subject.kind]), "without", "revision"]);
    const from = countOf(query, "from");
    return async (asking) => {
      await mayLeaveOut(asking, source, subject);
      const { reading } = asking;
      const found = await sourceOf(reading, source);
      if (found === undefined) throw absent("source", query.get("without") ?? "");
      const contents = (await concernedBy(reading, source)).length;
      const fields: Omit<WithoutAnswer, keyof Stamp> = {
        source: found.phrase,
        ...(asking.viewer.all ? { contents } : {}),
        command: withoutCommand(source),
        ...(subject === undefined
          ? { people: await peopleWithout(reading, source, from, BUDGET) }
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
  const difference = await differenceWithout(reading, key, source);
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

interface Pair {
  readonly content: ContentKey;
  readonly row: DifferenceRow;
}

/** The time after which a page ends early, in milliseconds. */
const PATIENCE = 2_000;

/** The number of contents whose differences are counted together. Contents without a difference are then skipped. */
const CONTENTS_AT_ONCE = 200;

const KIND: CacheKind<ReadonlyMap<ContentKey, Effect>> = { name: "pairs", bytes: ({ size }) => 200 * size };

/**
 * Everybody whose role differs when a source is removed, on every content that the source affects. Sorted by content
 * (collections before spaces, each kind by title), then as {@link differenceRows}.
 */
export async function pairsWithout(
  reading: Reading,
  without: Without,
  { after, limit }: PageRequest<string>,
  filter: Filter,
): Promise<Page<Pair, string>> {
  const concerned = await concernedBy(reading, without);
  const [begun, inner] = after?.split(SEPARATOR) ?? [];
  const first = Math.max(
    0,
    concerned.findIndex(({ position }) => position === begun),
  );
  const entries: Pair[] = [];
  let next: string | undefined;
  const until = performance.now() + PATIENCE;
  for (let place = first; place < concerned.length && next === undefined; place++) {
    const block = Math.floor(place / CONTENTS_AT_ONCE);
    const counts = await reading.cache.once(KIND, reading.at, `${block} ${writeWithout(without)}`, () =>
      countsWithout(
        reading,
        without,
        concerned
          .slice(block * CONTENTS_AT_ONCE, (block + 1) * CONTENTS_AT_ONCE)
          .map(({ content }) => content),
      ),
    );
    const { content, position } = concerned[place] ?? {};
    const found = content && counts.get(content);
    if (content === undefined || found === undefined || isNone(found, filter)) continue;
    // A filter may leave few rows on very many contents; then the page ends early.
    if (entries.length === limit || (place > first && performance.now() > until)) {
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
  const whole = await countsWithout(reading, without, keys);
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

export interface Held {
  readonly role: Role;
  readonly reason: Reason;
}

/** A user whose role differs; `null` is no access. */
interface DifferenceRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: Held | null;
  readonly after: Held | null;
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
  directions: readonly Direction[] = DIRECTIONS,
): Promise<Page<DifferenceRow, string>> {
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
): Promise<DifferenceRow[]> {
  const members = await membersAt(
    reading,
    hits.map(({ position }) => position),
  );
  const decisions = hits.flatMap(({ before, after }) =>
    [before?.decision ?? [], after?.decision ?? []].flat(),
  );
  const titles = await titlesOf(reading, key, decisions);
  const held = (side: DifferenceHit["before"]): Held | null => {
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

async function titlesOf(reading: Reading, key: ContentKey, decisions: readonly Decision[]): Promise<Titles> {
  const keys = decisions.flatMap(({ level }) => level?.content ?? []);
  const [teams, loaded] = await Promise.all([
    teamTitles(reading, decisions),
    contents(reading, [...new Set([key, ...keys])]),
  ]);
  return {
    content: (content) => loaded.get(content)?.title ?? content,
    team: (id) => teams.get(id) ?? id,
  };
}

/** Parses and authorizes the parameter `without`, which names a source of access to remove. */

/** Throws 400 for a text that is not a source. */
export function withoutIn(query: Query): Without {
  const text = query.get("without") ?? "";
  const without = text.includes("\0") ? undefined : readWithout(text);
  if (without !== undefined) return without;
  throw new ApiError("badRequest", `The parameter without is ${quote(text)}; accepted: ${WITHOUT_SPELLING}.`);
}

/**
 * Returns if the caller may see the effect of removing the source, on `subject` or on all contents. Throws 403 or 404
 * otherwise.
 */
export async function mayLeaveOut(
  asker: Asker,
  without: Without,
  subject: Subject | undefined,
): Promise<void> {
  if (subject === undefined) mustSeeAll(asker, "ask about all contents");
  else await mayList(asker, subject);
  if (!("content" in without)) mustSeeAll(asker, "ask about a whole team");
  else {
    const { content } = without;
    await mayList(asker, { kind: kindOf(content), id: idOf(content) });
    if (without.of === "default" && subject !== undefined) {
      await maySeeNextLevel(asker, keyIn(subject), without);
    }
  }
  if ((await sourceOf(asker.current, without)) !== undefined) return;
  throw new ApiError("notFound", `There is no such source: ${sourceWords(without)}.`);
}

/**
 * Without this default level, an ancestor's default level decides. Throws 403 unless the caller sees every content of
 * the ladder up to this ancestor.
 */
async function maySeeNextLevel({ viewer, current }: Asker, key: ContentKey, without: Without): Promise<void> {
  if (viewer.all) return;
  const loaded = await chains(current, [key]);
  const start = loaded.get(key);
  const ladder = start === undefined ? [] : ladderWithout(chainOf(start, loaded), without);
  const keys = ladder.map(({ content }) => content);
  const seen = await visible(current, viewer, keys);
  if (ladder.at(-1)?.defaultLevel !== "inherit" && keys.every((each) => seen.has(each))) return;
  throw new ApiError(
    "forbidden",
    "This token may not see the effect of removing this default level, because it may not see what lies above; that takes an organization admin or an organization token.",
  );
}

function sourceWords(without: Without): string {
  if (without.of === "team") return `team ${quote(without.team)}`;
  const where = `${kindOf(without.content)} ${quote(idOf(without.content))}`;
  if (without.of === "default") return `a default level on ${where}`;
  const who = without.of === "user" ? `user ${quote(without.user)}` : `team ${quote(without.team)}`;
  return `a permission of ${who} on ${where}`;
}
