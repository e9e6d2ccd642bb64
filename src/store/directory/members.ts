import { type Decision, decide, type Subject } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import { decodeContent, decodeMemberRole } from "../schema/encoding.ts";
import type { Content } from "./content.ts";
import { statement } from "../engine/engine.ts";
import { contents, ladderOf } from "./inheritance.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, MOST_GRANTS } from "../schema/set-names.ts";
import { memberDoc } from "../schema/member-doc.ts";

/** A member with all of their teams. */
export interface Member extends Subject {
  readonly id: string;
  readonly position: number;
  /** Whether the member has more direct permissions than are loaded; then `direct` is empty. */
  readonly many: boolean;
  readonly document: Document;
}

/** SQL: rows `r` of the member with id `$3`, from a table whose key begins with the position. */
function ofMember(columns: string, table: string): string {
  return `
    SELECT ${columns} FROM place p CROSS JOIN ${table} r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $3
        AND ${holds("r")} AND r.position = p.position`;
}

const MEMBER = statement<[position: number, role: number, text: string, omitted: number]>(() =>
  ofMember(`r.position, r.role, ${memberDoc("r")}, r.omitted`, "member"),
);
const TEAMS = statement<[team: string]>(() => `${ofMember("r.team", "team_member")} ORDER BY r.team`);
const GRANTS = statement<[content: string, role: number]>(
  () => `${ofMember("r.content, r.role", "user_grant")} LIMIT ${MOST_GRANTS + 1}`,
);

const KIND: CacheKind<Member> = {
  name: "member",
  bytes: ({ document, teams, direct }) =>
    300 + 2 * document.text.length + 50 * teams.length + 100 * direct.size,
};

const NO_GRANTS: ReadonlyMap<ContentKey, Role> = new Map();

/** A member by id; `undefined` for a user who is not a member. */
export async function memberOf(reading: Reading, id: string): Promise<Member | undefined> {
  const known = reading.cache.get(KIND, reading.at, id);
  if (known !== undefined) return known;
  const [[row], teams, grants] = await Promise.all([
    reading.read(MEMBER, ...reading.asOf, id),
    reading.read(TEAMS, ...reading.asOf, id),
    reading.read(GRANTS, ...reading.asOf, id),
  ]);
  if (row === undefined) return undefined;
  const [position, role, text, omitted] = row;
  const many = grants.length > MOST_GRANTS;
  const member: Member = {
    id,
    position,
    role: decodeMemberRole(role),
    teams: teams.map(([team]) => team),
    direct: many || grants.length === 0 ? NO_GRANTS : new Map(grants.map(decoded)),
    many,
    document: { text, omitted },
  };
  reading.cache.keep(KIND, reading.at, id, member);
  return member;
}

function decoded([content, role]: [content: string, role: number]): [ContentKey, Role] {
  return [decodeContent(content), roleOf(role)];
}

const GRANTS_ON = statement<[content: string, role: number]>(
  ({ texts, lookUp }) => `
    SELECT g.content, g.role FROM ${lookUp(
      texts("$4", "wanted"),
      "user_grant",
      "g",
      `${holds("g")} AND g.position = $3 AND g.content = wanted.value`,
    )}`,
);

/** The member with their direct permissions on some ladders. Others may be missing. */
export async function subjectOn(
  reading: Reading,
  member: Member,
  ladders: readonly (readonly Content[])[],
): Promise<Member> {
  if (!member.many) return member;
  const keys = [...new Set(ladders.flat().map(({ content }) => content))];
  const rows = await reading.read(GRANTS_ON, ...reading.asOf, member.position, keys);
  return { ...member, direct: new Map(rows.map(decoded)) };
}

/** The ladder of a content, itself first; `undefined` if it does not exist. */
export async function ladderFor(reading: Reading, key: ContentKey): Promise<readonly Content[] | undefined> {
  const loaded = await contents(reading, [key]);
  const start = loaded.get(key);
  return start === undefined ? undefined : ladderOf(start, loaded);
}

/**
 * The effective role of one user on a content, and why; `undefined` for no access, for a user who is not a member,
 * and for a content that does not exist.
 */
export async function decisionFor(
  reading: Reading,
  key: ContentKey,
  user: string,
): Promise<Decision | undefined> {
  // One concurrent wait instead of two, where the database is remote.
  const [ladder, member] = await Promise.all([ladderFor(reading, key), memberOf(reading, user)]);
  if (ladder === undefined || member === undefined) return undefined;
  return decide(ladder, await subjectOn(reading, member, [ladder]));
}
