/** From the staged records to what the tables of a snapshot are made of: lists and counts of the schema. */
import { INHERIT, MANY, MOST_HELD } from "../codes.ts";
import type { Staging } from "../engine.ts";

/** What is worked out once and used by several tables; only of the organizations that changed, `changed` of them. */
export async function derive(staging: Staging, changed: number): Promise<void> {
  // Millions of rows are looked up here: what they need of their team or content lies in one index.
  await staging.createAs(
    "staged_changed_team",
    `SELECT t.id, o.snapshot FROM staged_team t JOIN staged_organization o ON o.id = t.organization
       WHERE o.snapshot IS NOT NULL`,
  );
  await staging.index("staged_changed_team", "id, snapshot");
  await staging.createAs(
    "staged_changed_content",
    `SELECT c.id, o.snapshot, c.position FROM staged_content c JOIN staged_organization o ON o.id = c.organization
       WHERE o.snapshot IS NOT NULL`,
  );
  await staging.index("staged_changed_content", "id, snapshot, position");

  // Rows come in the order of members, and so in groups where all are of one snapshot.
  const groups = (member: string, snapshot: string) => (changed === 1 ? member : `${member}, ${snapshot}`);
  await staging.createAs(
    "staged_member_teams",
    `SELECT tm.member, max(t.snapshot) AS snapshot, string_agg(tm.team, ' ' ORDER BY tm.team) AS teams
       FROM staged_team_member tm CROSS JOIN staged_changed_team t WHERE t.id = tm.team
       GROUP BY ${groups("tm.member", "t.snapshot")}`,
  );
  await staging.index("staged_member_teams", "member, snapshot");

  await staging.createAs(
    "staged_held",
    `SELECT p.member, max(c.snapshot) AS snapshot, CASE WHEN count(*) > ${MOST_HELD} THEN '${MANY}'
         ELSE string_agg(p.content || ' ' || CAST(p.role AS text), ',' ORDER BY p.content) END AS held
       FROM staged_user_permission p CROSS JOIN staged_changed_content c WHERE c.id = p.content
       GROUP BY ${groups("p.member", "c.snapshot")}`,
  );
  await staging.index("staged_held", "member, snapshot");

  await staging.createAs(
    "staged_team_size",
    "SELECT team, count(*) AS members FROM staged_team_member GROUP BY team",
  );
  await staging.index("staged_team_size", "team");

  // Each content with every level that has a say for it: contract, section 3, step 2.
  await staging.createAs(
    "staged_chain",
    `WITH RECURSIVE chain (content, level, depth, above) AS (
       SELECT c.id, c.id, 0, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
         FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.snapshot IS NOT NULL
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

  // A team's spaces: what lies under a permission that has none of the same team above it. Those above cover it.
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

  const held = [1, 2, 3, 4, 5, 6].map(
    (place) => `CAST(sum(CASE WHEN role = ${place} THEN 1 ELSE 0 END) AS text)`,
  );
  await staging.createAs(
    "staged_direct",
    `SELECT content, ${held.join(" || ' ' || ")} AS direct FROM staged_user_permission GROUP BY content`,
  );
  await staging.index("staged_direct", "content");

  await staging.createAs(
    "staged_content_teams",
    `SELECT p.content, string_agg(
         p.team || ' ' || CAST(p.role AS text) || ' ' || CAST(coalesce(s.members, 0) AS text), ',' ORDER BY p.team
       ) AS teams
       FROM staged_team_permission p LEFT JOIN staged_team_size s ON s.team = p.team
       GROUP BY p.content`,
  );
  await staging.index("staged_content_teams", "content");
}
