/** Contents and other subjects as the page shows them, with their ancestors, and the names that reasons need. */
import { type ContentKey, idOf } from "../../domain/content.ts";
import type { ContentDocument } from "../../domain/record-change.ts";
import { lengthOf } from "../../model/lists.ts";
import {
  findContent,
  findMember,
  findSite,
  findTeam,
  INHERIT,
  keyOf,
  levelOf,
  levelOfRank,
  type Model,
  organizationRole,
  withAncestors,
} from "../../model/model.ts";
import { contentTitle, personIn } from "../../model/records.ts";
import { spacesReached } from "../../model/spaces.ts";
import { textOf } from "../../model/texts.ts";
import type { Reading } from "../../store/reading.ts";
import type { ContentRow, SpaceRow } from "../wire/lists.ts";
import type {
  CollectionNode,
  ContentNode,
  MemberNode,
  SiteNode,
  SpaceNode,
  SubjectNode,
  TeamNode,
} from "../wire/protocol.ts";
import { type SubjectName, isContent, keyIn } from "./query.ts";
import { sees, type View, type Viewer, viewOf } from "./viewer.ts";

export function siteNode({ sites }: Model, site: number): SiteNode {
  return {
    kind: "site",
    id: sites.ids[site] ?? "",
    title: sites.titles[site] ?? "",
    defaultLevel: levelOfRank(sites.levels[site] ?? INHERIT),
    spaces: lengthOf(sites.spaces, site),
  };
}

export function teamNode(model: Model, team: number): TeamNode {
  const { ids, texts, members } = model.teams;
  const { title, createdAt }: { title: string; createdAt: string } = JSON.parse(texts[team] ?? "");
  return {
    kind: "team",
    id: ids[team] ?? "",
    title,
    createdAt,
    members: lengthOf(members, team),
    spaces: spacesReached(model, team),
  };
}

function memberNode(model: Model, member: number): MemberNode {
  const { id, displayName, email } = personIn(model, member);
  return {
    kind: "member",
    id,
    displayName,
    ...(email && { email }),
    role: organizationRole(model, member),
  };
}

/** The fields of a space or a collection as stored. */
export function fieldsOf(
  { contents }: Model,
  content: number,
): ContentDocument & { readonly createdAt: string; readonly deletedAt?: string } {
  return JSON.parse(textOf(contents.texts, content));
}

export function contentNode(view: View, content: number): ContentNode {
  return view.model.contents.isSpace[content] === 1
    ? spaceNode(view.model, content)
    : collectionNode(view, content);
}

export function collectionNode(view: View, content: number): CollectionNode {
  const { model } = view;
  return {
    kind: "collection",
    id: idOf(keyOf(model, content)),
    title: contentTitle(model, content),
    defaultLevel: levelOf(model, content),
    given: givenOn(model, content),
    children: childrenOf(view, content),
  };
}

export function spaceNode(model: Model, space: number): SpaceNode {
  const { title, emoji, visibility, deletedAt } = fieldsOf(model, space);
  return {
    kind: "space",
    id: idOf(keyOf(model, space)),
    title,
    ...(emoji && { emoji }),
    visibility: visibility ?? "private",
    defaultLevel: levelOf(model, space),
    given: givenOn(model, space),
    ...(deletedAt === undefined ? {} : { deletedAt }),
  };
}

/** The number of direct permissions and team grants on a content itself. */
function givenOn({ contents }: Model, content: number): number {
  return lengthOf(contents.users, content) + lengthOf(contents.teams, content);
}

/** The number of contents directly in a collection that the viewer sees. */
export function childrenOf(view: View, collection: number): number {
  const { ends } = view.model.contents;
  let count = 0;
  for (let x = collection + 1; x < (ends[collection] ?? 0); x = ends[x] ?? x + 1)
    if (view.viewer.all || sees(view, x)) count++;
  return count;
}

/** The collections around a content that the viewer sees, topmost first. */
export function aboveOf(view: View, content: number): number[] {
  const [, ...above] = withAncestors(view.model, content);
  return above.filter((x) => sees(view, x)).toReversed();
}

/** The titles of the collections around a content that the viewer sees, topmost first. */
export function pathOf(view: View, content: number): string[] {
  return aboveOf(view, content).map((x) => contentTitle(view.model, x));
}

export function contentRow(view: View, content: number): ContentRow {
  return { content: contentNode(view, content), path: pathOf(view, content) };
}

export function spaceRow(view: View, space: number): SpaceRow {
  return { space: spaceNode(view.model, space), path: pathOf(view, space) };
}

/** The given spaces with their paths, as rows of lists; spaces that do not exist are absent. */
export async function spaceRows(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, SpaceRow>> {
  const view = await viewOf(reading, viewer);
  const spaces = found(view.model, keys).filter(([, content]) => view.model.contents.isSpace[content] === 1);
  return new Map(spaces.map(([key, space]) => [key, spaceRow(view, space)]));
}

function found(model: Model, keys: readonly ContentKey[]): [ContentKey, number][] {
  return keys.flatMap((key): [ContentKey, number][] => {
    const content = findContent(model, key);
    return content === undefined ? [] : [[key, content]];
  });
}

/** The number of a subject among those of its kind; `undefined` if it does not exist. */
export function numberOf(model: Model, subject: SubjectName): number | undefined {
  if (isContent(subject)) return findContent(model, keyIn(subject));
  const { kind, id } = subject;
  return kind === "site"
    ? findSite(model, id)
    : kind === "team"
      ? findTeam(model, id)
      : findMember(model, id);
}

/** A subject; `undefined` if it does not exist. */
export function subjectNode(view: View, subject: SubjectName): SubjectNode | undefined {
  const number = numberOf(view.model, subject);
  if (number === undefined) return undefined;
  if (isContent(subject)) return contentNode(view, number);
  const { kind } = subject;
  return (kind === "site" ? siteNode : kind === "team" ? teamNode : memberNode)(view.model, number);
}

/** The title or display name of a subject; the id if the subject does not exist. */
export async function nameOf(reading: Reading, viewer: Viewer, subject: SubjectName): Promise<string> {
  const node = subjectNode(await viewOf(reading, viewer), subject);
  return node === undefined ? subject.id : node.kind === "member" ? node.displayName : node.title;
}
