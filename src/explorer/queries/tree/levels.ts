import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { contentTitleKey, decodeContent } from "../../../store/schema/encoding.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { decoded, type Listed, nextListed } from "./catalog.ts";
import { decidesAt, type Viewer, visible } from "./viewer.ts";
import { inBlocks, Turns } from "../../../store/turns.ts";

const BLOCK = 500;

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
  const turns = new Turns();
  for (let after = request.after ?? ""; entries.length <= limit;) {
    const block = (await nextListed(reading, list, after, BLOCK)).map(decoded);
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
    await turns.give();
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
  for await (const block of inBlocks(rows, BLOCK)) {
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
