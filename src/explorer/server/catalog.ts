/** Reads the sorted lists of table `catalog`: levels of the tree, sites, and the permissions of teams. */
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { contents } from "../../store/directory/contents.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { contentTitleKey, decodeContent } from "../../store/schema/encoding.ts";
import { giveTurn, inBlocks } from "../../store/turns.ts";
import type { SiteNode } from "../wire/protocol.ts";
import { type Viewer, decidesAt, visible } from "./viewer.ts";

/** An entry of a sorted list; `position` is the sort key. */
export interface Listed<Thing> {
  readonly thing: Thing;
  readonly position: string;
}

type CatalogRow = [position: string, thing: string];

const NEXT = statement<CatalogRow>(
  () => `
    SELECT c.position, c.thing FROM catalog c
      WHERE ${holds("c")} AND c.list = $3 AND c.position > $4 ORDER BY c.position LIMIT $5`,
);

/** Up to `size` entries of a list after the sort key `after`. */
export function nextListed(
  reading: Reading,
  list: string,
  after: string,
  size: number,
): Promise<CatalogRow[]> {
  return reading.read(NEXT, ...reading.asOf, list, after, size);
}

function decoded([position, thing]: CatalogRow): Listed<ContentKey> {
  return { position, thing: decodeContent(thing) };
}

const LISTED_PER_READ = 500;

/**
 * The contents that a viewer sees directly in a collection, or at the top level: collections before spaces, each kind
 * by title, then id. The top level also has visible contents of collections that the viewer does not see.
 */
export async function level(
  reading: Reading,
  viewer: Viewer,
  parent: string | undefined,
  request: PageRequest<string>,
): Promise<Page<Listed<ContentKey>, string>> {
  const { limit } = request;
  const key = (entry: Listed<ContentKey>) => entry.position;
  if (viewer.all) {
    const rows = await nextListed(reading, `in/${parent ?? ""}`, request.after ?? "", limit + 1);
    return pageOf(rows.map(decoded), limit, key);
  }
  // A guest sees few contents: those with a permission for the guest or one of the guest's teams, and contents that
  // inherit from these.
  if (parent === undefined && viewer.member.role === null) {
    const given = await givenTo(decidesAt(reading, viewer), viewer.member);
    const entries = (await atTop(reading, viewer, given)).filter(
      ({ position }) => position > (request.after ?? ""),
    );
    return pageOf(entries.slice(0, limit + 1), limit, key);
  }
  const list = parent === undefined ? "loose" : `in/${parent}`;
  const entries: Listed<ContentKey>[] = [];
  for (let after = request.after ?? ""; entries.length <= limit;) {
    const block = (await nextListed(reading, list, after, LISTED_PER_READ)).map(decoded);
    if (parent === undefined) entries.push(...(await atTop(reading, viewer, block)));
    else {
      const seen = await visible(
        reading,
        viewer,
        block.map(({ thing }) => thing),
      );
      entries.push(...block.filter(({ thing }) => seen.has(thing)));
    }
    if (block.length < LISTED_PER_READ) break;
    after = block.at(-1)?.position ?? after;
    await giveTurn();
  }
  return pageOf(entries, limit, key);
}

/** Those of the given contents that belong at the top level: visible, and in no collection that the viewer sees. */
async function atTop(
  reading: Reading,
  viewer: Viewer,
  entries: readonly Listed<ContentKey>[],
): Promise<Listed<ContentKey>[]> {
  const keys = entries.map(({ thing }) => thing);
  const loaded = await contents(reading, keys);
  const parents = new Set(keys.flatMap((key) => loaded.get(key)?.parent ?? []));
  const seen = await visible(reading, viewer, [...new Set([...keys, ...parents])]);
  return entries.filter(({ thing }) => {
    const parent = loaded.get(thing)?.parent;
    return seen.has(thing) && (parent === undefined || !seen.has(parent));
  });
}

