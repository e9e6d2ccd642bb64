/** The request for a search, and how matches are found and ordered; the rules are at `SearchAnswer` in the wire. */
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { people } from "../../store/directory/person.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Reading } from "../../store/reading.ts";
import { decodeContent } from "../../store/schema/encoding.ts";
import {
  type SearchGroup,
  type EntryMark,
  type SearchQuery,
  entriesOf,
  entryOf,
  matches,
  queryOf,
  tidy,
} from "../../store/schema/search-terms.ts";
import type { SearchAnswer } from "../wire/answers.ts";
import type { SearchHit } from "../wire/lists.ts";
import type { Stamp } from "../wire/protocol.ts";
import { siteNodes } from "./catalog.ts";
import { textsOf as textsOfPerson } from "./list.ts";
import { placed, titlesIn } from "./nodes.ts";
import type { ExplorerOperation } from "./operation.ts";
import { type SubjectName, only, optionalSubjectOf, textOf, wordOf } from "./query.ts";
import { type SearchEntry, changedSince, rangeOf, under, withWords } from "./search-index.ts";
import { type Viewer, mayList, visible } from "./viewer.ts";
import { roleOn } from "./why.ts";

export const search: ExplorerOperation = {
  id: "explorerSearch",
  path: "/explorer/search",
  summary: "Search by title, name or e-mail address",
  description:
    "Up to 12 things whose id is `q`, or whose title, display name or e-mail address begins with `q` or has, for each word of `q`, a word that begins with it. Callers who do not see everything find only visible contents and themselves. With `kind=member` and one of `space`, `collection` and `site`, each member has their effective role there, for callers who may list it.",
  parameters: ["q", "kind", "space", "collection", "site"],
  takes: "revision",
  ask(query) {
    const text = textOf(query);
    const kind = wordOf(query, "kind", ["member"]);
    const there = optionalSubjectOf(query, PLACES);
    if (there !== undefined && kind === undefined) only(query, ["q", "revision"]);
    return async (asking) => {
      const { reading, viewer } = asking;
      if (there !== undefined) await mayList(asking, there);
      const { hits: items, more } = await find(reading, viewer, text, kind);
      const fields: Omit<SearchAnswer, keyof Stamp> = {
        items:
          there === undefined ? items : await Promise.all(items.map((hit) => withRole(reading, hit, there))),
        more,
      };
      return { of: "thing", fields };
    };
  },
};

const PLACES = ["space", "collection", "site"] as const;

async function withRole(reading: Reading, hit: SearchHit, there: SubjectName): Promise<SearchHit> {
  return hit.kind === "member" ? { ...hit, role: await roleOn(reading, there, hit.id) } : hit;
}

export const MOST_HITS = 12;

export interface Hits {
  readonly hits: readonly SearchHit[];
  /** Whether there may be more matches: a search reads a limited number of entries. */
  readonly more: boolean;
}

/** The number of entries per read, and the largest number of entries that are read per kind of match. */
const ENTRIES_PER_READ = 200;
const MOST_READ = 4_000;
/** The limit if the visibility or the text of each entry must be checked. */
const MOST_DECIDED = 1_000;
const EVERY_GROUP: readonly SearchGroup[] = ["content", "site", "member", "team"];

/**
 * Up to {@link MOST_HITS} subjects with this id, or whose title, display name or e-mail address matches `text` (the
 * rules are in wire/search.ts). Order: equal ids, equal texts, texts that begin with `text`, then others; within each,
 * content before sites, members and teams. A viewer who does not see everything finds only visible contents and
 * themselves.
 */
export async function find(reading: Reading, viewer: Viewer, text: string, only?: "member"): Promise<Hits> {
  const query = queryOf(text);
  if (query.text === "") return { hits: [], more: false };
  const groups: readonly SearchGroup[] = only === undefined ? EVERY_GROUP : [only];
  const found = new FoundHits(reading, viewer, query);
  await found.take(namedBy(text.trim(), groups));
  for (const group of groups) await found.range(group, "^", query.text, true);
  for (const group of groups) await found.range(group, "^", query.text, false);
  const [first, second, third] = query.words;
  if (first !== undefined && second !== undefined && third === undefined) {
    // "Last First" is one range of entries that begin with "First Last", so it is found however common both words are.
    for (const group of groups) await found.range(group, "^", `${second} ${first}`, false);
  }
  for (const group of groups) {
    if (query.words[0] === query.text) await found.range(group, "+", query.text, false);
    else if (query.words.length > 0) await found.several(group);
  }
  for (const group of groups) await found.changed(group);
  return found.result();
}

