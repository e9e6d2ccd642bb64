import { type Hit as Found, search as find } from "../../store/search.ts";
import type { Hit, SearchAnswer, Stamp } from "../wire.ts";
import type { ExplorerOperation } from "./operation.ts";
import { textOf, wordOf } from "./read.ts";

/** Things by title, name or e-mail address. */
export const search: ExplorerOperation = {
  id: "explorerSearch",
  path: "/explorer/search",
  summary: "Find things by title, name or e-mail address",
  description:
    "Up to 12 things whose title, display name or e-mail address begins with `q`, or in which each word of `q` begins a word, or whose id it is. Callers who do not see everything find the contents that they see and themselves.",
  parameters: ["q", "kind"],
  takes: "revision",
  ask(query) {
    const text = textOf(query);
    const kind = query.has("kind") ? wordOf(query, "kind", ["member"]) : undefined;
    return async ({ reading, viewer }) => {
      const { hits, more } = await find(reading, viewer, text, kind);
      const fields: Omit<SearchAnswer, keyof Stamp> = { items: hits.map(shown), more };
      return { of: "thing", fields };
    };
  },
};

function shown(hit: Found): Hit {
  switch (hit.kind) {
    case "content": {
      const { id, title } = hit.node;
      if (hit.node.kind === "collection") return { kind: "collection", id, title, path: hit.path };
      const { emoji } = hit.node;
      return { kind: "space", id, title, ...(emoji === undefined ? {} : { emoji }), path: hit.path };
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
