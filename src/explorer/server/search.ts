/** The request for a search, and which hits are shown; how matches are graded is in `domain/search.ts`. */
import { idOf } from "../../domain/content.ts";
import { type SearchQuery, queryOf } from "../../domain/search.ts";
import { lengthOf } from "../../model/lists.ts";
import { findContent, findMember, findSite, findTeam, keyOf, type Model } from "../../model/model.ts";
import type { Kind } from "../../model/names.ts";
import { personIn, teamTitle } from "../../model/records.ts";
import { bestHits, type Hit, type Shown } from "../../model/search.ts";
import type { Reading } from "../../store/reading.ts";
import { workInTurns } from "../../store/turns.ts";
import type { SearchAnswer } from "../wire/answers.ts";
import type { SearchHit } from "../wire/lists.ts";
import type { Stamp } from "../wire/protocol.ts";
import { fieldsOf, numberOf, pathOf, siteNode } from "./nodes.ts";
import type { ExplorerOperation } from "./operation.ts";
import { type SubjectName, only, optionalSubjectOf, textOf, wordOf } from "./query.ts";
import { type View, type Viewer, mayList, sees, viewOf } from "./viewer.ts";
import { roleOn } from "./why.ts";

export const search: ExplorerOperation = {
  id: "explorerSearch",
  path: "/explorer/search",
  summary: "Search by title, name or e-mail address",
  description:
    "Up to 12 things whose id is `q`, or whose title, display name or e-mail address begins with `q` or has each word of `q` in it. Callers who do not see everything find only visible contents and themselves. With `kind=member` and one of `space`, `collection` and `site`, each member has their effective role there, for callers who may list it.",
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
  /** Whether there are more matches. */
  readonly more: boolean;
}

const EVERY_KIND: readonly Kind[] = ["content", "site", "member", "team"];

/**
 * Up to {@link MOST_HITS} subjects with this id, or whose title, display name or e-mail address matches `text` (the
 * rules and the order are at `SearchAnswer` in the wire). A viewer who does not see everything finds only visible
 * contents and themselves.
 */
export async function find(reading: Reading, viewer: Viewer, text: string, only?: "member"): Promise<Hits> {
  const view = await viewOf(reading, viewer);
  const query = queryOf(text);
  const kinds = only === undefined ? EVERY_KIND : [only];
  const named = query.text === "" ? [] : hitsNamed(view.model, text.trim(), kinds);
  return best(view, query, { kinds, whole: false, ...shownTo(view) }, named);
}

/**
 * Everything of some kinds of which a whole title, display name or e-mail address is `text`, compared as in a search;
 * at most {@link MOST_HITS}.
 */
export async function findWhole(reading: Reading, text: string, kinds: readonly Kind[]): Promise<Hits> {
  const view = await viewOf(reading, SEES_ALL);
  return best(view, queryOf(text), { kinds, whole: true, ...shownTo(view) }, []);
}

/** Everything of some kinds with this id. */
export async function findNamed(
  reading: Reading,
  kinds: readonly SearchHit["kind"][],
  id: string,
): Promise<SearchHit[]> {
  const view = await viewOf(reading, SEES_ALL);
  return kinds.flatMap((kind) => {
    const number = numberOf(view.model, { kind, id });
    const isContent = kind === "space" || kind === "collection";
    return number === undefined ? [] : [hitOf(view, { kind: isContent ? "content" : kind, number })];
  });
}

/** The viewer of commands, which show everything. */
export const SEES_ALL: Viewer = { all: true };

async function best(view: View, query: SearchQuery, shown: Shown, named: readonly Hit[]): Promise<Hits> {
  const first = named.filter(({ kind, number }) =>
    kind === "content" ? shown.sees(number) : (shown.only[kind]?.includes(number) ?? true),
  );
  const isFirst = ({ kind, number }: Hit) =>
    first.some((each) => each.kind === kind && each.number === number);
  const others = await workInTurns(bestHits(view.model, query, MOST_HITS + 1 + first.length, shown));
  const hits = [...first, ...others.filter((hit) => !isFirst(hit))];
  return { hits: hits.slice(0, MOST_HITS).map((hit) => hitOf(view, hit)), more: hits.length > MOST_HITS };
}

/** What has this id. */
function hitsNamed(model: Model, id: string, kinds: readonly Kind[]): Hit[] {
  const found: Readonly<Record<Kind, readonly (number | undefined)[]>> = {
    content: [findContent(model, `space/${id}`), findContent(model, `collection/${id}`)],
    site: [findSite(model, id)],
    member: [findMember(model, id)],
    team: [findTeam(model, id)],
  };
  return kinds.flatMap((kind) =>
    found[kind].flatMap((number) => (number === undefined ? [] : [{ kind, number }])),
  );
}

/** Of people, sites and teams, a viewer who does not see everything finds only themselves. */
function shownTo(view: View): Pick<Shown, "sees" | "only"> {
  const { model, viewer } = view;
  if (viewer.all) return { sees: () => true, only: {} };
  const oneself = findMember(model, viewer.member.id);
  const member = oneself === undefined ? [] : [oneself];
  return { sees: (content) => sees(view, content), only: { member, site: [], team: [] } };
}

/** A hit as the page shows it. */
export function hitOf(view: View, { kind, number }: Hit): SearchHit {
  const { model } = view;
  switch (kind) {
    case "site":
      return siteNode(model, number);
    case "member":
      return { kind, ...personIn(model, number) };
    case "team":
      return {
        kind,
        id: model.teams.ids[number] ?? "",
        title: teamTitle(model, number),
        members: lengthOf(model.teams.members, number),
      };
    case "content": {
      const [id, path] = [idOf(keyOf(model, number)), pathOf(view, number)];
      const { title, emoji, deletedAt } = fieldsOf(model, number);
      if (model.contents.isSpace[number] === 0) return { kind: "collection", id, title, path };
      return { kind: "space", id, title, ...(emoji && { emoji }), ...(deletedAt && { deletedAt }), path };
    }
  }
}
