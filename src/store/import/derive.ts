/** From the staged records to the tables of a snapshot: every derived list and count of the schema. */
import { CLOSED, INHERIT, MANY, MOST_HELD } from "../codes.ts";
import type { Staging } from "../engine.ts";
import { roleName } from "./staged.ts";

/** What is worked out once and used by several tables; only of organizations that changed. */
export async function derive(staging: Staging): Promise<void> {
  await staging.createAs(
    "staged_member_teams",
    `SELECT t.organization, tm.member, string_agg(tm.team, ' ' ORDER BY tm.team) AS teams
       FROM staged_team_member tm JOIN staged_team t ON t.id = tm.team
       GROUP BY t.organization, tm.member`,
  );
  await staging.index("staged_member_teams", "member, organization");

  await staging.createAs(
    "staged_held",
    `SELECT c.organization, p.member, CASE WHEN count(*) > ${MOST_HELD} THEN '${MANY}'
         ELSE string_agg(p.content || ' ' || CAST(p.role AS text), ',' ORDER BY p.content) END AS held
       FROM staged_user_permission p JOIN staged_content c ON c.id = p.content
       GROUP BY c.organization, p.member`,
  );
  await staging.index("staged_held", "member, organization");

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

/** The organizations of which this import makes a new snapshot. */
const CHANGED = "JOIN staged_organization o ON o.snapshot IS NOT NULL AND o.id";

/** The content on which a permission is given, joined for its organization. */
const ON_CONTENT = `JOIN staged_content c ON c.id = p.content ${CHANGED} = c.organization`;

/** What was given on a content itself, in the two forms that table content keeps. */
const GIVEN = "coalesce(d.direct, '0 0 0 0 0 0'), coalesce(t.teams, '')";
const JOIN_GIVEN = `LEFT JOIN staged_direct d ON d.content = c.id LEFT JOIN staged_content_teams t ON t.content = c.id`;

/** Whether something is set on a content itself. */
const OWN = `CASE WHEN c.default_level <> ${INHERIT} OR d.content IS NOT NULL OR t.content IS NOT NULL THEN 1 ELSE 0 END`;

/** For each table of a snapshot, the select that fills it, in the order of its primary key. */
export const FILLS: readonly (readonly [table: string, select: string])[] = [
  [
    "member",
    `SELECT o.snapshot, m.member, m.role, coalesce(t.teams, ''), coalesce(h.held, ''), u.doc, u.omitted
       FROM staged_member m ${CHANGED} = m.organization
         JOIN staged_user u ON u.id = m.member
         LEFT JOIN staged_member_teams t ON t.member = m.member AND t.organization = m.organization
         LEFT JOIN staged_held h ON h.member = m.member AND h.organization = m.organization
       ORDER BY 1, 2`,
  ],
  [
    "team",
    `SELECT o.snapshot, t.id, t.title, t.folded, t.doc, coalesce(m.members, 0), coalesce(s.spaces, 0)
       FROM staged_team t ${CHANGED} = t.organization
         LEFT JOIN staged_team_size m ON m.team = t.id
         LEFT JOIN staged_team_spaces s ON s.team = t.id
       ORDER BY 1, 2`,
  ],
  [
    "member_team",
    `SELECT o.snapshot, tm.member, tm.team, tm.role
       FROM staged_team_member tm JOIN staged_team t ON t.id = tm.team ${CHANGED} = t.organization
       ORDER BY 1, 2, 3`,
  ],
  [
    "content",
    `SELECT o.snapshot, c.id, c.parent, c.title, c.default_level, ${GIVEN}, c.look
       FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
       ORDER BY 1, 2`,
  ],
  [
    "space",
    `SELECT o.snapshot, c.position, c.parent, c.title, c.default_level, ${GIVEN}, c.doc, c.omitted
       FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
       WHERE c.position IS NOT NULL
       ORDER BY 1, 2`,
  ],
  [
    "collection",
    `SELECT o.snapshot, substr(c.id, 12), c.doc
       FROM staged_content c ${CHANGED} = c.organization
       WHERE c.position IS NULL
       ORDER BY 1, 2`,
  ],
  [
    "team_permission",
    `SELECT o.snapshot, p.content, p.team, p.role FROM staged_team_permission p ${ON_CONTENT} ORDER BY 1, 2, 3`,
  ],
  ["site", `SELECT o.snapshot, s.id, s.title FROM staged_site s ${CHANGED} = s.organization ORDER BY 1, 2`],
  [
    "site_space",
    `SELECT o.snapshot, p.site, p.space
       FROM staged_site_space p JOIN staged_site s ON s.id = p.site ${CHANGED} = s.organization ORDER BY 1, 2, 3`,
  ],
  [
    "posting",
    `SELECT o.snapshot, 'team/' || tm.team AS source, tm.member, 0
       FROM staged_team_member tm JOIN staged_team t ON t.id = tm.team ${CHANGED} = t.organization
     UNION ALL
     SELECT o.snapshot, 'role/' || ${roleName("m.role")}, m.member, 0
       FROM staged_member m ${CHANGED} = m.organization
     UNION ALL
     SELECT o.snapshot, 'direct/' || p.content, p.member, p.role FROM staged_user_permission p ${ON_CONTENT}
     UNION ALL
     SELECT o.snapshot, 'given/' || ${roleName("p.role")} || '/' || p.content, p.member, 0
       FROM staged_user_permission p ${ON_CONTENT}
     ORDER BY 1, 2, 3`,
  ],
  [
    "space_posting",
    `SELECT o.snapshot, 'open' AS source, c.position
       FROM staged_content c ${CHANGED} = c.organization
         JOIN staged_chain last ON last.content = c.id AND last.above IS NULL
         JOIN staged_content l ON l.id = last.level
       WHERE c.position IS NOT NULL AND l.default_level <> ${CLOSED}
     UNION ALL
     SELECT o.snapshot, 'under/' || substr(u.level, 12), c.position
       FROM staged_chain u JOIN staged_content c ON c.id = u.content ${CHANGED} = c.organization
       WHERE c.position IS NOT NULL AND u.depth > 0
     UNION ALL
     SELECT o.snapshot, 'user/' || p.member, c.position
       FROM staged_user_permission p ${ON_CONTENT} WHERE c.position IS NOT NULL
     UNION ALL
     SELECT o.snapshot, 'team/' || p.team, c.position
       FROM staged_team_permission p ${ON_CONTENT} WHERE c.position IS NOT NULL
     ORDER BY 1, 2, 3`,
  ],
  [
    "collection_posting",
    `SELECT o.snapshot, 'user/' || p.member AS source, substr(c.id, 12)
       FROM staged_user_permission p ${ON_CONTENT} WHERE c.position IS NULL
     UNION ALL
     SELECT o.snapshot, 'team/' || p.team, substr(c.id, 12)
       FROM staged_team_permission p ${ON_CONTENT} WHERE c.position IS NULL
     ORDER BY 1, 2, 3`,
  ],
  [
    "catalog",
    `SELECT o.snapshot, 'in/' || coalesce(substr(c.parent, 12), '') AS list, c.shelf, c.id, ${OWN}
       FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
     UNION ALL
     SELECT o.snapshot, 'loose', c.shelf, c.id, ${OWN}
       FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
       WHERE c.parent IS NULL OR ${OWN} = 1
     UNION ALL
     SELECT o.snapshot, 'sites', s.shelf, 'site/' || s.id, 0
       FROM staged_site s ${CHANGED} = s.organization
     UNION ALL
     SELECT o.snapshot, 'team/' || p.team, CAST(6 - p.role AS text) || '/' || p.content, p.content, 0
       FROM staged_team_permission p ${ON_CONTENT}
     ORDER BY 1, 2, 3`,
  ],
  [
    "search",
    // UNION, not UNION ALL: an identical repeat of a user is found once.
    `SELECT o.snapshot, w.entry AS entry, w.thing AS thing
       FROM staged_word w ${CHANGED} = w.organization
     UNION
     SELECT o.snapshot, w.entry, 'member/' || w.member
       FROM staged_user_word w JOIN staged_member m ON m.member = w.member ${CHANGED} = m.organization
     ORDER BY 1, 2, 3`,
  ],
];
