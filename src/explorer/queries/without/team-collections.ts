import { type Role, roleOf } from "../../../domain/role.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";

const GIVEN = statement<[content: string, role: number]>(
  ({ by }) => `
    SELECT g.content, g.role FROM team_grant g${by("team_grant_of_team")} CROSS JOIN content c
      WHERE ${holds("g")} AND g.team = $3 AND g.content < 'space/' AND ${holds("c")} AND c.id = g.content
      ORDER BY c.depth DESC`,
);

/**
 * The collections on which a team has a permission, deepest first: of several collections above a space, the deepest
 * decides.
 */
export async function collectionsOfTeam(
  reading: Reading,
  team: string,
): Promise<{ readonly collection: string; readonly role: Role }[]> {
  const rows = await reading.read(GIVEN, ...reading.asOf, team);
  return rows.map(([content, role]) => ({
    collection: content.slice("collection/".length),
    role: roleOf(role),
  }));
}
