import { type ContentKey, type DefaultLevel, idOf, kindOf } from "../../domain/content.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent, decodeDefaultLevel } from "../schema/encoding.ts";
import { type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";

/** A content directly in a collection. */
export interface Child {
  readonly content: ContentKey;
  readonly title: string;
  readonly parent: ContentKey;
  readonly defaultLevel: DefaultLevel;
  /** The position of a space; `null` for a collection. */
  readonly position: number | null;
}

type ChildRow = [content: string, title: string, parent: string, level: number, position: number | null];

/** Reads the contents directly in the given collections, from table `catalog`. */
function children(among: string): Statement<ChildRow> {
  return statement(
    ({ texts }) => `
      SELECT c.id, c.title, c.parent, c.level, c.position
        FROM ${texts("$3", "wanted")} CROSS JOIN catalog k CROSS JOIN content c
        WHERE ${holds("k")} AND k.list = 'in/' || wanted.value AND ${among} AND ${holds("c")} AND c.id = k.thing`,
  );
}

const CHILDREN = children("true");
/** Collections come before spaces in a list. */
const COLLECTIONS = children("k.position < '1'");

/** The contents directly in the given contents, of which spaces have none; `collections`: only collections. */
export async function childrenOf(
  reading: Reading,
  keys: readonly ContentKey[],
  kinds: "all" | "collections" = "all",
): Promise<Child[]> {
  const parents = keys.filter((key) => kindOf(key) === "collection").map(idOf);
  if (parents.length === 0) return [];
  const rows = await reading.read(kinds === "all" ? CHILDREN : COLLECTIONS, ...reading.asOf, parents);
  return rows.map(([id, title, parent, level, position]) => ({
    content: decodeContent(id),
    title,
    parent: decodeContent(parent),
    defaultLevel: decodeDefaultLevel(level),
    position,
  }));
}
