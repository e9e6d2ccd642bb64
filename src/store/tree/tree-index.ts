/** The explorer's sorted lists: levels of the tree, sites, a team's permissions. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { contents } from "../directory/inheritance.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent } from "../schema/encoding.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { decidesAt, type Viewer, visible } from "./viewer.ts";
import { titleKeyOf } from "../schema/search-terms.ts";

/** An entry of a list by title. */
export interface Listed<Thing> {
  readonly thing: Thing;
  readonly position: string;
}

type Row = [position: string, thing: string];

const NEXT = statement<Row>(
  () => `
    SELECT c.position, c.thing FROM catalog c
      WHERE ${holds("c")} AND c.list = $3 AND c.position > $4 ORDER BY c.position LIMIT $5`,
);

/** Contents whose visibility is decided together. */
const BLOCK = 500;

/**
 * The contents that a viewer sees directly in a collection, or at the top: collections before spaces, each by title,
 * then id. At the top are also those that lie in a collection which the viewer does not see.
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
    const rows = await next(reading, `in/${parent ?? ""}`, request.after ?? "", limit + 1);
    return pageOf(rows.map(decoded), limit, key);
  }
  // A guest sees nothing but what hangs on their own permissions and their teams': those are few.
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
    const block = (await next(reading, list, after, BLOCK)).map(decoded);
    if (parent === undefined) entries.push(...(await atTop(reading, viewer, block)));
    else {
      const seen = await visible(
        reading,
        viewer,
        block.map(({ thing }) => thing),
      );
      entries.push(...block.filter(({ thing }) => seen.has(thing)));
    }
    if (block.length < BLOCK) break;
    after = block.at(-1)?.position ?? after;
    await yieldToEventLoop();
  }
  return pageOf(entries, limit, key);
}

async function next(reading: Reading, list: string, after: string, size: number): Promise<Row[]> {
  return reading.read(NEXT, ...reading.asOf, list, after, size);
}

function decoded([position, thing]: Row): Listed<ContentKey> {
  return { position, thing: decodeContent(thing) };
}

/** Those that the viewer sees and whose collection they do not see, in order. */
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
  ({ texts }) => `
    SELECT g.content FROM user_grant g WHERE ${holds("g")} AND g.position = $3
    UNION
    SELECT g.content FROM ${texts("$4", "wanted")} CROSS JOIN team_grant g
      WHERE ${holds("g")} AND g.team = wanted.value`,
);

/** The contents on which a member or a team of theirs was given something, as the top level lists them. */
async function givenTo(
  reading: Reading,
  { position, teams }: Extract<Viewer, { all: false }>["member"],
): Promise<Listed<ContentKey>[]> {
  const rows = await reading.read(GIVEN, ...reading.asOf, position, teams);
  const keys = rows.map(([content]) => decodeContent(content));
  const loaded = await contents(reading, keys);
  const entries = keys.flatMap((thing) => {
    const content = loaded.get(thing);
    return content === undefined ? [] : [{ thing, position: placeOf(thing, content.title) }];
  });
  return entries.sort(byPosition);
}

/** A content's place in lists by title. */
export function placeOf(thing: ContentKey, title: string): string {
  return `${kindOf(thing) === "collection" ? 0 : 1}${titleKeyOf(title, idOf(thing))}`;
}

/** Orders by position, as UTF-8 bytes. */
export function byPosition(
  { position: a }: { position: string },
  { position: b }: { position: string },
): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
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
 * How many contents lie directly in each of some collections that the viewer sees, as far as they see them too.
 * A content on which nothing is set is seen by those who see its collection, so only the others are decided upon; of the
 * past, all are.
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
  for (let start = 0; start < rows.length; start += BLOCK) {
    const block = rows.slice(start, start + BLOCK);
    const seen = await visible(
      reading,
      viewer,
      block.map(([, thing]) => decodeContent(thing)),
    );
    for (const [list, thing] of block) {
      const id = list.slice("in/".length);
      if (!seen.has(decodeContent(thing))) counts.set(id, (counts.get(id) ?? 0) - 1);
    }
    await yieldToEventLoop();
  }
  return counts;
}

/** The ids of all sites, by title, then id. */
export async function sites(
  reading: Reading,
  request: PageRequest<string>,
): Promise<Page<Listed<string>, string>> {
  const rows = await next(reading, "sites", request.after ?? "", request.limit + 1);
  const entries = rows.map(([position, thing]) => ({ position, thing: thing.slice("site/".length) }));
  return pageOf(entries, request.limit, ({ position }) => position);
}

export interface GivenPermission extends Listed<ContentKey> {
  readonly role: Role;
}

/** The permissions that a team was given: strongest role, then kind and id. */
export async function givenToTeam(
  reading: Reading,
  team: string,
  request: PageRequest<string>,
): Promise<Page<GivenPermission, string>> {
  const rows = await next(reading, `team/${team}`, request.after ?? "", request.limit + 1);
  const entries = rows.map(([position, thing]) => ({
    ...decoded([position, thing]),
    role: roleOf(6 - Number(position.slice(0, 1))),
  }));
  return pageOf(entries, request.limit, ({ position }) => position);
}

const SIZE = statement<[entries: number]>(
  () => `SELECT count(*) FROM catalog c WHERE ${holds("c")} AND c.list = $3`,
);

/** How many permissions a team was given. */
export async function countGivenToTeam(reading: Reading, team: string): Promise<number> {
  const [row] = await reading.read(SIZE, ...reading.asOf, `team/${team}`);
  return row?.[0] ?? 0;
}
