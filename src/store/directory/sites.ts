import { type ContentKey, contentKey } from "../../domain/content.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";

/** Reads the spaces of a site. The left join gives an empty site one row and a missing site none. */
const SPACES = statement<[space: string | null]>(
  () => `
    SELECT ss.space FROM site s LEFT JOIN site_space ss ON ${holds("ss")} AND ss.site = s.id
      WHERE ${holds("s")} AND s.id = $3 ORDER BY ss.space`,
);

/** The spaces of a site, sorted by id; `undefined` if the site does not exist. */
export async function spacesOfSite(
  reading: Reading,
  site: string,
): Promise<readonly ContentKey[] | undefined> {
  const rows = await reading.read(SPACES, ...reading.asOf, site);
  if (rows.length === 0) return undefined;
  return rows.flatMap(([space]) => (space === null ? [] : [contentKey("space", space)]));
}
