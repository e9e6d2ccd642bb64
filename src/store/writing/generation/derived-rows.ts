/**
 * The rows of a new generation. Some are staged records as they are; what several tables need is derived first:
 * positions, ladders, counts and depths. Then each table has its selects, in the order of its key.
 */
import { ROLES } from "../../../domain/role.ts";
import { FILL, SLOTS } from "../../../sets/position.ts";
import {
  type Dialect,
  type FillPart,
  type PartAlong,
  type Staging,
  isAlong,
  wholeSelect,
} from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { INHERIT, MANY, MOST_LISTED, listedTeamGrant } from "../../schema/encoding.ts";
import { MEMBERS, SPACES, headColumn } from "../../schema/set-names.ts";
import { byMember, isStored, storedOfMember } from "./staged.ts";

/** The source of positions: an import assigns new ones, verification reads the stored ones. */
type PositionSource = "new" | "stored";

/** Derives what the rows of several tables need, for those of the staged organizations that differ. */
export async function derive(
  staging: Staging,
  organizations: number,
  positions: PositionSource = "new",
): Promise<void> {
  // Each index has all columns that are read, because there are millions of look-ups.
  await staging.createAs(
    "staged_changed_team",
    `SELECT t.id, o.generation FROM staged_team t JOIN staged_organization o ON o.id = t.organization
       WHERE o.generation IS NOT NULL`,
    "id, generation",
  );
  await staging.createAs(
    "staged_changed_content",
    `SELECT c.id, o.generation, c.position FROM staged_content c JOIN staged_organization o ON o.id = c.organization
       WHERE o.generation IS NOT NULL`,
    "id, generation, position",
  );

  if (positions === "new") await assignPositions(staging, organizations);
  else await readPositions(staging);
  await staging.index("staged_member_position", "generation, position");
  await staging.index("staged_space_position", "id, generation, position");

  // Each content with all levels of its ladder (docs/permissions.md, step 2).
  await staging.createAs(
    "staged_chain",
    `WITH RECURSIVE ladder (content, level, depth, above) AS (
       SELECT c.id, c.id, 0, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
         FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.generation IS NOT NULL
       UNION ALL
       SELECT ladder.content, c.id, ladder.depth + 1, CASE WHEN c.default_level = ${INHERIT} THEN c.parent END
         FROM ladder JOIN staged_content c ON c.id = ladder.above
     )
     SELECT content, level, depth, above FROM ladder`,
    "content, level",
  );

  await staging.createAs(
    "staged_under",
    `SELECT level AS collection, count(*) AS spaces FROM staged_chain
       WHERE content LIKE 'space/%' AND depth > 0 GROUP BY level`,
    "collection",
  );

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
    "team",
  );

  // The depth of a collection is the depth of its parent plus one.
  await staging.createAs(
    "staged_depth",
    `WITH RECURSIVE nested (id, depth) AS (
       SELECT id, 1 FROM staged_content WHERE parent IS NULL AND id LIKE 'collection/%'
       UNION ALL
       SELECT c.id, n.depth + 1 FROM nested n JOIN staged_content c ON c.parent = n.id WHERE c.id LIKE 'collection/%'
     )
     SELECT id, depth FROM nested`,
    "id, depth",
  );

  await staging.createAs(
    "staged_given",
    "SELECT content FROM staged_to_users UNION SELECT content FROM staged_team_permission",
    "content",
  );
}

/**
 * Assigns positions to members and spaces in key order. Uses only {@link FILL} slots of each chunk, so that changes
 * find room.
 */
async function assignPositions(staging: Staging, organizations: number): Promise<void> {
  const rank = (generation: string, key: string) =>
    `row_number() OVER (${organizations === 1 ? "" : `PARTITION BY ${generation} `}ORDER BY ${key}) - 1`;
  const position = `rank / ${FILL} * ${SLOTS} + rank % ${FILL} AS position`;
  await staging.createAs(
    "staged_member_position",
    withLists(
      `
      SELECT generation, member, role, ${position} FROM (
        SELECT o.generation AS generation, m.member, m.role, ${rank("o.generation", "m.member")} AS rank
          FROM staged_member m CROSS JOIN staged_organization o
          WHERE o.id = m.organization AND o.generation IS NOT NULL) ranked`,
      organizations,
    ),
  );
  await staging.createAs(
    "staged_space_position",
    `SELECT generation, id, key, ${position} FROM (
       SELECT o.generation AS generation, c.id, c.position AS key, ${rank("o.generation", "c.position")} AS rank
         FROM staged_content c JOIN staged_organization o ON o.id = c.organization
         WHERE o.generation IS NOT NULL AND c.position IS NOT NULL) ranked`,
  );
}

