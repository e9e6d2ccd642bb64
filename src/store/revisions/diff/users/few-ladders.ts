/** Loads ladders of contents with the grants of the given teams only. */
import type { ContentKey } from "../../../../domain/content.ts";
import { type Role, roleOf } from "../../../../domain/role.ts";
import type { Content } from "../../../directory/content.ts";
import { statement } from "../../../engine/engine.ts";
import type { Reading } from "../../../reading.ts";
import { holds } from "../../../schema/as-of.ts";
import { decodeContent, decodeDefaultLevel } from "../../../schema/encoding.ts";
import { GIVEN } from "./content-tree.ts";

/** The roles of team grants, by content, then by team. */
export type TeamGrants = ReadonlyMap<ContentKey, ReadonlyMap<string, Role>>;

const LEVELS = statement<[id: string, parent: string | null, title: string, level: number]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title, c.level FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value`,
    )}`,
);

export async function grantsOf(reading: Reading, teams: ReadonlySet<string>): Promise<TeamGrants> {
  const found = new Map<ContentKey, Map<string, Role>>();
  for (const [id, team, role] of await reading.read(GIVEN, ...reading.asOf, [...teams])) {
    const content = decodeContent(id);
    const known = found.get(content);
    if (known === undefined) found.set(content, new Map([[team, roleOf(role)]]));
    else known.set(team, roleOf(role));
  }
  return found;
}

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** Loads contents, and the ancestors from which they inherit. Contents that do not exist are absent from the result. */
export async function laddersOf(
  reading: Reading,
  keys: Iterable<ContentKey>,
  grants: TeamGrants,
): Promise<ReadonlyMap<ContentKey, Content>> {
  const found = new Map<ContentKey, Content>();
  for (let wanted = new Set(keys); wanted.size > 0;) {
    const rows = await reading.read(LEVELS, ...reading.asOf, [...wanted]);
    const above: ContentKey[] = [];
    for (const [id, parentId, title, level] of rows) {
      const content = decodeContent(id);
      const parent = parentId === null ? undefined : decodeContent(parentId);
      const defaultLevel = decodeDefaultLevel(level);
      found.set(content, { content, title, parent, defaultLevel, teams: grants.get(content) ?? NO_TEAMS });
      if (defaultLevel === "inherit" && parent !== undefined) above.push(parent);
    }
    wanted = new Set(above.filter((key) => !found.has(key)));
  }
  return found;
}
