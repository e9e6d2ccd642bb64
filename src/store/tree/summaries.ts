/** What the explorer shows of things: titles, counts and what is set on them. */
import { type ContentKey, type DefaultLevel, idOf, kindOf } from "../../domain/content.ts";
import { ROLES } from "../../domain/role.ts";
import type { Person } from "../../domain/explanation/why.ts";
import { chainOf, chains } from "../directory/ancestors.ts";
import { childrenOf } from "./tree-index.ts";
import type { Content } from "../directory/content.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import { personOf } from "../directory/person.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { sizesOf } from "../sets/set-store.ts";
import { TEAM_COLUMNS, type Team, teamOf, type TeamRow } from "../directory/teams.ts";
import { type Viewer, visible } from "./viewer.ts";

export type ContentNode =
  | {
      readonly kind: "space";
      readonly id: string;
      readonly title: string;
      readonly emoji?: string;
      readonly visibility: string;
      readonly defaultLevel: DefaultLevel;
      readonly given: number;
      readonly deletedAt?: string;
    }
  | {
      readonly kind: "collection";
      readonly id: string;
      readonly title: string;
      readonly defaultLevel: DefaultLevel;
      readonly given: number;
      readonly children: number;
    };

/** Of a deleted space its record, for the date. */
const LOOKS = statement<[id: string, look: string, deleted: string | null]>(
  ({ texts }) => `
    SELECT c.id, c.look, CASE WHEN s.doc LIKE '%"deletedAt":%' THEN s.doc END
      FROM ${texts("$3", "wanted")} CROSS JOIN content c
      LEFT JOIN space s ON ${holds("s")} AND s.position = c.position
      WHERE ${holds("c")} AND c.id = wanted.value`,
);

/** Contents with the collections above them. */
export interface Placed {
  readonly node: ContentNode;
  /** Those that the viewer sees, topmost first. */
  readonly above: readonly Content[];
}

/** Some contents that the viewer sees, and where they lie; those that do not exist are absent. */
export async function placed(
  reading: Reading,
  viewer: Viewer,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Placed>> {
  if (keys.length === 0) return new Map();
  const loaded = await chains(reading, keys);
  const rows = await reading.read(LOOKS, ...reading.asOf, keys);
  const looks = new Map(rows.map(([id, look, deleted]) => [id, { look, deleted }]));
  const collections = keys.filter((key) => kindOf(key) === "collection" && loaded.has(key)).map(idOf);
  const children = await childrenOf(reading, viewer, collections);
  const direct = await directCounts(reading, keys);
  const wanted = new Set(keys);
  const others = [...loaded.keys()].filter((key) => !wanted.has(key) || kindOf(key) === "collection");
  const seen = viewer.all ? undefined : await visible(reading, viewer, others);
  const found = new Map<ContentKey, Placed>();
  for (const key of keys) {
    const content = loaded.get(key);
    if (content === undefined) continue;
    const above = chainOf(content, loaded).slice(1).toReversed();
    found.set(key, {
      node: nodeOf(content, looks.get(key), direct.get(key) ?? 0, children.get(idOf(key)) ?? 0),
      above: seen === undefined ? above : above.filter((each) => seen.has(each.content)),
    });
  }
  return found;
}

function nodeOf(
  content: Content,
  { look, deleted }: { look: string; deleted: string | null } = { look: "", deleted: null },
  direct: number,
  children: number,
): ContentNode {
  const { content: key, title, defaultLevel } = content;
  const id = idOf(key);
  const given = direct + content.teams.size;
  if (kindOf(key) === "collection") return { kind: "collection", id, title, defaultLevel, given, children };
  const [visibility = ""] = look.split(" ", 1);
  const emoji = look.slice(visibility.length + 1);
  const { deletedAt }: { deletedAt?: string } = deleted === null ? {} : JSON.parse(deleted);
  return {
    kind: "space",
    id,
    title,
    ...(emoji === "" ? {} : { emoji }),
    visibility,
    defaultLevel,
    given,
    ...(deletedAt === undefined ? {} : { deletedAt }),
  };
}

/** How many users were given a permission on each of some contents. */
export async function directCounts(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, number>> {
  const names = keys.flatMap((key) => ROLES.map((role) => memberSets.given(key, role)));
  const sizes = await sizesOf(reading, MEMBERS, names);
  return new Map(
    keys.map((key, place) => {
      const own = sizes.slice(place * ROLES.length, (place + 1) * ROLES.length);
      return [key, own.reduce((sum, size) => sum + size, 0)];
    }),
  );
}

export interface SiteNode {
  readonly kind: "site";
  readonly id: string;
  readonly title: string;
  readonly spaces: number;
}

const SITES = statement<[id: string, title: string, spaces: number]>(
  ({ texts }) => `
    SELECT s.id, s.title, (SELECT count(*) FROM site_space ss WHERE ${holds("ss")} AND ss.site = s.id)
      FROM ${texts("$3", "wanted")} CROSS JOIN site s WHERE ${holds("s")} AND s.id = wanted.value`,
);

/** Some sites, by id; those that do not exist are absent. */
export async function siteNodes(reading: Reading, ids: readonly string[]): Promise<Map<string, SiteNode>> {
  const rows = ids.length === 0 ? [] : await reading.read(SITES, ...reading.asOf, ids);
  return new Map(rows.map(([id, title, spaces]) => [id, { kind: "site", id, title, spaces }]));
}

export interface TeamNode {
  readonly kind: "team";
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly members: number;
  readonly spaces: number;
}

/** A stored team as the explorer shows it. */
export function teamNode({ id, text, members, spaces }: Team): TeamNode {
  const { title, createdAt }: { title: string; createdAt: string } = JSON.parse(text);
  return { kind: "team", id, title, createdAt, members, spaces };
}

const TEAMS = statement<TeamRow>(
  ({ texts }) => `
    SELECT ${TEAM_COLUMNS} FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/** Some teams, by id; those that do not exist are absent. */
export async function teamNodes(reading: Reading, ids: readonly string[]): Promise<Map<string, TeamNode>> {
  const rows = ids.length === 0 ? [] : await reading.read(TEAMS, ...reading.asOf, ids);
  return new Map(rows.map((row) => [row[0], teamNode(teamOf(row))]));
}

const PEOPLE = statement<[id: string, role: number, text: string, omitted: number]>(
  ({ texts }) => `
    SELECT m.id, m.role, m.doc, m.omitted 
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** Some members, by id; an id of no member is absent. */
export async function people(reading: Reading, ids: readonly string[]): Promise<Map<string, Person>> {
  const rows = ids.length === 0 ? [] : await reading.read(PEOPLE, ...reading.asOf, ids);
  return new Map(
    rows.map(([id, role, text, omitted]) => [
      id,
      personOf({ id, role: decodeMemberRole(role), document: { text, omitted } }),
    ]),
  );
}