/**
 * Everything in some groups of which a whole title, display name or e-mail address is `text`, compared as in a search;
 * at most one more than {@link MOST_HITS}.
 */
export async function findWhole(
  reading: Reading,
  text: string,
  groups: readonly SearchGroup[],
): Promise<Hits> {
  const query = queryOf(text);
  const found = new FoundHits(reading, SEES_ALL, query);
  if (query.text === "") return found.result();
  for (const group of groups) {
    await found.range(group, "^", query.text, true);
    await found.changed(group, true);
  }
  return found.result();
}

/** The viewer of commands, which show everything. */
export const SEES_ALL: Viewer = { all: true };

/** The keys of everything that could have this id; the caller checks that it exists. */
function namedBy(id: string, groups: readonly SearchGroup[]): string[] {
  const things: Readonly<Record<SearchGroup, readonly string[]>> = {
    content: [contentKey("space", id), contentKey("collection", id)],
    site: [`site/${id}`],
    member: [`member/${id}`],
    team: [`team/${id}`],
  };
  return groups.flatMap((group) => things[group]);
}

/** Collects the hits in order, without duplicates. */
class FoundHits {
  readonly #reading: Reading;
  readonly #viewer: Viewer;
  readonly #query: SearchQuery;
  readonly #hits = new Map<string, SearchHit>();
  #more = false;

  constructor(reading: Reading, viewer: Viewer, query: SearchQuery) {
    this.#reading = reading;
    this.#viewer = viewer;
    this.#query = query;
  }

