/** Reads many members with everything that `decide` needs. */
import { holds, memberDoc } from "../../../schema/as-of.ts";
import {
  decodeContent,
  decodeGrants,
  decodeMemberRole,
  decodeTeams,
  MANY,
} from "../../../schema/encoding.ts";
import { statement } from "../../../engine/engine.ts";
import { type Member, memberOf } from "../../../directory/members.ts";
import type { MemberRow } from "../../../directory/rows/member-rows.ts";
import type { Reading } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { roleOf } from "../../../../domain/role.ts";

const NAMED = statement<[...MemberRow, teams: string, grants: string]>(
  ({ texts }) => `
    SELECT m.position, m.id, m.role, ${memberDoc("m")}, m.omitted, m.teams, m.grants
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);
const GRANTS = statement<[content: string, role: number]>(
  () => `SELECT g.content, g.role FROM user_grant g WHERE ${holds("g")} AND g.position = $3`,
);

/** The members with all teams and direct permissions, by user id. Users who are not members are absent. */
export async function subjectsOf(
  reading: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Member>> {
  const found = new Map<string, Member>();
  for (const row of await reading.read(NAMED, ...reading.asOf, ids)) {
    const [position, id, role, text, omitted, teams, grants] = row;
    const document = { text, omitted };
    const own = teams === MANY ? ((await memberOf(reading, id))?.teams ?? []) : decodeTeams(teams);
    const direct =
      grants === MANY
        ? (await reading.read(GRANTS, ...reading.asOf, position)).map(
            ([content, given]) => [decodeContent(content), roleOf(given)] as const,
          )
        : decodeGrants(grants);
    found.set(id, {
      id,
      position,
      role: decodeMemberRole(role),
      teams: own,
      direct: new Map(direct),
      many: false,
      document,
    });
  }
  return found;
}