/** Reads the stored positions of members and spaces. */
async function readPositions(staging: Staging): Promise<void> {
  await staging.createAs(
    "staged_member_position",
    withLists(
      `
      SELECT o.generation, r.member, r.role, s.position
        FROM staged_member r CROSS JOIN staged_organization o CROSS JOIN ${storedOfMember(staging.dialect, "member", "r.member", "o.id = r.organization")}`,
      1,
    ),
  );
  await staging.createAs(
    "staged_space_position",
    `SELECT o.generation, r.id, r.position AS key, s.position
       FROM staged_content r CROSS JOIN staged_organization o CROSS JOIN ${staging.dialect.stored("content")} s
       WHERE o.id = r.organization AND r.position IS NOT NULL AND ${isStored("s")} AND s.id = r.id`,
  );
}

/** SQL: members at their positions, with the teams and permissions that their rows list. */
function withLists(members: string, organizations: number): string {
  return `
    SELECT p.generation, p.member, p.role, p.position, ${listed(teamsOf("p", organizations), " ")} AS teams,
        ${listed(grantsOf("p", organizations), ",")} AS grants
      FROM (${members}) p`;
}

/**
 * FROM items with their condition: the memberships of a member (`tm`) and the permissions (`g`) in one generation. A
 * member of several organizations has a row in each of them, so the team or content decides, if there are several.
 */
const memberships = (p: string, organizations?: number) =>
  organizations === 1
    ? `staged_team_member tm WHERE tm.member = ${p}.member`
    : `staged_team_member tm CROSS JOIN staged_changed_team t
        WHERE tm.member = ${p}.member AND t.id = tm.team AND t.generation = ${p}.generation`;
const permissions = (p: string, organizations?: number) =>
  organizations === 1
    ? `staged_user_permission g WHERE g.member = ${p}.member`
    : `staged_user_permission g CROSS JOIN staged_changed_content c
        WHERE g.member = ${p}.member AND c.id = g.content AND c.generation = ${p}.generation`;

// Selects of each `item` of a list in the row of a member or content, in order. SQLite reads them sorted along an index; it
// would sort the items of an aggregate with an ORDER BY.
const teamsOf = (p: string, organizations?: number) =>
  `SELECT tm.team AS item FROM ${memberships(p, organizations)} ORDER BY tm.team`;
const grantsOf = (p: string, organizations?: number) =>
  `SELECT g.content || ' ' || CAST(g.role AS text) AS item FROM ${permissions(p, organizations)} ORDER BY g.content`;
const teamsOn = (p: string) =>
  `SELECT ${listedTeamGrant("g")} AS item FROM staged_team_permission g WHERE g.content = ${p}.id ORDER BY g.team`;

/** The list as a row stores it: {@link MANY} if it is too long. */
function listed(items: string, separator: string): string {
  return `(
    SELECT CASE WHEN count(*) > ${MOST_LISTED} THEN '${MANY}' ELSE coalesce(string_agg(item, '${separator}'), '') END
      FROM (${items}) listed)`;
}

/** The complete list, even if the row has {@link MANY}. */
function all(stored: string, items: string, separator: string): string {
  return `CASE WHEN ${stored} <> '${MANY}' THEN ${stored}
    ELSE (SELECT string_agg(item, '${separator}') FROM (${items}) listed) END`;
}

export const allTeams = (p: string) => all(`${p}.teams`, teamsOf(p), " ");
export const allGrants = (p: string) => all(`${p}.grants`, grantsOf(p), ",");

interface Fill {
  readonly table: string;
  /** The primary key, as numbers of the selected columns. */
  readonly key: string;
  /** The order of the parts is the order of the key. */
  readonly parts: readonly FillPart[];
}