const GIVEN = statement<[content: string]>(
  ({ texts, lookUp }) => `
    SELECT g.content FROM user_grant g WHERE ${holds("g")} AND g.position = $3
    UNION
    SELECT g.content FROM ${lookUp(
      texts("$4", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.team = wanted.value`,
      "team_grant_of_team",
    )}`,
);

/** The contents with a permission of a member or one of the member's teams, in the order of the top level. */
async function givenTo(
  reading: Reading,
  { position, teams }: Extract<Viewer, { all: false }>["member"],
): Promise<Listed<ContentKey>[]> {
  const rows = await reading.read(GIVEN, ...reading.asOf, position, teams);
  const keys = rows.map(([content]) => decodeContent(content));
  const loaded = await contents(reading, keys);
  const entries = keys.flatMap((thing) => {
    const content = loaded.get(thing);
    return content === undefined ? [] : [{ thing, position: contentTitleKey(thing, content.title) }];
  });
  return entries.sort((a, b) => compareIds(a.position, b.position));
}

const CHILDREN = statement<[list: string, all: number, own: number]>(
  ({ texts }) => `
    SELECT c.list, count(*), sum(c.own) FROM ${texts("$3", "wanted")} CROSS JOIN catalog c
      WHERE ${holds("c")} AND c.list = wanted.value GROUP BY c.list`,
);
const CHILDREN_SET = statement<[list: string, thing: string]>(
  ({ texts }) => `
    SELECT c.list, c.thing FROM ${texts("$3", "wanted")} CROSS JOIN catalog c
      WHERE ${holds("c")} AND c.list = wanted.value AND c.own >= $4`,
);

/**
 * The number of visible children of each given collection; the viewer must see these collections.
 *
 * A content with neither a default level nor permissions of its own (`own = 0`) is visible if its collection is, so
 * only other contents are checked. At a past revision all contents are checked, because the viewer's current roles
 * decide.
 */
export async function childrenOf(
  reading: Reading,
  viewer: Viewer,
  collections: readonly string[],
): Promise<Map<string, number>> {
  if (collections.length === 0) return new Map();
  const lists = collections.map((id) => `in/${id}`);
  const counts = new Map<string, number>();
  let own = 0;
  for (const [list, all, some] of await reading.read(CHILDREN, ...reading.asOf, lists)) {
    counts.set(list.slice("in/".length), all);
    own += some;
  }
  const isPast = decidesAt(reading, viewer) !== reading;
  if (viewer.all || (own === 0 && !isPast)) return counts;
  const rows = await reading.read(CHILDREN_SET, ...reading.asOf, lists, isPast ? 0 : 1);
  for await (const block of inBlocks(rows, LISTED_PER_READ)) {
    const seen = await visible(
      reading,
      viewer,
      block.map(([, thing]) => decodeContent(thing)),
    );
    for (const [list, thing] of block) {
      const id = list.slice("in/".length);
      if (!seen.has(decodeContent(thing))) counts.set(id, (counts.get(id) ?? 0) - 1);
    }
  }
  return counts;
}

const SITES = statement<[id: string, title: string, spaces: number]>(
  ({ texts }) => `
    SELECT s.id, s.title, (SELECT count(*) FROM site_space ss WHERE ${holds("ss")} AND ss.site = s.id)
      FROM ${texts("$3", "wanted")} CROSS JOIN site s WHERE ${holds("s")} AND s.id = wanted.value`,
);

/** The given sites by id; sites that do not exist are absent. */
export async function siteNodes(reading: Reading, ids: readonly string[]): Promise<Map<string, SiteNode>> {
  const rows = ids.length === 0 ? [] : await reading.read(SITES, ...reading.asOf, ids);
  return new Map(rows.map(([id, title, spaces]) => [id, { kind: "site", id, title, spaces }]));
}

/** The ids of all sites, by title, then id. */
export async function sites(
  reading: Reading,
  request: PageRequest<string>,
): Promise<Page<Listed<string>, string>> {
  const rows = await nextListed(reading, "sites", request.after ?? "", request.limit + 1);
  const entries = rows.map(([position, thing]) => ({ position, thing: thing.slice("site/".length) }));
  return pageOf(entries, request.limit, ({ position }) => position);
}

interface GivenPermission extends Listed<ContentKey> {
  readonly role: Role;
}

/** A team's permissions, strongest role first, then by kind and id. */
export async function givenToTeam(
  reading: Reading,
  team: string,
  request: PageRequest<string>,
): Promise<Page<GivenPermission, string>> {
  const rows = await nextListed(reading, `team/${team}`, request.after ?? "", request.limit + 1);
  const entries = rows.map(([position, thing]) => ({
    ...decoded([position, thing]),
    role: roleOf(6 - Number(position.slice(0, 1))),
  }));
  return pageOf(entries, request.limit, ({ position }) => position);
}
