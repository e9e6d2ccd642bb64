import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { type Listed, nextListed } from "./catalog.ts";

export interface SiteNode {
  readonly kind: "site";
  readonly id: string;
  readonly title: string;
  readonly spaces: number;
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