/**
 * The parts that fill each table for the given number of staged organizations. They insert rows in primary key order, so
 * that each table grows at its end.
 */
export function fillsOf(dialect: Dialect, organizations: number): { table: string; parts: FillPart[] }[] {
  return fills(dialect, organizations).map(({ table, key, parts }) => {
    if (organizations === 1) return { table, parts: [...parts] };
    const [along, others] = [parts.filter(isAlong), parts.filter((part) => !isAlong(part))];
    const select = others.map(wholeSelect).join(" UNION ALL ");
    return { table, parts: others.length === 0 ? along : [...along, { select, order: key }] };
  });
}

/** Joins the organizations for which this import writes a new generation. */
const CHANGED = "JOIN staged_organization o ON o.generation IS NOT NULL AND o.id";

/** Joins permissions with their content. CROSS JOIN makes SQLite begin with the permissions. */
const ON_CONTENT = "CROSS JOIN staged_changed_content c WHERE c.id = p.content";
const TEAM_PERMISSIONS = `FROM staged_team_permission p ${ON_CONTENT}`;

/** The columns `until` and `since` of rows that hold from the first revision of their generation. */
const PERIOD = `${FOREVER}, 0`;

/** SQL: 1 for a content with permissions or a default level of its own, otherwise 0. */
const OWN = `CASE WHEN c.default_level <> ${INHERIT} OR g.content IS NOT NULL THEN 1 ELSE 0 END`;
const JOIN_GIVEN = "LEFT JOIN staged_given g ON g.content = c.id";

/** Rows of a table keyed by a member's position, selected in the order of positions. */
function alongMembers(select: PartAlong["select"], within = "1"): FillPart {
  return { along: "staged_member_position", select, order: `p.generation, p.position, ${within}` };
}

/** Rows of a table keyed by a space's position, selected in the order of positions. */
function alongSpaces(select: PartAlong["select"]): FillPart {
  return { along: "staged_space_position", select, order: "p.generation, p.position" };
}

