import type { PageRequest } from "../../../domain/page.ts";
import type { Reading } from "../../../store/reading.ts";
import { changedRecords, type TwoReadings } from "../../../store/revisions/diff/log.ts";
import { newThings } from "../../queries/past/newcomers.ts";
import type { Filter } from "../../queries/filters/filter.ts";
import { hitsOf } from "../../queries/search/search.ts";
import { type FoundThing, thingsFound } from "../../queries/search/things-found.ts";
import type { AccessOrder } from "../../queries/lists/access.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import type { Hit, MemberRow } from "../../wire/lists.ts";
import type { Kind } from "../parameters/read.ts";
import { shown } from "../search.ts";
import { type List, type Opened, within } from "./list.ts";
import { allMembers } from "./people.ts";

/** The first character of a member's sort key. Members come last, because there may be a million of them. */
const MEMBER = "4";

const NOTHING: Opened<Hit> = {
  total: 0,
  page: async () => ({ entries: [] }),
  count: async () => ({ total: 0 }),
};

/** Everything that matches the filter `q`, or only one kind: collections, then spaces, sites, teams and members. */
export function found(filter: Filter, kind: Kind | undefined): List<Hit> {
  return {
    columns: ["kind", "id", "title", "path", "email"],
    cells: (hit) => [
      hit.kind,
      hit.id,
      hit.kind === "member" ? hit.displayName : hit.title,
      "path" in hit ? hit.path.join(" / ") : "",
      hit.kind === "member" ? (hit.email ?? "") : "",
    ],
    async open(reading, viewer) {
      if (filter.q === "") return NOTHING;
      const people = await allMembers(filter).open(reading, viewer);
      const added = await newThings(reading, filter.since, "everything", newThingsOf);
      const all = (await thingsFound(reading, filter.q)).filter(
        ({ kind: of, id }) => added?.has(`${of}/${id}`) !== false,
      );
      return people && new Found(reading, viewer, all, people, kind);
    },
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
    const page = behind === undefined ? within(this.#things, request) : { entries: [] };
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
      return hit === undefined ? [] : [shown(hit)];
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
