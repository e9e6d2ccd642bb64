/** Change files with records that change often. */
import type { DatabaseSync } from "node:sqlite";
import { ORGANIZATION } from "../data/identity.ts";

/** The organization from which changes are drawn. */
export interface Growing {
  readonly members: readonly string[];
  readonly teams: readonly string[];
  readonly spaces: readonly string[];
  serial: number;
}

export function growing(database: DatabaseSync): Growing {
  const texts = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  return {
    members: texts("SELECT id FROM member ORDER BY position LIMIT 400000").filter(
      (_, index) => index % 7 === 3,
    ),
    teams: texts("SELECT id FROM team ORDER BY members"),
    spaces: texts("SELECT key FROM space ORDER BY position").map((key) => key.slice(16)),
    serial: Date.now(),
  };
}

/** A change file with `count` records: permissions, memberships, new members and spaces. */
export function changes(ground: Growing, count: number): string {
  const lines: object[] = [{ object: "changes", organization: ORGANIZATION }];
  const at = (list: readonly string[], step: number) => list[(ground.serial * step) % list.length] ?? "";
  while (lines.length <= count) {
    const serial = ground.serial++;
    const space = at(ground.spaces, 31);
    const date = "2026-11-22T00:00:00.000Z";
    switch (lines.length % 10) {
      case 2:
        lines.push({ object: "user", id: `new-${serial}`, displayName: `New ${serial}` });
        lines.push({ object: "member", organization: ORGANIZATION, user: `new-${serial}`, role: "read" });
        break;
      case 4:
        lines.push({
          object: "space",
          id: `new-${serial}`,
          organization: ORGANIZATION,
          title: "New",
          createdAt: date,
          updatedAt: date,
        });
        break;
      case 6:
        lines.push({ object: "permission", space, team: at(ground.teams, 1), permission: "edit" });
        break;
      case 8:
        lines.push({
          object: "teamMember",
          team: at(ground.teams, 1),
          user: at(ground.members, 37),
          role: "member",
        });
        break;
      default:
        lines.push({ object: "permission", space, user: at(ground.members, 17), permission: "comment" });
    }
  }
  // In a small organization the same pair may be drawn twice.
  return [...new Set(lines.map((line) => JSON.stringify(line)))].join("\n");
}

/** A file as a stream of one piece. */
export async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
