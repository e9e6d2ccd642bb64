/** Looks up stored records of one revision by key. Keys without a record are absent from the results. */
import type { ContentKey } from "../../../../domain/content.ts";
import { type Role, roleOf } from "../../../../domain/role.ts";
import type { ContentRecord, MemberRecord, TeamRecord } from "../../change/record-change.ts";
import { holds, memberDoc } from "../../../schema/as-of.ts";
import type { Reading } from "../../../reading.ts";
import { decodeContent, decodeMemberRole } from "../../../schema/encoding.ts";
import { type Column, type Statement, statement } from "../../../engine/engine.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { firstOf, type Pair, secondOf } from "../pair.ts";

const BATCH = 10_000;

async function lookUp<Row extends Column[]>(
  at: Reading,
  wanted: Statement<Row>,
  keys: Iterable<string>,
): Promise<Row[]> {
  const all = [...keys];
  const rows: Row[] = [];
  for (let from = 0; from < all.length; from += BATCH) {
    for (const row of await at.read(wanted, ...at.asOf, all.slice(from, from + BATCH))) rows.push(row);
  }
  return rows;
}

/** SQL: rows `r` of a table keyed by a member's position. `member` is SQL for the member's id. */
function ofMember(columns: string, from: string, member: string, table: string, key = "true"): string {
  return `
    SELECT ${columns} FROM ${from} CROSS JOIN place p CROSS JOIN ${table} r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = ${member}
        AND ${holds("r")} AND r.position = p.position AND ${key}`;
}

const MEMBER_ROWS = statement<[id: string, role: number, doc: string, omitted: number]>(({ texts }) =>
  ofMember(`r.id, r.role, ${memberDoc("r")}, r.omitted`, texts("$3", "wanted"), "wanted.value", "member"),
);

export async function membersNamed(at: Reading, ids: Iterable<string>): Promise<Map<string, MemberRecord>> {
  const rows = await lookUp(at, MEMBER_ROWS, ids);
  return new Map(
    rows.map(([id, role, doc, omitted]) => [id, { role: decodeMemberRole(role), doc, omitted }]),
  );
}

const TEAM_ROWS = statement<[id: string, title: string, doc: string]>(
  ({ texts, lookUp: each }) => `
    SELECT t.id, t.title, t.doc FROM ${each(texts("$3", "wanted"), "team", "t", `${holds("t")} AND t.id = wanted.value`)}`,
);

export async function teamsNamed(at: Reading, ids: Iterable<string>): Promise<Map<string, TeamRecord>> {
  const rows = await lookUp(at, TEAM_ROWS, ids);
  return new Map(rows.map(([id, title, doc]) => [id, { title, doc }]));
}

type ContentRow = [
  id: string,
  parent: string | null,
  title: string,
  level: number,
  doc: string | null,
  look: string,
  key: string | null,
  spaceDoc: string | null,
  omitted: number | null,
];

const CONTENT_ROWS = statement<ContentRow>(
  ({ texts }) => `
    SELECT c.id, c.parent, c.title, c.level, c.doc, c.look, s.key, s.doc, s.omitted
      FROM ${texts("$3", "wanted")} CROSS JOIN content c
        LEFT JOIN space s ON ${holds("s")} AND s.position = c.position
      WHERE ${holds("c")} AND c.id = wanted.value`,
);

export async function contentsNamed(
  at: Reading,
  keys: Iterable<ContentKey>,
): Promise<Map<ContentKey, ContentRecord>> {
  const rows = await lookUp(at, CONTENT_ROWS, keys);
  return new Map(
    rows.map(([id, parent, title, level, doc, look, key, spaceDoc, omitted]) => [
      decodeContent(id),
      {
        parent: parent === null ? undefined : decodeContent(parent),
        title,
        level,
        key: key ?? undefined,
        doc: spaceDoc ?? doc ?? "",
        omitted: omitted ?? 0,
        look,
      },
    ]),
  );
}

const SITE_ROWS = statement<[id: string, title: string]>(
  ({ texts, lookUp: each }) => `
    SELECT s.id, s.title FROM ${each(texts("$3", "wanted"), "site", "s", `${holds("s")} AND s.id = wanted.value`)}`,
);

export async function sitesNamed(at: Reading, ids: Iterable<string>): Promise<Map<string, string>> {
  return new Map(await lookUp(at, SITE_ROWS, ids));
}

const [FIRST, SECOND] = [firstOf("wanted.value"), secondOf("wanted.value")];

const TEAM_MEMBER_ROWS = statement<[pair: Pair, role: string]>(({ texts }) =>
  ofMember("wanted.value, r.role", texts("$3", "wanted"), SECOND, "team_member", `r.team = ${FIRST}`),
);

/** The roles of memberships, by pair of team and member. */
export async function teamMembersNamed(at: Reading, pairs: Iterable<Pair>): Promise<Map<Pair, string>> {
  return new Map(await lookUp(at, TEAM_MEMBER_ROWS, pairs));
}

const SITE_SPACE_ROWS = statement<[pair: Pair]>(
  ({ texts, lookUp: each }) => `
    SELECT wanted.value FROM ${each(
      texts("$3", "wanted"),
      "site_space",
      "s",
      `${holds("s")} AND s.site = ${FIRST} AND s.space = ${SECOND}`,
    )}`,
);

/** The spaces of sites, by pair of site and space. */
export async function siteSpacesNamed(at: Reading, pairs: Iterable<Pair>): Promise<Map<Pair, true>> {
  return new Map((await lookUp(at, SITE_SPACE_ROWS, pairs)).map(([pair]) => [pair, true]));
}

const USER_GRANT_ROWS = statement<[pair: Pair, role: number]>(({ texts }) =>
  ofMember("wanted.value, r.role", texts("$3", "wanted"), SECOND, "user_grant", `r.content = ${FIRST}`),
);
const TEAM_GRANT_ROWS = statement<[pair: Pair, role: number]>(
  ({ texts, lookUp: each }) => `
    SELECT wanted.value, g.role FROM ${each(
      texts("$3", "wanted"),
      "team_grant",
      "g",
      `${holds("g")} AND g.content = ${FIRST} AND g.team = ${SECOND}`,
    )}`,
);

/** The roles of direct permissions, by pair of content and member. */
export function userGrantsNamed(at: Reading, pairs: Iterable<Pair>): Promise<Map<Pair, Role>> {
  return roles(at, USER_GRANT_ROWS, pairs);
}

/** The roles of team grants, by pair of content and team. */
export function teamGrantsNamed(at: Reading, pairs: Iterable<Pair>): Promise<Map<Pair, Role>> {
  return roles(at, TEAM_GRANT_ROWS, pairs);
}

async function roles(
  at: Reading,
  wanted: Statement<[pair: Pair, role: number]>,
  pairs: Iterable<Pair>,
): Promise<Map<Pair, Role>> {
  return new Map((await lookUp(at, wanted, pairs)).map(([pair, role]) => [pair, roleOf(role)]));
}
