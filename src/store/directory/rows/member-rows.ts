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

export type MemberRow = [position: number, id: string, role: number, text: string, omitted: number];

/** A member's row with teams and direct permissions; `decodeTeams` and `decodeGrants` decode them. */
export type ListedMemberRow = [...MemberRow, teams: string, grants: string];

/** SQL: the columns of a {@link MemberRow} after the position. */
const MEMBER_COLUMNS = `t.id, t.role, ${memberDoc("t")}, t.omitted`;

const ROWS: PositionRows<MemberRow> = positionRows(MEMBERS, MEMBER_COLUMNS, "member");
const LISTED: PositionRows<ListedMemberRow> = positionRows(
  MEMBERS,
  `${MEMBER_COLUMNS}, t.teams, t.grants`,
  "member",
);

/** The members at the given positions, by position. Members at positions in between may be included. */
export function membersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  return rowsAt(reading, ROWS, positions);
}

/** The rows of {@link membersAt}, with teams and direct permissions. */
export function listedMembersAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, ListedMemberRow>> {
  return rowsAt(reading, LISTED, positions);
}

/** Whether a member has too many teams or direct permissions for a row, so that the row does not list them. */
export function isCut([, , , , , teams, grants]: ListedMemberRow): boolean {
  return teams === MANY || grants === MANY;
}

/**
 * The teams to which a member belongs, among the requested ones, and the member's direct permissions on the requested
 * contents.
 */
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

/**
 * Reads which of `teams` the given members belong to, and the members' direct permissions on `contents`. The result is
 * by position.
 */
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

/** Up to `count` members of one chunk, in id order from `from` on, with teams and direct permissions. */
export function nextMembers(
  reading: Reading,
  from: Place,
  count: number,
): Promise<NextRows<ListedMemberRow>> {
  return nextRows(reading, LISTED, from, "asc", count);
}
