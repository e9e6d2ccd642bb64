import type { ContentKey } from "../../../domain/content.ts";
import { type Role, roleOf } from "../../../domain/role.ts";
import { statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent, MANY } from "../../schema/encoding.ts";
import type { Place } from "../../sets/chunks.ts";
import { nextRows, type NextRows, type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import { memberDoc } from "../../schema/member-doc.ts";

/** A member's columns in lists. */
export type MemberRow = [position: number, id: string, role: number, text: string, omitted: number];

/** A member's row with teams and direct permissions, encoded by encoding.ts. */
export type ListedMemberRow = [...MemberRow, teams: string, grants: string];

/** The columns of a {@link MemberRow} after the position. */
const MEMBER_COLUMNS = `t.id, t.role, ${memberDoc("t")}, t.omitted`;

const ROWS: PositionRows<MemberRow> = positionRows(MEMBERS, MEMBER_COLUMNS, "member");
const LISTED: PositionRows<ListedMemberRow> = positionRows(
  MEMBERS,
  `${MEMBER_COLUMNS}, t.teams, t.grants`,
  "member",
);

/** The rows of the members at the given positions. Rows at positions between them may be included. */
export function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  return rowsAt(reading, ROWS, positions);
}

/** The rows of `membersAt`, with teams and direct permissions. */
export function listedMembersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, ListedMemberRow>> {
  return rowsAt(reading, LISTED, positions);
}

/** Whether a row does not list all teams and direct permissions. */
export function isCut([, , , , , teams, grants]: ListedMemberRow): boolean {
  return teams === MANY || grants === MANY;
}

/** Which of the given teams a member belongs to, and the member's direct permissions on the given contents. */
export interface Given {
  readonly teams: readonly string[];
  readonly direct: ReadonlyMap<ContentKey, Role>;
}

const AMONG = statement<[position: number, name: string, role: number | null]>(
  ({ numbers, texts, lookUp }) => {
    const each = (list: string) => `${numbers("$3", "wanted")} CROSS JOIN ${texts(list, "name")}`;
    const isEach = (alias: string) => `${holds(alias)} AND ${alias}.position = wanted.value`;
    return `
      SELECT t.position, t.team, NULL
        FROM ${lookUp(each("$4"), "team_member", "t", `${isEach("t")} AND t.team = name.value`)}
      UNION ALL SELECT g.position, g.content, g.role
        FROM ${lookUp(each("$5"), "user_grant", "g", `${isEach("g")} AND g.content = name.value`)}`;
  },
);

/** For each given member: which of the given teams they are in, and their direct permissions on the given contents. */
export async function givenAmong(
  reading: Reading,
  positions: readonly number[],
  teams: readonly string[],
  contents: readonly ContentKey[],
): Promise<ReadonlyMap<number, Given>> {
  const found = new Map<number, { teams: string[]; direct: Map<ContentKey, Role> }>();
  for (const position of positions) found.set(position, { teams: [], direct: new Map() });
  for (const [position, name, role] of await reading.read(
    AMONG,
    ...reading.asOf,
    positions,
    teams,
    contents,
  )) {
    if (role === null) found.get(position)?.teams.push(name);
    else found.get(position)?.direct.set(decodeContent(name), roleOf(role));
  }
  return found;
}

/** Up to `count` members of one chunk from an index on, with teams and direct permissions. */
export function nextMembers(
  reading: Reading,
  from: Place,
  count: number,
): Promise<NextRows<ListedMemberRow>> {
  return nextRows(reading, LISTED, from, "asc", count);
}
