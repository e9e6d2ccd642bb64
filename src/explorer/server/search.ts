import { type Hit as Found, search as find } from "./find.ts";
import type { SearchAnswer } from "../wire/answers.ts";
import type { Hit } from "../wire/lists.ts";
import type { Stamp } from "../wire/protocol.ts";
import type { Reading } from "../../store/reading.ts";
import { mayList } from "./viewer.ts";
import type { ExplorerOperation } from "./operation.ts";
import { only, type Subject, subjectOf, textOf, wordOf } from "./query.ts";
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
    const kind = query.has("kind") ? wordOf(query, "kind", ["member"]) : undefined;
    const there = PLACES.some((place) => query.has(place)) ? subjectOf(query, PLACES) : undefined;
    if (there !== undefined && kind === undefined) only(query, ["q", "revision"]);
    return async (asking) => {
      const { reading, viewer } = asking;
      if (there !== undefined) await mayList(asking, there);
      const { hits, more } = await find(reading, viewer, text, kind);
      const items = hits.map(shown);
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

async function withRole(reading: Reading, hit: Hit, there: Subject): Promise<Hit> {
  return hit.kind === "member" ? { ...hit, role: await roleOn(reading, there, hit.id) } : hit;
}

export function shown(hit: Found): Hit {
  switch (hit.kind) {
    case "content": {
      const { id, title } = hit.node;
      if (hit.node.kind === "collection") return { kind: "collection", id, title, path: hit.path };
      const { emoji, deletedAt } = hit.node;
      return {
        kind: "space",
        id,
        title,
        ...(emoji === undefined ? {} : { emoji }),
        ...(deletedAt === undefined ? {} : { deletedAt }),
        path: hit.path,
      };
    }
    case "site":
      return hit.node;
    case "team": {
      const { kind, id, title, members } = hit.node;
      return { kind, id, title, members };
    }
    case "member":
      return { kind: "member", ...hit.person };
  }
}
