/** Contents and other subjects as the page shows them, with their ancestors, and the names that reasons need. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import type { Decision } from "../../domain/ladder.ts";
import type { Titles } from "../../domain/reason.ts";
import { type Content, ancestryOf, withAncestors, contents } from "../../store/directory/contents.ts";
import { memberOf } from "../../store/directory/members.ts";
import { personOf } from "../../store/directory/person.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { MEMBERS, memberSets } from "../../store/schema/set-names.ts";
import { sizeOf } from "../../store/sets/containers.ts";
import type { ContentRow, SpaceRow } from "../wire/lists.ts";
import type { ContentNode, MemberNode, SubjectNode } from "../wire/protocol.ts";
import { childrenOf, siteNodes } from "./catalog.ts";
import { type SubjectName, isContent, keyIn } from "./query.ts";
import { type Viewer, visible } from "./viewer.ts";

/** The deletion time of a space is stored only in its document. */
const LOOKS = statement<[id: string, look: string, deleted: string | null]>(
  ({ texts }) => `
    SELECT c.id, c.look, CASE WHEN s.doc LIKE '%"deletedAt":%' THEN s.doc END
      FROM ${texts("$3", "wanted")} CROSS JOIN content c
      LEFT JOIN space s ON ${holds("s")} AND s.position = c.position
      WHERE ${holds("c")} AND c.id = wanted.value`,
);

export interface PlacedNode {
  readonly node: ContentNode;
  /** The ancestors that the viewer sees, topmost first. */
  readonly above: readonly Content[];
}

/**
 * The given contents with their ancestors; contents that do not exist are absent. The viewer must see them. `known`
 * saves calling {@link withAncestors} again.
 */
export async function placed(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
  known?: ReadonlyMap<ContentKey, Content>,
): Promise<Map<ContentKey, PlacedNode>> {
  if (keys.length === 0) return new Map();
  const loaded = known ?? (await withAncestors(reading, keys));
  const rows = await reading.read(LOOKS, ...reading.asOf, keys);
  const looks = new Map(rows.map(([id, look, deleted]) => [id, { look, deleted }]));
  const collections = keys.filter((key) => kindOf(key) === "collection" && loaded.has(key)).map(idOf);
  const children = await childrenOf(reading, viewer, collections);
  const direct = await directCounts(reading, keys);
  const wanted = new Set(keys);
  const others = [...loaded.keys()].filter((key) => !wanted.has(key) || kindOf(key) === "collection");
  const seen = viewer.all ? undefined : await visible(reading, viewer, others);
  return new Map(
    keys.flatMap((key) => {
      const content = loaded.get(key);
      if (content === undefined) return [];
      const all = ancestryOf(content, loaded).slice(1).toReversed();
      const above = all.filter((each) => seen?.has(each.content) !== false);
      const node = nodeOf(content, looks.get(key), direct.get(key) ?? 0, children.get(idOf(key)) ?? 0);
      return [[key, { node, above }]];
    }),
  );
}

function nodeOf(
  content: Content,
  { look, deleted }: { look: string; deleted: string | null } = { look: "", deleted: null },
  direct: number,
  children: number,
): ContentNode {
  const { content: key, title, defaultLevel } = content;
  const id = idOf(key);
  const given = direct + content.teams.size;
  if (kindOf(key) === "collection") return { kind: "collection", id, title, defaultLevel, given, children };
  const [visibility = ""] = look.split(" ", 1);
  const emoji = look.slice(visibility.length + 1);
  const { deletedAt }: { deletedAt?: string } = deleted === null ? {} : JSON.parse(deleted);
  return {
    kind: "space",
    id,
    title,
    ...(emoji === "" ? {} : { emoji }),
    visibility,
    defaultLevel,
    given,
    ...(deletedAt === undefined ? {} : { deletedAt }),
  };
}

/** The number of direct permissions on each of the given contents. */
export async function directCounts(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, number>> {
  const loaded = await contents(reading, keys);
  const counts = new Map<ContentKey, number>();
  for (const key of keys) {
    let count = 0;
    for (const [role, head] of loaded.get(key)?.direct ?? []) {
      count += await sizeOf(reading, MEMBERS, memberSets.given(key, role), head);
    }
    counts.set(key, count);
  }
  return counts;
}

/** The given contents with their paths, as rows of lists; contents that do not exist are absent. */
export async function contentRows(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, ContentRow>> {
  const found = await placed(reading, viewer, keys);
  return new Map([...found].map(([key, { node, above }]) => [key, { content: node, path: titlesIn(above) }]));
}

/** Like {@link contentRows}, of spaces only. `known`, from {@link withAncestors}, saves loading them again. */
export async function spaceRows(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
  known?: ReadonlyMap<ContentKey, Content>,
): Promise<Map<ContentKey, SpaceRow>> {
  const found = await placed(reading, viewer, keys, known);
  return new Map(
    [...found].flatMap(([key, { node, above }]): [ContentKey, SpaceRow][] =>
      node.kind === "space" ? [[key, { space: node, path: titlesIn(above) }]] : [],
    ),
  );
}

export function titlesIn(above: readonly Content[]): string[] {
  return above.map(({ title }) => title);
}

/** A subject with its ancestors that the viewer sees, topmost first; `undefined` if the subject does not exist. */
export async function subjectNode(
  reading: Reading,
  viewer: Viewer,
  subject: SubjectName,
): Promise<{ readonly node: SubjectNode; readonly above: readonly Content[] } | undefined> {
  const { kind, id } = subject;
  if (isContent(subject)) return (await placed(reading, viewer, [keyIn(subject)])).get(keyIn(subject));
  const read = { site: siteNodes, team: teamNodes, member: memberNodes };
  const node =
    kind === "space" || kind === "collection" ? undefined : (await read[kind](reading, [id])).get(id);
  return node && { node, above: [] };
}

async function memberNodes(reading: Reading, ids: readonly string[]): Promise<Map<string, MemberNode>> {
  const found = new Map<string, MemberNode>();
  for (const id of ids) {
    const member = await memberOf(reading, id);
    if (member === undefined) continue;
    const { displayName, email } = personOf(member);
    found.set(id, { kind: "member", id, displayName, ...(email && { email }), role: member.role });
  }
  return found;
}

/** The title or display name of a subject; the id if the subject does not exist. */
export async function nameOf(reading: Reading, viewer: Viewer, subject: SubjectName): Promise<string> {
  const { node } = (await subjectNode(reading, viewer, subject)) ?? {};
  return node === undefined ? subject.id : node.kind === "member" ? node.displayName : node.title;
}

const TITLES = statement<[id: string, title: string]>(
  ({ texts }) => `
    SELECT t.id, t.title FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/** The titles that reasons of the given decisions name; `loaded` has the contents. */
export async function titlesFor(
  reading: Reading,
  decisions: readonly (Decision | undefined)[],
  loaded: ReadonlyMap<ContentKey, { readonly title: string }>,
): Promise<Titles> {
  const ids = [...new Set(decisions.flatMap((decision) => decision?.team ?? []))];
  const teams = new Map(ids.length === 0 ? [] : await reading.read(TITLES, ...reading.asOf, ids));
  return {
    content: (key) => loaded.get(key)?.title ?? key,
    team: (id) => teams.get(id) ?? id,
  };
}
