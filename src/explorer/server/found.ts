/** The list of everything that a search finds: contents, sites and teams, then members. */
import { queryOf } from "../../domain/search.ts";
import { isAmong } from "../../model/lists.ts";
import { keyOf, type Model } from "../../model/model.ts";
import { type Kind, numbersMatching } from "../../model/names.ts";
import type { Hit } from "../../model/search.ts";
import { contentsByTitle, sitesByTitle, teamsByTitle, type Titled } from "../../model/titles.ts";
import { type TwoReadings, changedRecords } from "../../store/revisions/diff/log.ts";
import { workInTurns } from "../../store/turns.ts";
import type { SearchHit, MemberRow } from "../wire/lists.ts";
import type { SubjectKind } from "../wire/protocol.ts";
import type { Filter } from "./query.ts";
import { hitOf } from "./search.ts";
import { type ListOpener, type Opened, openOrdered } from "./list.ts";
import { newThings } from "./newcomers.ts";
import { allMembers } from "./people.ts";
import { type View, viewOf } from "./viewer.ts";

/** The first character of a member's sort key. Members come last, because there may be a million of them. */
const MEMBER = "4";

const NOTHING: Opened<SearchHit> = {
  total: 0,
  page: async () => ({ entries: [] }),
  count: async () => ({ total: 0 }),
};

/** Everything that matches the filter `q`, or only one kind: collections, then spaces, sites, teams and members. */
export function found(filter: Filter, kind: SubjectKind | undefined): ListOpener<SearchHit> {
  return async (reading, viewer) => {
    if (filter.q === "") return NOTHING;
    const people = await allMembers(filter)(reading, viewer);
    const added = await newThings(reading, filter.since, "everything", newThingsOf);
    const view = await viewOf(reading, viewer);
    const { hits, positionOf } = await titlesFound(view.model, filter.q);
    const all = hits.filter((hit) => added?.has(nameOf(view.model, hit)) !== false);
    return people && openFound(view, all, positionOf, people, kind);
  };
}

async function newThingsOf({ before, after }: TwoReadings): Promise<string[]> {
  const records = await changedRecords(after, before.at, after.at, ["team", "collection", "space", "site"]);
  return records.flatMap(({ kind, team, content, site, was }) =>
    was === undefined ? (content ?? `${kind}/${team ?? site ?? ""}`) : [],
  );
}

function openFound(
  view: View,
  all: readonly Hit[],
  positionOf: (hit: Hit) => string,
  people: Opened<MemberRow>,
  kind: SubjectKind | undefined,
): Opened<SearchHit> {
  const { model } = view;
  const titles = kind === undefined ? all : all.filter((hit) => subjectKindOf(model, hit) === kind);
  const hasPeople = kind === undefined || kind === "member";
  const titled = openOrdered({ entries: titles, keyOf: positionOf, isCounted: false }, (hit) =>
    hitOf(view, hit),
  );
  return {
    async page(request, order) {
      const { after, limit } = request;
      const behind = after?.startsWith(MEMBER) === true ? after.slice(MEMBER.length) : undefined;
      const page = behind === undefined ? await titled.page(request, order) : { entries: [] };
      if (page.next !== undefined || !hasPeople) return page;
      const left = limit - page.entries.length;
      // The page is full, so the next page begins with the first member.
      if (left === 0) return { ...page, next: MEMBER };
      const { entries, next } = await people.page({ after: behind || undefined, limit: left }, order);
      const members = entries.map(({ user }): SearchHit => ({ kind: "member", ...user }));
      return {
        entries: [...page.entries, ...members],
        ...(next !== undefined && { next: `${MEMBER}${next}` }),
      };
    },
    async count() {
      const kinds = { collection: 0, space: 0, site: 0, team: 0, member: (await people.count()).total };
      for (const hit of all) kinds[subjectKindOf(model, hit)]++;
      return { total: titles.length + (hasPeople ? kinds.member : 0), kinds };
    },
    async keyOf(row, order) {
      const title = titles[row];
      if (title !== undefined) return positionOf(title);
      const key = hasPeople ? await people.keyOf?.(row - titles.length, order) : undefined;
      return key && `${MEMBER}${key}`;
    },
  };
}

/** How each kind is sorted. The sort keys put collections before spaces, sites and teams. */
const ORDERS: readonly (readonly [kind: Titled, byTitle: typeof sitesByTitle, first: string])[] = [
  ["content", contentsByTitle, ""],
  ["site", sitesByTitle, "2"],
  ["team", teamsByTitle, "3"],
];

/** The contents, sites and teams whose title matches a text, sorted by kind, title and id, with their sort keys. */
async function titlesFound(
  model: Model,
  text: string,
): Promise<{ readonly hits: readonly Hit[]; readonly positionOf: (hit: Hit) => string }> {
  const query = queryOf(text);
  const hits: Hit[] = [];
  const keys = new Map<Kind, (number: number) => string>();
  for (const [kind, byTitle, first] of ORDERS) {
    const numbers = await workInTurns(numbersMatching(model, kind, query));
    const { order, keyOf: titleKey } = await workInTurns(byTitle(model));
    keys.set(kind, (number) => `${first}${titleKey(number)}`);
    for (const number of order) if (isAmong(numbers, number)) hits.push({ kind, number });
  }
  return { hits, positionOf: ({ kind, number }) => keys.get(kind)?.(number) ?? "" };
}

function subjectKindOf({ contents }: Model, { kind, number }: Hit): SubjectKind {
  if (kind !== "content") return kind;
  return contents.isSpace[number] === 1 ? "space" : "collection";
}

function nameOf(model: Model, { kind, number }: Hit): string {
  if (kind === "content") return keyOf(model, number);
  return `${kind}/${(kind === "site" ? model.sites : model.teams).ids[number] ?? ""}`;
}
