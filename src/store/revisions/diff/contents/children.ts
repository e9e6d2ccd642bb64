/** Finds the contents that inherit from collections. */
import { type ContentKey, idOf, kindOf } from "../../../../domain/content.ts";
import { type Role, roleOf } from "../../../../domain/role.ts";
import type { Content } from "../../../directory/content.ts";
import { type Dialect, statement } from "../../../engine/engine.ts";
import type { Reading } from "../../../reading.ts";
import { holds } from "../../../schema/as-of.ts";
import { decodeContent, INHERIT } from "../../../schema/encoding.ts";

/** SQL: the entries of the lists of contents directly in the given collections. */
const LISTED = ({ texts, lookUp }: Dialect) =>
  lookUp(texts("$3", "wanted"), "catalog", "k", `${holds("k")} AND k.list = wanted.value`);

const INHERITING = statement<[id: string, parent: string, title: string, own: number]>(
  (dialect) => `
    SELECT c.id, c.parent, c.title, k.own FROM ${dialect.lookUp(
      `(SELECT k.thing, k.own FROM ${LISTED(dialect)}) k`,
      "content",
      "c",
      `${holds("c")} AND c.id = k.thing AND c.level = ${INHERIT}`,
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

export interface Child {
  readonly content: ContentKey;
  readonly parent: ContentKey;
  readonly title: string;
  /** Whether the content has permissions of its own. */
  readonly own: boolean;
}

/** The contents that inherit directly from one of the given collections, except those in `but`. */
export async function childrenOf(
  reading: Reading,
  keys: readonly ContentKey[],
  but: Pick<ReadonlyMap<ContentKey, unknown>, "has">,
): Promise<Child[]> {
  const lists = keys.filter((key) => kindOf(key) === "collection").map((key) => `in/${idOf(key)}`);
  if (lists.length === 0) return [];
  const rows = await reading.read(INHERITING, ...reading.asOf, lists);
  const found: Child[] = [];
  for (const [id, parent, title, own] of rows) {
    const content = decodeContent(id);
    if (!but.has(content)) found.push({ content, parent: decodeContent(parent), title, own: own === 1 });
  }
  return found;
}

/** The contents that {@link childrenOf} returns, with their team grants. */
export async function inheritingFrom(
  reading: Reading,
  keys: readonly ContentKey[],
  but: Pick<ReadonlyMap<ContentKey, unknown>, "has">,
): Promise<(Content & { readonly parent: ContentKey })[]> {
  const children = await childrenOf(reading, keys, but);
  const teams = new Map<string, Map<string, Role>>();
  const set = children.flatMap(({ content, own }) => (own ? [content] : []));
  for (const [content, team, role] of await reading.read(GRANTS, ...reading.asOf, set)) {
    const held = teams.get(content) ?? new Map<string, Role>();
    teams.set(content, held.set(team, roleOf(role)));
  }
  return children.map(({ content, parent, title }) => ({
    content,
    title,
    parent,
    defaultLevel: "inherit",
    teams: teams.get(content) ?? NO_TEAMS,
  }));
}
