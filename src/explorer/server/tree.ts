/** The request for a level of the tree, for all sites, or for one subject with its path. */
import { findContent } from "../../model/model.ts";
import { sitesByTitle } from "../../model/titles.ts";
import { absent } from "../../operations/authorize.ts";
import { modelOf } from "../../store/models.ts";
import { workInTurns } from "../../store/turns.ts";
import type { PlaceAnswer } from "../wire/answers.ts";
import { type CollectionNode, KINDS, type Stamp } from "../wire/protocol.ts";
import { contentsAt } from "./contents.ts";
import { openOrdered } from "./list.ts";
import { aboveOf, collectionNode, contentNode, siteNode, subjectNode } from "./nodes.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";
import { type SubjectName, idIn, isContent, keyIn, only, optionalSubjectOf, wordOf } from "./query.ts";
import { maySee, mustSeeAll, viewOf } from "./viewer.ts";

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
        const model = await modelOf(asking.reading);
        const { order, keyOf } = await workInTurns(sitesByTitle(model));
        const sites = openOrdered({ entries: order, keyOf, isCounted: true }, (site) =>
          siteNode(model, site),
        );
        return { of: "list", page: await sites.page(request, "shown"), total: order.length };
      };
    }
    const parent = query.has("parent") ? idIn(query, "parent") : undefined;
    only(query, ["parent", "revision", "limit", "page"]);
    return async (asking, request) => {
      const around = parent === undefined ? undefined : ({ kind: "collection", id: parent } as const);
      if (around !== undefined) await maySee(asking, around);
      const view = await viewOf(asking.reading, asking.viewer);
      const collection = around && findContent(view.model, keyIn(around));
      if (around !== undefined && collection === undefined) return { of: "list", page: { entries: [] } };
      const { order, keyOf } = await contentsAt(view, collection);
      const contents = openOrdered({ entries: order, keyOf, isCounted: false }, (content) =>
        contentNode(view, content),
      );
      return { of: "list", page: await contents.page(request, "shown") };
    };
  },
};

async function place(asking: Asking, subject: SubjectName): Promise<Omit<PlaceAnswer, keyof Stamp>> {
  await maySee(asking, subject);
  const view = await viewOf(asking.reading, asking.viewer);
  const node = subjectNode(view, subject);
  if (node === undefined) throw absent(subject.kind, subject.id);
  const content = isContent(subject) ? findContent(view.model, keyIn(subject)) : undefined;
  const ancestors = content === undefined ? [] : aboveOf(view, content);
  return { subject: node, ancestors: ancestors.map((x): CollectionNode => collectionNode(view, x)) };
}
