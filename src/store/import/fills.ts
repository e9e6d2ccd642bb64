/** For each table of a snapshot, the selects that fill it. */
import { CLOSED, INHERIT } from "../codes.ts";
import type { Dialect } from "../engine.ts";
import { rank, ROLES } from "../../domain/role.ts";

/**
 * A part of a table's rows, and the order in which they are in the order of the table's key while they are all of
 * one snapshot. It is that of columns as they are staged and indexed, so that nothing has to be sorted again.
 */
type Part = readonly [select: string, order: string];

interface Fill {
  readonly table: string;
  /** The primary key, by places in the selects. */
  readonly key: string;
  /** One after the other in the order of the key. */
  readonly parts: readonly Part[];
}

/**
 * The selects that fill the tables of so many snapshots, in the order in which their rows are to be written: that
 * of the primary key, so that each table grows at its end.
 */
export function fillsOf(dialect: Dialect, snapshots: number): { table: string; selects: string[] }[] {
  return fills(dialect).map(({ table, key, parts }) => ({
    table,
    selects:
      snapshots === 1
        ? parts.map(([select, order]) => `${select} ORDER BY ${order}`)
        : [`${parts.map(([select]) => select).join(" UNION ALL ")} ORDER BY ${key}`],
  }));
}

/** The organizations of which this import makes a new snapshot. */
const CHANGED = "JOIN staged_organization o ON o.snapshot IS NOT NULL AND o.id";

/** Permissions with the content that they are given on. CROSS JOIN has SQLite begin with the permissions. */
const ON_CONTENT = "CROSS JOIN staged_changed_content c WHERE c.id = p.content";
const USER_PERMISSIONS = `FROM staged_user_permission p ${ON_CONTENT}`;
const TEAM_PERMISSIONS = `FROM staged_team_permission p ${ON_CONTENT}`;

/** Of the permission alone: most are on spaces, and need not be looked up to be left out. */
const ON_COLLECTION = "p.content LIKE 'collection/%'";

const TEAM_MEMBERS = "FROM staged_team_member tm CROSS JOIN staged_changed_team t WHERE t.id = tm.team";

const MEMBERS =
  "FROM staged_member m CROSS JOIN staged_organization o WHERE o.id = m.organization AND o.snapshot IS NOT NULL";

/** Roles and how they are stored, in the order of their names. */
const RANKS = ROLES.map((role) => [role, rank(role)] as const).sort(byName);
const MEMBER_ROLES = [...RANKS, ["guest", 0] as const].sort(byName);

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

/** What was given on a content itself, in the two forms that table content keeps. */
const GIVEN = "coalesce(d.direct, '0 0 0 0 0 0'), coalesce(t.teams, '')";
const JOIN_GIVEN = `LEFT JOIN staged_direct d ON d.content = c.id LEFT JOIN staged_content_teams t ON t.content = c.id`;

/** Whether something is set on a content itself. */
const OWN = `CASE WHEN c.default_level <> ${INHERIT} OR d.content IS NOT NULL OR t.content IS NOT NULL THEN 1 ELSE 0 END`;

