import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import type { MemberRights } from "../../domain/ladder.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import type { CacheKind } from "../cache.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds, memberDoc } from "../schema/as-of.ts";
import { MANY, decodeContent, decodeGrants, decodeMemberRole, decodeTeams } from "../schema/encoding.ts";
import { MEMBERS } from "../schema/set-names.ts";

type MemberColumns = [position: number, id: string, role: number, text: string, omitted: number];

export interface Member extends MemberRights {
  readonly id: string;
  readonly position: number;
  /** Whether the member has too many direct permissions for one row. If so, `direct` is empty. */
  readonly many: boolean;
  readonly document: Document;
}

/** SQL: the ids of all teams of the member in row `r`, even if the row does not list them. */
const TEAMS = `
  CASE WHEN r.teams <> '${MANY}' THEN r.teams ELSE (
    SELECT string_agg(tm.team, ' ' ORDER BY tm.team) FROM team_member tm
      WHERE ${holds("tm")} AND tm.position = r.position) END`;

type SubjectRow = [
  position: number,
  role: number,
  text: string,
  omitted: number,
  teams: string,
  grants: string,
];

const MEMBER = statement<SubjectRow>(
  () => `
    SELECT r.position, r.role, ${memberDoc("r")}, r.omitted, ${TEAMS}, r.grants
      FROM place p CROSS JOIN member r
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $3
        AND ${holds("r")} AND r.position = p.position`,
);

const BY_ID = statement<[id: string, role: number, text: string, omitted: number]>(
  ({ texts }) => `
    SELECT m.id, m.role, ${memberDoc("m")}, m.omitted
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** The members with the given ids, by id, without their teams and permissions. Other ids are absent. */
export async function membersById(
  reading: Reading,
  ids: readonly string[],
): Promise<Map<string, Pick<Member, "id" | "role" | "document">>> {
  const rows = ids.length === 0 ? [] : await reading.read(BY_ID, ...reading.asOf, ids);
  return new Map(
    rows.map(([id, role, text, omitted]) => [
      id,
      { id, role: decodeMemberRole(role), document: { text, omitted } },
    ]),
  );
}

const KIND: CacheKind<Member> = {
  name: "member",
  bytes: ({ document, teams, direct }) =>
    300 + 2 * document.text.length + 50 * teams.length + 100 * direct.size,
};

const NO_GRANTS: ReadonlyMap<ContentKey, Role> = new Map();

/** A member by id; `undefined` for a user who is not a member. */
export async function memberOf(reading: Reading, id: string): Promise<Member | undefined> {
  const { cache, at } = reading;
  return cache.get(KIND, at, id) ?? cache.share(KIND, at, id, () => readMember(reading, id));
}

async function readMember(reading: Reading, id: string): Promise<Member | undefined> {
  const [row] = await reading.read(MEMBER, ...reading.asOf, id);
  if (row === undefined) return undefined;
  const [position, role, text, omitted, teams, grants] = row;
  const many = grants === MANY;
  const member: Member = {
    id,
    position,
    role: decodeMemberRole(role),
    teams: decodeTeams(teams),
    direct: many || grants === "" ? NO_GRANTS : new Map(decodeGrants(grants)),
    many,
    document: { text, omitted },
  };
  reading.cache.keep(KIND, reading.at, id, member);
  return member;
}

const NAMED = statement<[...MemberColumns, teams: string, grants: string]>(
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
export async function wholeMembers(
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