  result(): Hits {
    return { hits: [...this.#hits.values()].slice(0, MOST_HITS), more: this.#more || this.#full };
  }

  get #full(): boolean {
    return this.#hits.size > MOST_HITS;
  }

  /** Adds the things of a group that have an entry equal to `text` (`whole`) or beginning with it. */
  async range(group: SearchGroup, mark: EntryMark, text: string, whole: boolean): Promise<void> {
    const entry = entryOf(group, mark, text);
    const own = this.#ownOf(group);
    if (own !== undefined) {
      const wanted = (each: string) => (whole ? each === entry : each.startsWith(entry));
      return this.#takeMatching(await this.#withEntry(own, wanted), whole);
    }
    let last: SearchEntry = ["", ""];
    for (let looked = 0; !this.#full; looked += ENTRIES_PER_READ) {
      if (looked >= (this.#viewer.all ? MOST_READ : MOST_DECIDED)) {
        this.#more = true;
        return;
      }
      const size = this.#viewer.all ? MOST_HITS + 1 + this.#hits.size : ENTRIES_PER_READ;
      const rows = await rangeOf(this.#reading, entry, whole, last, size);
      await this.#takeMatching(
        rows.map(([, thing]) => thing),
        whole,
      );
      if (rows.length < size) return;
      last = rows.at(-1) ?? last;
    }
  }

  /** Adds the things of a group that have, for each word of the query, a word with that prefix. */
  async several(group: SearchGroup): Promise<void> {
    if (this.#full) return;
    const own = this.#ownOf(group);
    if (own !== undefined) return this.#takeMatching(own, false);
    const reading = this.#reading;
    const { words } = this.#query;
    let candidates = await withWords(reading, group, words);
    if (candidates === undefined) {
      // Every word is too common: read only some entries of the first word.
      this.#more = true;
      candidates = new Set(await under(reading, entryOf(group, "^", words[0] ?? ""), MOST_DECIDED));
    }
    if (candidates.size > MOST_DECIDED) this.#more = true;
    const left = [...candidates].slice(0, MOST_DECIDED).filter((thing) => !this.#hits.has(thing));
    for (let start = 0; start < left.length && !this.#full; start += ENTRIES_PER_READ) {
      await this.#takeMatching(left.slice(start, start + ENTRIES_PER_READ), false);
    }
  }

  /**
   * Adds the matching things among those that changed after the revision that is read: the index has their later texts.
   */
  async changed(group: SearchGroup, whole = false): Promise<void> {
    if (this.#ownOf(group) !== undefined) return;
    const things = await changedSince(this.#reading, group, MOST_DECIDED);
    if (things.length === MOST_DECIDED) this.#more = true;
    for (let start = 0; start < things.length && !this.#full; start += ENTRIES_PER_READ) {
      await this.#takeMatching(things.slice(start, start + ENTRIES_PER_READ), whole);
    }
  }

  /**
   * A viewer who does not see everything finds only themselves in groups other than content. Such a viewer is the only
   * candidate, because the result must not depend on how many others match. `undefined` for other viewers.
   */
  #ownOf(group: SearchGroup): string[] | undefined {
    const { member, all } = this.#viewer;
    if (all || group === "content") return undefined;
    return group === "member" ? [`member/${member.id}`] : [];
  }

  /** Those of the given members with an entry that `isWanted` accepts. */
  async #withEntry(things: readonly string[], isWanted: (entry: string) => boolean): Promise<string[]> {
    const found = await this.#look(things);
    return found.flatMap(([thing, hit]) => (entriesOf("member", textsOf(hit)).some(isWanted) ? [thing] : []));
  }

  /** Adds those of the things that exist and that the viewer sees. */
  async take(things: readonly string[]): Promise<void> {
    for (const [thing, hit] of await this.#look(things)) this.#hits.set(thing, hit);
  }

  /** Adds only things whose complete texts match, because index entries may be truncated. */
  async #takeMatching(things: readonly string[], whole: boolean): Promise<void> {
    for (const [thing, hit] of await this.#look(things)) {
      const texts = textsOf(hit);
      const fits = whole
        ? texts.some((text) => tidy(text) === this.#query.text)
        : matches(texts, this.#query);
      if (fits) this.#hits.set(thing, hit);
    }
  }

  async #look(things: readonly string[]): Promise<[thing: string, hit: SearchHit][]> {
    const unknown = [...new Set(things)].filter((thing) => !this.#hits.has(thing));
    const seen = await this.#seen(unknown);
    const hits = await hitsOf(this.#reading, this.#viewer, seen);
    return seen.flatMap((thing): [string, SearchHit][] => {
      const hit = hits.get(thing);
      return hit === undefined ? [] : [[thing, hit]];
    });
  }

  async #seen(things: readonly string[]): Promise<string[]> {
    const { member, all } = this.#viewer;
    if (all) return [...things];
    const keys = things.filter(isContent).map(decodeContent);
    const found = await visible(this.#reading, this.#viewer, keys);
    return things.filter((thing) =>
      isContent(thing) ? found.has(decodeContent(thing)) : thing === `member/${member.id}`,
    );
  }
}

function isContent(thing: string): boolean {
  return thing.startsWith("space/") || thing.startsWith("collection/");
}

function textsOf(hit: SearchHit): string[] {
  return hit.kind === "member" ? textsOfPerson(hit) : [hit.title];
}

/** The things by key, such as "site/ID"; things that do not exist are absent. */
export async function hitsOf(
  reading: Reading,
  viewer: Viewer,
  things: readonly string[],
): Promise<Map<string, SearchHit>> {
  const ids = (kind: string) =>
    things.filter((thing) => thing.startsWith(`${kind}/`)).map((thing) => thing.slice(kind.length + 1));
  const keys: ContentKey[] = things.filter(isContent).map(decodeContent);
  const hits = new Map<string, SearchHit>();
  for (const [key, { node, above }] of await placed(reading, viewer, keys)) {
    const { kind, id, title } = node;
    const { emoji, deletedAt } = node.kind === "space" ? node : {};
    const more = { ...(emoji && { emoji }), ...(deletedAt && { deletedAt }) };
    hits.set(key, { kind, id, title, ...more, path: titlesIn(above) });
  }
  for (const [id, node] of await siteNodes(reading, ids("site"))) hits.set(`site/${id}`, node);
  for (const [id, person] of await people(reading, ids("member"))) {
    hits.set(`member/${id}`, { kind: "member", ...person });
  }
  for (const [id, { kind, title, members }] of await teamNodes(reading, ids("team"))) {
    hits.set(`team/${id}`, { kind, id, title, members });
  }
  return hits;
}