const fills = ({ elements }: Dialect): readonly Fill[] => [
  {
    table: "member",
    key: "1, 2",
    parts: [
      [
        `SELECT o.snapshot, m.member, m.role, coalesce(t.teams, ''), coalesce(h.held, ''), u.doc, u.omitted
           FROM staged_member m CROSS JOIN staged_organization o CROSS JOIN staged_user u
             LEFT JOIN staged_member_teams t ON t.member = m.member AND t.snapshot = o.snapshot
             LEFT JOIN staged_held h ON h.member = m.member AND h.snapshot = o.snapshot
           WHERE o.id = m.organization AND o.snapshot IS NOT NULL AND u.id = m.member`,
        "m.member",
      ],
    ],
  },
  {
    table: "team",
    key: "1, 2",
    parts: [
      [
        `SELECT o.snapshot, t.id, t.title, t.folded, t.doc, coalesce(m.members, 0), coalesce(s.spaces, 0)
           FROM staged_team t ${CHANGED} = t.organization
             LEFT JOIN staged_team_size m ON m.team = t.id
             LEFT JOIN staged_team_spaces s ON s.team = t.id`,
        "t.id",
      ],
    ],
  },
  {
    table: "member_team",
    key: "1, 2, 3",
    parts: [[`SELECT t.snapshot, tm.member, tm.team, tm.role ${TEAM_MEMBERS}`, "tm.member, tm.team"]],
  },
  {
    table: "content",
    key: "1, 2",
    parts: [
      [
        `SELECT o.snapshot, c.id, c.parent, c.title, c.default_level, ${GIVEN}, c.look
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}`,
        "c.id",
      ],
    ],
  },
  {
    table: "space",
    key: "1, 2",
    parts: [
      [
        `SELECT o.snapshot, c.position, c.parent, c.title, c.default_level, ${GIVEN}, c.doc, c.omitted
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
           WHERE c.position IS NOT NULL`,
        "c.position",
      ],
    ],
  },
  {
    table: "collection",
    key: "1, 2",
    parts: [
      [
        `SELECT o.snapshot, substr(c.id, 12), c.doc FROM staged_content c ${CHANGED} = c.organization
           WHERE c.position IS NULL`,
        "c.id",
      ],
    ],
  },
  {
    table: "team_permission",
    key: "1, 2, 3",
    parts: [[`SELECT c.snapshot, p.content, p.team, p.role ${TEAM_PERMISSIONS}`, "p.content, p.team"]],
  },
  {
    table: "site",
    key: "1, 2",
    parts: [[`SELECT o.snapshot, s.id, s.title FROM staged_site s ${CHANGED} = s.organization`, "s.id"]],
  },
  {
    table: "site_space",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.snapshot, p.site, p.space
           FROM staged_site_space p JOIN staged_site s ON s.id = p.site ${CHANGED} = s.organization`,
        "p.site, p.space",
      ],
    ],
  },
  {
    table: "posting",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT c.snapshot, 'direct/' || p.content, p.member, p.role ${USER_PERMISSIONS}`,
        "p.content, p.member",
      ],
      ...RANKS.map(([role, code]): Part => [
        `SELECT c.snapshot, 'given/${role}/' || p.content, p.member, 0 ${USER_PERMISSIONS} AND p.role = ${code}`,
        "p.content, p.member",
      ]),
      ...MEMBER_ROLES.map(([role, code]): Part => [
        `SELECT o.snapshot, 'role/${role}', m.member, 0 ${MEMBERS} AND m.role = ${code}`,
        "m.member",
      ]),
      [`SELECT t.snapshot, 'team/' || tm.team, tm.member, 0 ${TEAM_MEMBERS}`, "tm.team, tm.member"],
    ],
  },
  {
    table: "space_posting",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.snapshot, 'open', c.position
           FROM staged_content c ${CHANGED} = c.organization
             JOIN staged_chain last ON last.content = c.id AND last.above IS NULL
             JOIN staged_content l ON l.id = last.level
           WHERE c.position IS NOT NULL AND l.default_level <> ${CLOSED}`,
        "c.position",
      ],
      [
        `SELECT c.snapshot, 'team/' || p.team, c.position ${TEAM_PERMISSIONS} AND c.position IS NOT NULL`,
        "p.team, c.position",
      ],
      [
        `SELECT c.snapshot, 'under/' || substr(u.level, 12), c.position
           FROM staged_chain u JOIN staged_changed_content c ON c.id = u.content
           WHERE c.position IS NOT NULL AND u.depth > 0`,
        "u.level, c.position",
      ],
      [
        `SELECT c.snapshot, 'user/' || p.member, c.position ${USER_PERMISSIONS} AND c.position IS NOT NULL`,
        "p.member, c.position",
      ],
    ],
  },
  {
    table: "collection_posting",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT c.snapshot, 'team/' || p.team, substr(p.content, 12) ${TEAM_PERMISSIONS} AND ${ON_COLLECTION}`,
        "p.team, p.content",
      ],
      [
        `SELECT c.snapshot, 'user/' || p.member, substr(p.content, 12) ${USER_PERMISSIONS} AND ${ON_COLLECTION}`,
        "p.member, p.content",
      ],
    ],
  },
  {
    table: "catalog",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.snapshot, 'in/' || coalesce(substr(c.parent, 12), ''), c.shelf, c.id, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}`,
        "2, 3",
      ],
      [
        `SELECT o.snapshot, 'loose', c.shelf, c.id, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
           WHERE c.parent IS NULL OR ${OWN} = 1`,
        "c.shelf",
      ],
      [
        `SELECT o.snapshot, 'sites', s.shelf, 'site/' || s.id, 0 FROM staged_site s ${CHANGED} = s.organization`,
        "s.shelf",
      ],
      [
        `SELECT c.snapshot, 'team/' || p.team, CAST(6 - p.role AS text) || '/' || p.content, p.content, 0
           ${TEAM_PERMISSIONS}`,
        "2, 3",
      ],
    ],
  },
  {
    table: "search",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.snapshot, w.entry, w.thing FROM staged_word w ${CHANGED} = w.organization
         UNION ALL
         SELECT o.snapshot, word.value, 'member/' || m.member
           FROM staged_member m CROSS JOIN staged_organization o CROSS JOIN staged_user u ${elements("u.words", "word")}
           WHERE o.id = m.organization AND o.snapshot IS NOT NULL AND u.id = m.member`,
        "2, 3",
      ],
    ],
  },
];
