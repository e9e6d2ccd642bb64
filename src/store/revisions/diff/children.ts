/** Finds the contents that inherit from collections. */
import { type ContentKey, idOf, kindOf } from "../../../domain/content.ts";
import { type Role, roleOf } from "../../../domain/role.ts";
import type { Content } from "../../directory/content.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent, INHERIT } from "../../schema/encoding.ts";

const IN = statement<[content: string]>(
  ({ texts, lookUp }) => `
    SELECT c.thing FROM ${lookUp(
      texts("$3", "wanted"),
      "catalog",
      "c",
      `${holds("c")} AND c.list = wanted.value`,
    )}`,
);

const INHERITING = statement<[id: string, parent: string, title: string]>(
  ({ texts, lookUp }) => `
    SELECT c.id, c.parent, c.title FROM ${lookUp(
      texts("$3", "wanted"),
      "content",
      "c",
      `${holds("c")} AND c.id = wanted.value AND c.level = ${INHERIT}`,
    )}`,
);

const GRANTS = statement<[content: string, team: string, role: number]>(
  ({ texts, lookUp }) => `
    SELECT g.content, g.team, g.role FROM ${lookUp(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.content = wanted.value`,
    )}`,
);

const NO_TEAMS: ReadonlyMap<string, Role> = new Map();

/** The contents that inherit directly from some collections, except those in `but`. */
export async function inheritingFrom(
  reading: Reading,
  keys: readonly ContentKey[],
  but: ReadonlyMap<ContentKey, unknown>,
): Promise<(Content & { readonly parent: ContentKey })[]> {
  const lists = keys.filter((key) => kindOf(key) === "collection").map((key) => `in/${idOf(key)}`);
  if (lists.length === 0) return [];
  const rows = await reading.read(IN, ...reading.asOf, lists);
  const ids = rows.map(([id]) => id).filter((id) => !but.has(decodeContent(id)));
  const inheriting = await reading.read(INHERITING, ...reading.asOf, ids);
  const teams = new Map<string, Map<string, Role>>();
  for (const [content, team, role] of await reading.read(
    GRANTS,
    ...reading.asOf,
    inheriting.map(([id]) => id),
  )) {
    const held = teams.get(content) ?? new Map<string, Role>();
    teams.set(content, held.set(team, roleOf(role)));
  }
  return inheriting.map(([id, parent, title]) => ({
    content: decodeContent(id),
    title,
    parent: decodeContent(parent),
    defaultLevel: "inherit",
    teams: teams.get(id) ?? NO_TEAMS,
  }));
}
