/** The request for a level of the tree, for all sites, or for one subject with its path. */
import type { Page } from "../../domain/page.ts";
import { absent } from "../../operations/authorize.ts";
import type { PlaceAnswer } from "../wire/answers.ts";
import { type CollectionNode, KINDS, type Stamp } from "../wire/protocol.ts";
import { type Listed, level, siteNodes, sites } from "./catalog.ts";
import { placed, subjectNode } from "./nodes.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";
import { type SubjectName, idIn, only, optionalSubjectOf, wordOf } from "./query.ts";
import { maySee, mustSeeAll } from "./viewer.ts";

export const tree: ExplorerOperation = {
  id: "explorerTree",
  path: "/explorer/tree",
  summary: "List a level of the tree or the sites, or show one subject with its path",
  description:
    "Without a subject: the contents directly in collection `parent`, or at the top level, collections before spaces, each by title; with `kind=site` all sites. With one of `space`, `collection`, `site`, `member` and `team`: this subject and the collections above it. Callers who do not see everything get only contents on which they have an effective role.",
  parameters: [...KINDS, "parent", "kind"],
  takes: "pages",
  ask(query) {
    const subject = optionalSubjectOf(query, KINDS);
    if (subject !== undefined) {
      only(query, [subject.kind, "revision"]);
      return async (asking) => ({ of: "thing", fields: await place(asking, subject) });
    }
    if (query.has("kind")) {
      wordOf(query, "kind", ["site"]);
      only(query, ["kind", "revision", "limit", "page"]);
      return async (asking, request) => {
        mustSeeAll(asking, "list sites");
        const found = await sites(asking.reading, request);
        const nodes = await siteNodes(
          asking.reading,
          found.entries.map(({ thing }) => thing),
        );
        return {
          of: "list",
          page: nodesOf(found, (id) => nodes.get(id)),
          total: asking.reading.at.counts.sites,
        };
      };
    }
    const parent = query.has("parent") ? idIn(query, "parent") : undefined;
    only(query, ["parent", "revision", "limit", "page"]);
    return async (asking, request) => {
      if (parent !== undefined) await maySee(asking, { kind: "collection", id: parent });
      const found = await level(asking.reading, asking.viewer, parent, request);
      const nodes = await placed(
        asking.reading,
        asking.viewer,
        found.entries.map(({ thing }) => thing),
      );
      return { of: "list", page: nodesOf(found, (key) => nodes.get(key)?.node) };
    };
  },
};

function nodesOf<Thing, Node extends object>(
  { entries, ...more }: Page<Listed<Thing>, string>,
  node: (thing: Thing) => Node | undefined,
): Page<Node, string> {
  return { ...more, entries: entries.flatMap(({ thing }) => node(thing) ?? []) };
}

async function place(asking: Asking, subject: SubjectName): Promise<Omit<PlaceAnswer, keyof Stamp>> {
  await maySee(asking, subject);
  const { reading, viewer } = asking;
  const found = await subjectNode(reading, viewer, subject);
  if (found === undefined) throw absent(subject.kind, subject.id);
  const keys = found.above.map(({ content }) => content);
  const above = await placed(reading, viewer, keys);
  const ancestors = keys.flatMap((key): CollectionNode[] => {
    const node = above.get(key)?.node;
    return node?.kind === "collection" ? [node] : [];
  });
  return { subject: found.node, ancestors };
}
