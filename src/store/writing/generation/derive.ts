/** Derives positions, inheritance and counts from the staged records. */
import { FILL, SLOTS } from "../../../sets/position.ts";
import { INHERIT } from "../../schema/encoding.ts";
import type { Staging } from "../../engine/engine.ts";
import { listedGrants, listedTeams } from "./listed.ts";
import { isStored, storedOfMember } from "./stored.ts";

/** The source of positions: an import assigns new ones, verification reads the stored ones. */
export type Positions = "new" | "stored";

/** Derives what the rows of several tables need, for the organizations that differ. `changed` is their number. */
export async function derive(staging: Staging, changed: number, positions: Positions = "new"): Promise<void> {
  // Each index has all columns that are read, because there are millions of look-ups.
  await staging.createAs(
    "staged_changed_team",
    `SELECT t.id, o.generation FROM staged_team t JOIN staged_organization o ON o.id = t.organization
       WHERE o.generation IS NOT NULL`,
  );
  await staging.index("staged_changed_team", "id, generation");
  await staging.createAs(
    "staged_changed_content",
    `SELECT c.id, o.generation, c.position FROM staged_content c JOIN staged_organization o ON o.id = c.organization
       WHERE o.generation IS NOT NULL`,
  );
  await staging.index("staged_changed_content", "id, generation, position");

  if (positions === "new") await assignPositions(staging, changed);
  else await readPositions(staging);
  await staging.index("staged_place", "generation, position");
  await staging.index("staged_space_place", "id, generation, position");

  // Each content with all levels of its ladder (contract, section 3, step 2).
  await staging.createAs(
    "staged_chain",
    `WITH RECURSIVE chain (content, level, depth, above) AS (
       SELECT c.id, c.id, 0, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
         FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.generation IS NOT NULL
       UNION ALL
       SELECT chain.content, c.id, chain.depth + 1, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
         FROM chain JOIN staged_content c ON c.id = chain.above
     )
     SELECT content, level, depth, above FROM chain`,
  );
  await staging.index("staged_chain", "content, level");

  await staging.createAs(
    "staged_under",
    `SELECT level AS collection, count(*) AS spaces FROM staged_chain
       WHERE content LIKE 'space/%' AND depth > 0 GROUP BY level`,
  );
  await staging.index("staged_under", "collection");

  // The number of spaces of each team. A space that several grants of the team reach counts once.
  await staging.createAs(
    "staged_team_spaces",
    `SELECT p.team, sum(CASE WHEN p.content LIKE 'space/%' THEN 1 ELSE coalesce(u.spaces, 0) END) AS spaces
       FROM staged_team_permission p LEFT JOIN staged_under u ON u.collection = p.content
       WHERE NOT EXISTS (
         SELECT 1 FROM staged_chain c JOIN staged_team_permission other
             ON other.content = c.level AND other.team = p.team
           WHERE c.content = p.content AND c.depth > 0)
       GROUP BY p.team`,
  );
  await staging.index("staged_team_spaces", "team");

  // The depth of a collection is the depth of its parent plus one.
  await staging.createAs(
    "staged_depth",
    `WITH RECURSIVE nested (id, depth) AS (
       SELECT id, 1 FROM staged_content WHERE parent IS NULL AND id LIKE 'collection/%'
       UNION ALL
       SELECT c.id, n.depth + 1 FROM nested n JOIN staged_content c ON c.parent = n.id WHERE c.id LIKE 'collection/%'
     )
     SELECT id, depth FROM nested`,
  );
  await staging.index("staged_depth", "id, depth");

  await staging.createAs(
    "staged_given",
    "SELECT content FROM staged_to_users UNION SELECT content FROM staged_team_permission",
  );
  await staging.index("staged_given", "content");
}

/**
 * Assigns positions to members and spaces in key order. Uses only {@link FILL} slots of each chunk, so that changes
 * find room.
 */
async function assignPositions(staging: Staging, changed: number): Promise<void> {
  const rank = (generation: string, key: string) =>
    `row_number() OVER (${changed === 1 ? "" : `PARTITION BY ${generation} `}ORDER BY ${key}) - 1`;
  const position = `rank / ${FILL} * ${SLOTS} + rank % ${FILL} AS position`;
  await staging.createAs(
    "staged_place",
    withLists(`
      SELECT generation, member, role, ${position} FROM (
        SELECT o.generation AS generation, m.member, m.role, ${rank("o.generation", "m.member")} AS rank
          FROM staged_member m CROSS JOIN staged_organization o
          WHERE o.id = m.organization AND o.generation IS NOT NULL) ranked`),
  );
  await staging.createAs(
    "staged_space_place",
    `SELECT generation, id, key, ${position} FROM (
       SELECT o.generation AS generation, c.id, c.position AS key, ${rank("o.generation", "c.position")} AS rank
         FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.generation IS NOT NULL AND c.position IS NOT NULL) ranked`,
  );
}

/** Reads the stored positions of members and spaces. */
async function readPositions(staging: Staging): Promise<void> {
  await staging.createAs(
    "staged_place",
    withLists(`
      SELECT o.generation, r.member, r.role, s.position
        FROM staged_member r CROSS JOIN staged_organization o CROSS JOIN ${storedOfMember(staging.dialect, "member", "r.member", "o.id = r.organization")}`),
  );
  await staging.createAs(
    "staged_space_place",
    `SELECT o.generation, r.id, r.position AS key, s.position
       FROM staged_content r CROSS JOIN staged_organization o CROSS JOIN ${staging.dialect.stored("content")} s
       WHERE o.id = r.organization AND r.position IS NOT NULL AND ${isStored("s")} AND s.id = r.id`,
  );
}

/** SQL: members at their positions, with the teams and permissions that their rows list. */
function withLists(members: string): string {
  return `
    SELECT p.generation, p.member, p.role, p.position, ${listedTeams("p")} AS teams, ${listedGrants("p")} AS grants
      FROM (${members}) p`;
}
