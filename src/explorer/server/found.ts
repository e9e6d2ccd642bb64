import { idOf, kindOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import type { PageRequest } from "../../domain/page.ts";
import type { CacheKind } from "../../store/cache.ts";
import { contents } from "../../store/directory/contents.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import type { Reading } from "../../store/reading.ts";
import { type TwoReadings, changedRecords } from "../../store/revisions/diff/log.ts";
import { contentTitleKey, decodeContent, titleKeyOf } from "../../store/schema/encoding.ts";
import { type Group, matches, queryOf } from "../../store/schema/search-terms.ts";
import { inBlocks } from "../../store/turns.ts";
import type { Hit, MemberRow } from "../wire/lists.ts";
import { siteNodes } from "./catalog.ts";
import type { Kind } from "../wire/protocol.ts";
import type { Filter } from "./query.ts";
import { hitsOf } from "./search.ts";
import { type AccessOrder, type List, type Opened, pageWithin } from "./list.ts";
import { newThings } from "./newcomers.ts";
import { allMembers } from "./people.ts";
import { changedSince, thingsMatching } from "./search-index.ts";
import type { Viewer } from "./viewer.ts";

/** The first character of a member's sort key. Members come last, because there may be a million of them. */
const MEMBER = "4";

const NOTHING: Opened<Hit> = {
  total: 0,
  page: async () => ({ entries: [] }),
  count: async () => ({ total: 0 }),
};

/** Everything that matches the filter `q`, or only one kind: collections, then spaces, sites, teams and members. */
export function found(filter: Filter, kind: Kind | undefined): List<Hit> {
  return async (reading, viewer) => {
    if (filter.q === "") return NOTHING;
    const people = await allMembers(filter)(reading, viewer);
    const added = await newThings(reading, filter.since, "everything", newThingsOf);
    const all = (await thingsFound(reading, filter.q)).filter(
      ({ kind: of, id }) => added?.has(`${of}/${id}`) !== false,
    );
    return people && new Found(reading, viewer, all, people, kind);
  };
}

async function newThingsOf({ before, after }: TwoReadings): Promise<string[]> {
  const records = await changedRecords(after, before.at, after.at, ["team", "collection", "space", "site"]);
  return records.flatMap(({ kind, team, content, site, was }) =>
    was === undefined ? (content ?? `${kind}/${team ?? site ?? ""}`) : [],
  );
}

class Found implements Opened<Hit> {
  readonly #reading: Reading;
  readonly #viewer: Viewer;
  readonly #all: readonly FoundThing[];
  readonly #things: readonly FoundThing[];
  readonly #people: Opened<MemberRow>;
  readonly #kind: Kind | undefined;

  constructor(
    reading: Reading,
    viewer: Viewer,
    all: readonly FoundThing[],
    people: Opened<MemberRow>,
    kind: Kind | undefined,
  ) {
    this.#reading = reading;
    this.#viewer = viewer;
    this.#all = all;
    this.#things = kind === undefined ? all : all.filter((each) => each.kind === kind);
    this.#people = people;
    this.#kind = kind;
  }

  get #hasPeople(): boolean {
    return this.#kind === undefined || this.#kind === "member";
  }

  async page(request: PageRequest<string>, order: AccessOrder) {
    const { after, limit } = request;
    const behind = after?.startsWith(MEMBER) === true ? after.slice(MEMBER.length) : undefined;
    const page = behind === undefined ? pageWithin(this.#things, request) : { entries: [] };
    const hits = await this.#hitsOf(page.entries);
    if (page.next !== undefined || !this.#hasPeople) return { ...page, entries: hits };
    const left = limit - page.entries.length;
    // The page is full, so the next page begins with the first member.
    if (left === 0) return { entries: hits, next: `${MEMBER}` };
    const { entries, next } = await this.#people.page({ after: behind || undefined, limit: left }, order);
    const members = entries.map(({ user }): Hit => ({ kind: "member", ...user }));
    return { entries: [...hits, ...members], ...(next !== undefined && { next: `${MEMBER}${next}` }) };
  }

  async #hitsOf(things: readonly FoundThing[]): Promise<Hit[]> {
    const names = things.map(({ kind, id }) => `${kind}/${id}`);
    const hits = await hitsOf(this.#reading, this.#viewer, names);
    return names.flatMap((name) => {
      const hit = hits.get(name);
      return hit ?? [];
    });
  }

  async count() {
    const kinds = { collection: 0, space: 0, site: 0, team: 0, member: (await this.#people.count()).total };
    for (const { kind } of this.#all) kinds[kind]++;
    const total = this.#things.length + (this.#hasPeople ? kinds.member : 0);
    return { total, kinds };
  }

  async keyOf(row: number, order: AccessOrder): Promise<string | undefined> {
    const thing = this.#things[row];
    if (thing !== undefined) return thing.position;
    if (!this.#hasPeople) return undefined;
    const key = await this.#people.keyOf?.(row - this.#things.length, order);
    return key && `${MEMBER}${key}`;
  }
}

/** `position` sorts by kind, then title. */
interface FoundThing {
  readonly kind: "collection" | "space" | "site" | "team";
  readonly id: string;
  readonly position: string;
}

const BLOCK = 1000;

const KIND: CacheKind<readonly FoundThing[]> = {
  name: "things-found",
  bytes: (found) => 100 + 200 * found.length,
};

type Titled = FoundThing & { readonly title: string };

/** How to read each group, in list order. The positions put collections before spaces, sites and teams. */
const GROUPS: readonly (readonly [
  Group,
  (reading: Reading, things: readonly string[]) => Promise<readonly Titled[]>,
])[] = [
  [
    "content",
    async (reading, things) => {
      const keys = things.map(decodeContent);
      // The result also has ancestors of the requested contents.
      const loaded = await contents(reading, keys);
      return keys
        .flatMap((key) => loaded.get(key) ?? [])
        .map(({ content, title }) => ({
          kind: kindOf(content),
          id: idOf(content),
          title,
          position: contentTitleKey(content, title),
        }));
    },
  ],
  [
    "site",
    async (reading, things) =>
      [...(await siteNodes(reading, things.map(idIn))).values()].map(({ kind, id, title }) => ({
        kind,
        id,
        title,
        position: `2${titleKeyOf(title, id)}`,
      })),
  ],
  [
    "team",
    async (reading, things) =>
      [...(await teamNodes(reading, things.map(idIn))).values()].map(({ kind, id, title }) => ({
        kind,
        id,
        title,
        position: `3${titleKeyOf(title, id)}`,
      })),
  ],
];

function idIn(thing: string): string {
  return thing.slice(thing.indexOf("/") + 1);
}

/** The contents, sites and teams whose title matches a text, sorted by kind, title and id. Cached per revision. */
export function thingsFound(reading: Reading, text: string): Promise<readonly FoundThing[]> {
  const query = queryOf(text);
  return reading.cache.once(KIND, reading.at, query.text, async () => {
    const found: FoundThing[] = [];
    for (const [group, read] of GROUPS) {
      const things = new Set(await thingsMatching(reading, group, query, Number.POSITIVE_INFINITY));
      // The index has the titles of the last revision of the generation. At an earlier revision, everything that
      // changed since may have had another title, and is compared too.
      for (const thing of await changedSince(reading, group, Number.MAX_SAFE_INTEGER)) things.add(thing);
      for await (const block of inBlocks([...things], BLOCK)) {
        for (const { title, ...thing } of await read(reading, block))
          if (matches([title], query)) found.push(thing);
      }
    }
    return found.sort((a, b) => compareIds(a.position, b.position));
  });
}
