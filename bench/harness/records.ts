/** Makes change files with the kinds of records that change often. */
import { idOf } from "../../src/domain/content.ts";
import { lengthOf } from "../../src/model/lists.ts";
import { keyOf, memberId, type Model } from "../../src/model/model.ts";
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

export function growing(model: Model): Growing {
  const { members, teams, contents } = model;
  const bySize = teams.ids.map((id, team) => ({ id, size: lengthOf(teams.members, team) }));
  return {
    members: Array.from({ length: Math.ceil(members.count / 7) }, (_, each) => memberId(model, 7 * each)),
    teams: bySize.sort((a, b) => a.size - b.size).map(({ id }) => id),
    spaces: Array.from(contents.byKey)
      .filter((content) => contents.isSpace[content] === 1)
      .map((space) => idOf(keyOf(model, space))),
    serial: Date.now(),
    joined: [],
  };
}

/** The lines of a change file with at least `count` records. */
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
