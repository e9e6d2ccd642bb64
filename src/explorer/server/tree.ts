import type { Page } from "../../domain/page.ts";
import { absent } from "../../operations/authorize.ts";
import { type Listed, level, siteNodes, sites } from "./catalog.ts";
import { memberOf } from "../../store/directory/members.ts";
import { type ContentNode, placed } from "./nodes.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { personOf } from "../../store/directory/person.ts";
import type { PlaceAnswer } from "../wire/answers.ts";
import type { CollectionNode, MemberNode, Stamp, Subject as SubjectNode } from "../wire/protocol.ts";
import { maySee, mustSeeAll } from "./viewer.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";
import { idIn, isContent, keyOf, KINDS, only, type Subject, subjectOf, wordOf } from "./query.ts";

export const tree: ExplorerOperation = {
  id: "explorerTree",
  path: "/explorer/tree",
  summary: "List a level of the tree or the sites, or show one subject with its path",
  description:
    "Without a subject: the contents directly in collection `parent`, or at the top level, collections before spaces, each by title; with `kind=site` all sites. With one of `space`, `collection`, `site`, `member` and `team`: this subject and the collections above it. Callers who do not see everything get only contents on which they have an effective role.",
  parameters: [...KINDS, "parent", "kind"],
  takes: "pages",
  ask(query) {
    if (KINDS.some((kind) => query.has(kind))) {
      const subject = subjectOf(query);
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

async function place(asking: Asking, subject: Subject): Promise<Omit<PlaceAnswer, keyof Stamp>> {
  await maySee(asking, subject);
  const { reading, viewer } = asking;
  if (isContent(subject)) {
    const key = keyOf(subject);
    const found = (await placed(reading, viewer, [key])).get(key);
    if (found === undefined) throw absent(subject.kind, subject.id);
    const keys = found.above.map(({ content }) => content);
    const above = await placed(reading, viewer, keys);
    const ancestors = keys.flatMap((each) => collection(above.get(each)?.node));
    return { subject: found.node, ancestors };
  }
  const node = await nodeOf(asking, subject);
  if (node === undefined) throw absent(subject.kind, subject.id);
  return { subject: node, ancestors: [] };
}

function collection(node: ContentNode | undefined): CollectionNode[] {
  return node?.kind === "collection" ? [node] : [];
}

async function nodeOf({ reading }: Asking, { kind, id }: Subject): Promise<SubjectNode | undefined> {
  if (kind === "site") return (await siteNodes(reading, [id])).get(id);
  if (kind === "team") return (await teamNodes(reading, [id])).get(id);
  const member = await memberOf(reading, id);
  if (member === undefined) return undefined;
  const { displayName, email } = personOf(member);
  const node: MemberNode = {
    kind: "member",
    id,
    displayName,
    ...(email === undefined ? {} : { email }),
    role: member.role,
  };
  return node;
}