const fills = ({ elements }: Dialect, organizations: number): readonly Fill[] => [
  {
    table: "place",
    key: "1, 2, 3",
    parts: [
      alongMembers(
        (positions) => `SELECT p.generation, ${MEMBERS}, p.member, p.position FROM ${positions} p`,
      ),
      alongSpaces((positions) => `SELECT p.generation, ${SPACES}, p.key, p.position FROM ${positions} p`),
    ],
  },
  {
    table: "chunk",
    key: "1, 2, 3",
    parts: [
      { select: chunks(MEMBERS, "staged_member_position", "member"), order: "3" },
      { select: chunks(SPACES, "staged_space_position", "key"), order: "3" },
    ],
  },
  {
    table: "container",
    key: "1, 2, 3, 4",
    parts: [
      {
        select: `SELECT s.generation, s.universe, s.chunk, s.name, ${PERIOD}, s.bits FROM staged_container s`,
        order: "s.universe, s.chunk, s.name",
      },
    ],
  },
  {
    table: "member",
    key: "1, 2",
    parts: [
      alongMembers(
        (positions) => `
          SELECT p.generation, p.position, ${PERIOD}, p.member, p.role, p.teams, p.grants, u.doc, u.omitted
            FROM ${positions} p CROSS JOIN staged_user u WHERE u.id = p.member`,
      ),
    ],
  },
  {
    table: "team_member",
    key: "1, 2, 3",
    parts: [
      alongMembers(
        (positions) => `
          SELECT p.generation, p.position, tm.team, ${PERIOD}, tm.role
            FROM ${positions} p CROSS JOIN ${memberships("p", organizations)}`,
        "tm.team",
      ),
    ],
  },
  {
    table: "user_grant",
    key: "1, 2, 3",
    parts: [
      alongMembers(
        (positions) => `
          SELECT p.generation, p.position, g.content, ${PERIOD}, g.role
            FROM ${positions} p CROSS JOIN ${permissions("p", organizations)}`,
        "g.content",
      ),
    ],
  },
  {
    table: "team",
    key: "1, 2",
    parts: [
      {
        select: `SELECT o.generation, t.id, ${PERIOD}, t.title, t.folded, t.doc, coalesce(m.records, 0), coalesce(s.spaces, 0)
           FROM staged_team t ${CHANGED} = t.organization
             LEFT JOIN staged_in_team m ON m.team = t.id
             LEFT JOIN staged_team_spaces s ON s.team = t.id`,
        order: "t.id",
      },
    ],
  },
  {
    table: "content",
    key: "1, 2",
    parts: [
      {
        select: `SELECT o.generation, c.id, ${PERIOD}, c.parent, c.title, c.default_level,
             CASE WHEN c.position IS NULL THEN coalesce(d.depth, 0) ELSE 0 END, p.position, CASE WHEN c.position IS NULL THEN c.doc END, c.look,
             ${listed(teamsOn("c"), ",")}, ${ROLES.map((role) => `h.${headColumn(role)}`).join(", ")}
           FROM staged_content c ${CHANGED} = c.organization
             LEFT JOIN staged_depth d ON d.id = c.parent
             LEFT JOIN staged_space_position p ON p.id = c.id AND p.generation = o.generation
             LEFT JOIN staged_direct h ON h.content = c.id`,
        order: "c.id",
      },
    ],
  },
  {
    table: "space",
    key: "1, 2",
    parts: [
      alongSpaces(
        (positions) => `
          SELECT p.generation, p.position, ${PERIOD}, p.key, c.doc, c.omitted
            FROM ${positions} p CROSS JOIN staged_content c WHERE c.id = p.id`,
      ),
    ],
  },
  {
    table: "team_grant",
    key: "1, 2, 3",
    parts: [
      {
        select: `SELECT c.generation, p.content, p.team, ${PERIOD}, p.role ${TEAM_PERMISSIONS}`,
        order: "p.content, p.team",
      },
    ],
  },
  {
    table: "site",
    key: "1, 2",
    parts: [
      {
        select: `SELECT o.generation, s.id, ${PERIOD}, s.title FROM staged_site s ${CHANGED} = s.organization`,
        order: "s.id",
      },
    ],
  },
  {
    table: "site_space",
    key: "1, 2, 3",
    parts: [
      {
        select: `SELECT o.generation, p.site, p.space, ${PERIOD}
           FROM staged_site_space p JOIN staged_site s ON s.id = p.site ${CHANGED} = s.organization`,
        order: "p.site, p.space",
      },
    ],
  },
  {
    table: "catalog",
    key: "1, 2, 3",
    parts: [
      {
        select: `SELECT o.generation, 'in/' || coalesce(substr(c.parent, 12), ''), c.title_key, c.id, ${PERIOD}, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}`,
        order: "2, 3",
      },
      {
        select: `SELECT o.generation, 'loose', c.title_key, c.id, ${PERIOD}, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
           WHERE c.parent IS NULL OR ${OWN} = 1`,
        order: "c.title_key",
      },
      {
        select: `SELECT o.generation, 'sites', s.title_key, 'site/' || s.id, ${PERIOD}, 0 FROM staged_site s ${CHANGED} = s.organization`,
        order: "s.title_key",
      },
      {
        select: `SELECT c.generation, 'team/' || p.team, CAST(6 - p.role AS text) || '/' || p.content, p.content, ${PERIOD}, 0
           ${TEAM_PERMISSIONS}`,
        order: "2, 3",
      },
    ],
  },
  {
    table: "search",
    key: "1, 2, 3",
    parts: [
      {
        select: `SELECT o.generation, w.entry, w.thing FROM staged_word w ${CHANGED} = w.organization
         UNION ALL
         SELECT o.generation, word.value, 'member/' || m.member
           FROM staged_member m CROSS JOIN staged_organization o CROSS JOIN staged_user u ${elements("u.words", "word")}
           WHERE ${byMember("m")} AND o.id = m.organization AND o.generation IS NOT NULL AND u.id = m.member`,
        order: "2, 3",
      },
    ],
  },
];

/** SQL: the chunks of a universe, each with its first key. */
function chunks(universe: number, positions: string, key: string): string {
  const chunk = `p.position / ${SLOTS}`;
  return `
    SELECT p.generation, ${universe}, ${chunk}, ${PERIOD},
        CASE WHEN ${chunk} = 0 THEN '' ELSE min(p.${key}) END, count(*)
      FROM ${positions} p GROUP BY p.generation, ${chunk}`;
}
