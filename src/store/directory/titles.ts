import type { ContentKey } from "../../domain/content.ts";
import type { Titles } from "../../domain/reason.ts";
import type { Content } from "./contents.ts";
import type { Reading } from "../reading.ts";
import { teamNodes } from "./teams.ts";

/**
 * The titles of loaded contents, and of all teams with a permission on one of them. Returns the id of anything without
 * a title.
 */
export async function titlesFor(reading: Reading, loaded: ReadonlyMap<ContentKey, Content>): Promise<Titles> {
  const ids = new Set([...loaded.values()].flatMap(({ teams }) => [...teams.keys()]));
  const teams = await teamNodes(reading, [...ids]);
  return {
    content: (key) => loaded.get(key)?.title ?? key,
    team: (id) => teams.get(id)?.title ?? id,
  };
}
