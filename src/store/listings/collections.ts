/** The listing of all collections (endpoint 13). */
import { contentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds, idsAfter } from "../schema/as-of.ts";
import { INHERIT } from "../schema/encoding.ts";

export interface Collection {
  readonly id: string;
  /** The JSON text of the collection's record. */
  readonly text: string;
  /** Whether the default level is `inherit`, which the record omits. */
  readonly inherits: boolean;
}

/** The keys of collections lie between "collection/" and "collection0". */
const ALL = statement<[id: string, text: string, level: number]>(
  () => `
    ${idsAfter("content", "$3", "'collection0'")}
    SELECT substr(c.id, length('collection/') + 1), c.doc, c.level
      FROM next CROSS JOIN content c WHERE ${holds("c")} AND c.id = next.id LIMIT $4`,
);

/** All collections, by id, wherever they are nested. */
export async function allCollections(
  reading: Reading,
  { after = "", limit }: PageRequest<string>,
): Promise<Page<Collection, string>> {
  const rows = await reading.read(ALL, ...reading.asOf, contentKey("collection", after), limit + 1);
  const collections = rows.map(([id, text, level]) => ({ id, text, inherits: level === INHERIT }));
  return pageOf(collections, limit, ({ id }) => id);
}
