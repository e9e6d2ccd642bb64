/** Makes change files with the kinds of records that change often. */
import { type Engine, statement } from "../../src/store/engine/engine.ts";
import { FOREVER } from "../../src/store/schema/as-of.ts";
import { ORGANIZATION } from "../data/identity.ts";

/** The ids from which changes are drawn. */
export interface Growing {
  readonly members: readonly string[];
  readonly teams: readonly string[];
  readonly spaces: readonly string[];
  serial: number;
  /** The members that earlier changes added and that have not left, earliest first. */
  readonly joined: string[];
}

/** The latest members of this number stay; earlier ones leave again. */
const STAYING = 100;

export async function growing(engine: Engine): Promise<Growing> {
  const texts = async (sql: string) =>
    (await engine.read(statement<[string]>(() => sql))).map(([text]) => text);
  const members = await texts(
    `SELECT id FROM member WHERE until = ${FOREVER} AND id NOT LIKE 'new-%' ORDER BY position LIMIT 400000`,
  );
  return {
    members: members.filter((_, index) => index % 7 === 3),
    teams: await texts("SELECT id FROM team ORDER BY members"),
    spaces: (await texts("SELECT key FROM space ORDER BY position")).map((key) => key.slice(16)),
    serial: Date.now(),
    joined: [],
  };
}

export function changes(ground: Growing, count: number): string {
  const lines: object[] = [{ object: "changes", organization: ORGANIZATION }];
  const at = (list: readonly string[], step: number) => list[(ground.serial * step) % list.length] ?? "";
  const permission = (space: string) => ({
    object: "permission",
    space,
    user: at(ground.members, 17),
    permission: "comment",
  });
  while (lines.length <= count) {
    const serial = ground.serial++;
    const space = at(ground.spaces, 31);
    const date = "2026-11-22T00:00:00.000Z";
    switch (lines.length % 10) {
      case 2:
        lines.push({ object: "user", id: `new-${serial}`, displayName: `New ${serial}` });
        lines.push({ object: "member", organization: ORGANIZATION, user: `new-${serial}`, role: "read" });
        ground.joined.push(`new-${serial}`);
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
      case 0:
        lines.push(ground.joined.length > STAYING ? leaving(ground.joined.shift() ?? "") : permission(space));
        break;
      default:
        lines.push(permission(space));
    }
  }
  // In a small organization the same record may be drawn twice.
  return [...new Set(lines.map((line) => JSON.stringify(line)))].join("\n");
}

function leaving(user: string): object {
  return { object: "member", organization: ORGANIZATION, user, removed: true, with: "all" };
}

export async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}
