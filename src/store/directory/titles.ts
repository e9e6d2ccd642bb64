import type { ContentKey } from "../../domain/content.ts";
import type { Titles } from "../../domain/reason.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import type { Content } from "./contents.ts";
import type { Reading } from "../reading.ts";

const TEAMS = statement<[id: string, title: string]>(
  ({ texts }) => `
    SELECT t.id, t.title FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/**
 * The titles of loaded contents, and of all teams with a permission on one of them. Returns the id of anything without
 * a title.
 */
export async function titlesFor(reading: Reading, loaded: ReadonlyMap<ContentKey, Content>): Promise<Titles> {
  const ids = new Set([...loaded.values()].flatMap(({ teams }) => [...teams.keys()]));
  const rows = ids.size === 0 ? [] : await reading.read(TEAMS, ...reading.asOf, [...ids]);
  const teams = new Map(rows);
  return {
    content: (key) => loaded.get(key)?.title ?? key,
    team: (id) => teams.get(id) ?? id,
  };
}
