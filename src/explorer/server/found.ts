/**
 * The list of everything that a search finds: contents, sites and teams, which are few and read at once, then members,
 * which are read page by page.
 */
import { idOf, kindOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import type { CacheKind } from "../../store/cache.ts";
import { contents } from "../../store/directory/contents.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Reading } from "../../store/reading.ts";
import { type TwoReadings, changedRecords } from "../../store/revisions/diff/log.ts";
import { contentTitleKey, decodeContent, titleKeyOf } from "../../store/schema/encoding.ts";
import { type SearchGroup, matches, queryOf } from "../../store/schema/search-terms.ts";
import { inBlocks } from "../../store/turns.ts";
import type { SearchHit, MemberRow } from "../wire/lists.ts";
import { siteNodes } from "./catalog.ts";
import type { SubjectKind } from "../wire/protocol.ts";
import type { Filter } from "./query.ts";
import { hitsOf } from "./search.ts";
import { type ListOpener, type Opened, pageWithin } from "./list.ts";
import { newThings } from "./newcomers.ts";
import { allMembers } from "./people.ts";
import { thingsMatching } from "./search-index.ts";
import type { Viewer } from "./viewer.ts";

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
    const all = (await titlesFound(reading, filter.q)).filter(
      ({ kind: of, id }) => added?.has(`${of}/${id}`) !== false,
    );
    return people && openFound(reading, viewer, all, people, kind);
  };
}

async function newThingsOf({ before, after }: TwoReadings): Promise<string[]> {
  const records = await changedRecords(after, before.at, after.at, ["team", "collection", "space", "site"]);
  return records.flatMap(({ kind, team, content, site, was }) =>
    was === undefined ? (content ?? `${kind}/${team ?? site ?? ""}`) : [],
  );
}

function openFound(
  reading: Reading,
  viewer: Viewer,
  all: readonly FoundTitle[],
  people: Opened<MemberRow>,
  kind: SubjectKind | undefined,
): Opened<SearchHit> {
  const titles = kind === undefined ? all : all.filter((each) => each.kind === kind);
  const hasPeople = kind === undefined || kind === "member";
  return {
    async page(request, order) {
      const { after, limit } = request;
      const behind = after?.startsWith(MEMBER) === true ? after.slice(MEMBER.length) : undefined;
      const page = behind === undefined ? pageWithin(titles, request) : { entries: [] };
      const names = page.entries.map(({ kind: of, id }) => `${of}/${id}`);
      const known = await hitsOf(reading, viewer, names);
      const hits = names.flatMap((name) => known.get(name) ?? []);
      if (page.next !== undefined || !hasPeople) return { ...page, entries: hits };
      const left = limit - page.entries.length;
      // The page is full, so the next page begins with the first member.
      if (left === 0) return { entries: hits, next: MEMBER };
      const { entries, next } = await people.page({ after: behind || undefined, limit: left }, order);
      const members = entries.map(({ user }): SearchHit => ({ kind: "member", ...user }));
      return { entries: [...hits, ...members], ...(next !== undefined && { next: `${MEMBER}${next}` }) };
    },
    async count() {
      const kinds = { collection: 0, space: 0, site: 0, team: 0, member: (await people.count()).total };
      for (const { kind: of } of all) kinds[of]++;
      return { total: titles.length + (hasPeople ? kinds.member : 0), kinds };
    },
    async keyOf(row, order) {
      const title = titles[row];
      if (title !== undefined) return title.position;
      const key = hasPeople ? await people.keyOf?.(row - titles.length, order) : undefined;
      return key && `${MEMBER}${key}`;
    },
  };
}

/** `position` sorts by kind, then title. */
interface FoundTitle {
  readonly kind: "collection" | "space" | "site" | "team";
  readonly id: string;
  readonly position: string;
}

const NAMES_PER_READ = 1000;

const KIND: CacheKind<readonly FoundTitle[]> = {
  name: "things-found",
  bytes: (found) => 100 + 200 * found.length,
};

type FoundSubject = FoundTitle & { readonly title: string };

type ReadTitles = (reading: Reading, names: readonly string[]) => Promise<readonly FoundSubject[]>;

/** How to read each group, in list order. The positions put collections before spaces, sites and teams. */
const GROUPS: readonly (readonly [SearchGroup, ReadTitles])[] = [
  ["content", contentTitles],
  ["site", titlesBy(siteNodes, "2")],
  ["team", titlesBy(teamNodes, "3")],
];

async function contentTitles(reading: Reading, names: readonly string[]): Promise<FoundSubject[]> {
  const keys = names.map(decodeContent);
  // The result also has ancestors of the requested contents.
  const loaded = await contents(reading, keys);
  return keys
    .flatMap((key) => loaded.get(key) ?? [])
    .map(({ content, title }) => {
      const position = contentTitleKey(content, title);
      return { kind: kindOf(content), id: idOf(content), title, position };
    });
}

function titlesBy(nodes: typeof siteNodes | typeof teamNodes, first: string): ReadTitles {
  return async (reading, names) => {
    const found = await nodes(
      reading,
      names.map((name) => name.slice(name.indexOf("/") + 1)),
    );
    return [...found.values()].map(({ kind, id, title }) => {
      return { kind, id, title, position: `${first}${titleKeyOf(title, id)}` };
    });
  };
}

/** The contents, sites and teams whose title matches a text, sorted by kind, title and id. Cached per revision. */
export function titlesFound(reading: Reading, text: string): Promise<readonly FoundTitle[]> {
  const query = queryOf(text);
  return reading.cache.once(KIND, reading.at, query.text, async () => {
    const all: FoundTitle[] = [];
    for (const [group, read] of GROUPS) {
      const names = await thingsMatching(reading, group, query, Number.POSITIVE_INFINITY);
      for await (const block of inBlocks([...(names ?? [])], NAMES_PER_READ)) {
        for (const { title, ...titled } of await read(reading, block)) {
          if (matches([title], query)) all.push(titled);
        }
      }
    }
    return all.sort((a, b) => compareIds(a.position, b.position));
  });
}
