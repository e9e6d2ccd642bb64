import type { ContentKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { type Role, roleOf } from "../../domain/role.ts";
import { posting } from "../codes.ts";
import { statement } from "../engine.ts";
import type { Reading } from "../reading.ts";
import { teamOf, type TeamRow, type Team, TEAM_COLUMNS } from "../teams.ts";

export interface UserPermission {
  readonly id: string;
  readonly role: Role;
  readonly document: Document;
}

export interface TeamPermission {
  readonly role: Role;
  readonly team: Team;
}

const USERS = statement<[id: string, role: number, text: string, omitted: number]>(
  () => `
    SELECT p.member, p.role, m.doc, m.omitted
      FROM posting p JOIN member m ON m.snapshot = p.snapshot AND m.id = p.member
      WHERE p.snapshot = $1 AND m.snapshot = $1 AND p.source = $2 AND p.member > $3
      ORDER BY p.member LIMIT $4`,
);

/** The permissions that users hold on that very content, by user id (endpoints 1 and 5). */
export async function userPermissions(
  reading: Reading,
  content: ContentKey,
  { after, limit }: PageRequest<string>,
): Promise<Page<UserPermission, string>> {
  const rows = await reading.read(USERS, reading.snapshot, posting.direct(content), after ?? "", limit + 1);
  const entries = rows.map(([id, role, text, omitted]) => ({
    id,
    role: roleOf(role),
    document: { text, omitted },
  }));
  return pageOf(entries, limit, ({ id }) => id);
}

const TEAMS = statement<[role: number, ...TeamRow]>(
  () => `
    SELECT p.role, ${TEAM_COLUMNS}
      FROM team_permission p JOIN team t ON t.snapshot = p.snapshot AND t.id = p.team
      WHERE p.snapshot = $1 AND t.snapshot = $1 AND p.content = $2 AND p.team > $3
      ORDER BY p.team LIMIT $4`,
);

/** The permissions that teams hold on that very content, by team id (endpoints 2 and 4). */
export async function teamPermissions(
  reading: Reading,
  content: ContentKey,
  { after, limit }: PageRequest<string>,
): Promise<Page<TeamPermission, string>> {
  const rows = await reading.read(TEAMS, reading.snapshot, content, after ?? "", limit + 1);
  const entries = rows.map(([role, ...team]) => ({ role: roleOf(role), team: teamOf(team) }));
  return pageOf(entries, limit, ({ team }) => team.id);
}
