import { type ContentKey, kindOf } from "../../../../domain/content.ts";
import { holds } from "../../../schema/as-of.ts";
import type { Reading } from "../../../reading.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import { type Statement, statement } from "../../../engine/engine.ts";

type Row = [child: string, parent: string, level: number];

/** Reads the children of collections from the explorer's lists. */
function children(among: string): Statement<Row> {
  return statement(
    ({ texts }) => `
      SELECT c.id, c.parent, c.level
        FROM ${texts("$3", "wanted")} CROSS JOIN catalog k CROSS JOIN content c
        WHERE ${holds("k")} AND k.list = 'in/' || substr(wanted.value, 12) AND ${among}
          AND ${holds("c")} AND c.id = k.thing`,
  );
}

const ALL = children("true");
/** Collections come before spaces in these lists. */
const COLLECTIONS = children("k.position < '1'");

export interface Child {
  readonly child: ContentKey;
  readonly parent: ContentKey;
  readonly level: number;
}

/** The children of the given contents. With `collections`, only those that are collections. */
export async function childrenOf(
  at: Reading,
  contents: readonly ContentKey[],
  kinds: "all" | "collections" = "all",
): Promise<Child[]> {
  const collections = contents.filter((key) => kindOf(key) === "collection");
  if (collections.length === 0) return [];
  const rows = await at.read(kinds === "all" ? ALL : COLLECTIONS, ...at.asOf, collections);
  return rows.map(([child, parent, level]) => ({
    child: decodeContent(child),
    parent: decodeContent(parent),
    level,
  }));
}
