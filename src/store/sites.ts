import { contentKey, type ContentKey } from "../domain/content.ts";
import type { Content } from "./content.ts";
import { statement } from "./engine.ts";
import { climbing, type ContentRow, contents, keep, ladderOf } from "./levels.ts";
import type { Reading } from "./reading.ts";
import { type SiteDecision, siteTarget } from "./site-target.ts";
import type { Target } from "./target.ts";

/** One row more than the site has spaces: an empty site is told from one that does not exist. */
const SPACES = statement<[space: string | null]>(
  () => `
    SELECT ss.space FROM site s LEFT JOIN site_space ss
        ON ss.snapshot = s.snapshot AND ss.site = s.id AND ss.snapshot = $1
      WHERE s.snapshot = $1 AND s.id = $2
      ORDER BY ss.space`,
);

/** The spaces of a site, by id; `undefined` for a site that does not exist. */
export async function spacesOfSite(
  reading: Reading,
  site: string,
): Promise<readonly ContentKey[] | undefined> {
  const cached = reading.cache.spacesOfSite(reading.at, site);
  if (cached !== undefined) return cached;
  const rows = await reading.read(SPACES, reading.snapshot, site);
  if (rows.length === 0) return undefined;
  const spaces = rows.flatMap(([space]) => (space === null ? [] : [contentKey("space", space)]));
  reading.cache.keepSpacesOfSite(reading.at, site, spaces);
  return spaces;
}

const TREE = statement<ContentRow>(() =>
  climbing(`(SELECT 'space/' || space AS value FROM site_space WHERE snapshot = $1 AND site = $2)`),
);

/** A site's spaces and all that they inherit from, without a wait for their names. */
async function treeOf(reading: Reading, site: string): Promise<Map<ContentKey, Content>> {
  const loaded = new Map<ContentKey, Content>();
  keep(reading, await reading.read(TREE, reading.snapshot, site), loaded);
  return loaded;
}

/** A site with the content tree of its spaces, ready to decide upon members. */
export function openSite(reading: Reading, site: string): Promise<Target<SiteDecision> | undefined> {
  return reading.cache.site(reading.at, site, async () => {
    const [spaces, tree] = await Promise.all([
      spacesOfSite(reading, site),
      reading.distant ? treeOf(reading, site) : undefined,
    ]);
    if (spaces === undefined) return undefined;
    const loaded = tree ?? (await contents(reading, spaces));
    const ladders = spaces.flatMap((space) => {
      const content = loaded.get(space);
      return content === undefined ? [] : [ladderOf(content, loaded)];
    });
    return siteTarget(site, ladders);
  });
}
