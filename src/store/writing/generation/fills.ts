/** The selects that fill each table of a generation. */
import { SLOTS } from "../../../sets/position.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { INHERIT } from "../../schema/encoding.ts";
import type { Dialect } from "../../engine/engine.ts";
import { MEMBERS, SPACES } from "../../schema/set-names.ts";

/**
 * Some rows of a table, and the columns that sort them by the table's key within a generation. These columns are
 * staged and indexed, so no sort is needed.
 */
type Part = readonly [select: string, order: string];

interface Fill {
  readonly table: string;
  /** The primary key, as indexes of the selected columns. */
  readonly key: string;
  /** Consecutive parts in the order of the key. */
  readonly parts: readonly Part[];
}

/**
 * The selects that fill the tables of this many generations in primary key order, so that each table grows at its
 * end.
 */
export function fillsOf(dialect: Dialect, generations: number): { table: string; selects: string[] }[] {
  return fills(dialect).map(({ table, key, parts }) => ({
    table,
    selects:
      generations === 1
        ? parts.map(([select, order]) => `${select} ORDER BY ${order}`)
        : [`${parts.map(([select]) => select).join(" UNION ALL ")} ORDER BY ${key}`],
  }));
}

/** Organizations for which this import writes a new generation. */
const CHANGED = "JOIN staged_organization o ON o.generation IS NOT NULL AND o.id";

/** Joins permissions with their content. CROSS JOIN makes SQLite begin with the permissions. */
const ON_CONTENT = "CROSS JOIN staged_changed_content c WHERE c.id = p.content";
const TEAM_PERMISSIONS = `FROM staged_team_permission p ${ON_CONTENT}`;

/** The columns `until` and `since` of rows that hold from the start of their generation. */
const PERIOD = `${FOREVER}, 0`;

/** Whether a content has permissions or a default level of its own. */
const OWN = `CASE WHEN c.default_level <> ${INHERIT} OR g.content IS NOT NULL THEN 1 ELSE 0 END`;
const JOIN_GIVEN = "LEFT JOIN staged_given g ON g.content = c.id";

const fills = ({ elements, bytes }: Dialect): readonly Fill[] => [
  {
    table: "place",
    key: "1, 2, 3",
    parts: [
      [`SELECT p.generation, ${MEMBERS}, p.member, p.position FROM staged_place p`, "p.member"],
      [`SELECT p.generation, ${SPACES}, p.key, p.position FROM staged_space_place p`, "p.key"],
    ],
  },
  {
    table: "chunk",
    key: "1, 2, 3",
    parts: [
      [chunks(MEMBERS, "staged_place", "member", bytes), "3"],
      [chunks(SPACES, "staged_space_place", "key", bytes), "3"],
    ],
  },
  {
    table: "container",
    key: "1, 2, 3, 4",
    parts: [
      [
        `SELECT s.generation, s.universe, s.chunk, s.name, ${PERIOD}, s.bits FROM staged_container s`,
        "s.universe, s.chunk, s.name",
      ],
    ],
  },
  {
    table: "member",
    key: "1, 2",
    parts: [
      [
        `SELECT p.generation, p.position, ${PERIOD}, p.member, p.role, coalesce(t.teams, ''), coalesce(g.grants, ''),
             u.doc, u.omitted
           FROM staged_place p CROSS JOIN staged_user u
             LEFT JOIN staged_member_teams t ON t.member = p.member AND t.generation = p.generation
             LEFT JOIN staged_member_grants g ON g.member = p.member AND g.generation = p.generation
           WHERE u.id = p.member`,
        "p.member",
      ],
    ],
  },
  {
    table: "team_member",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT t.generation, m.position, tm.team, ${PERIOD}, tm.role
           FROM staged_team_member tm CROSS JOIN staged_changed_team t CROSS JOIN staged_place m
           WHERE t.id = tm.team AND m.member = tm.member AND m.generation = t.generation`,
        "tm.member, tm.team",
      ],
    ],
  },
  {
    table: "user_grant",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT c.generation, m.position, p.content, ${PERIOD}, p.role
           FROM staged_user_permission p CROSS JOIN staged_changed_content c CROSS JOIN staged_place m
           WHERE c.id = p.content AND m.member = p.member AND m.generation = c.generation`,
        "p.member, p.content",
      ],
    ],
  },
  {
    table: "team",
    key: "1, 2",
    parts: [
      [
        `SELECT o.generation, t.id, ${PERIOD}, t.title, t.folded, t.doc, coalesce(m.members, 0), coalesce(s.spaces, 0)
           FROM staged_team t ${CHANGED} = t.organization
             LEFT JOIN staged_team_size m ON m.team = t.id
             LEFT JOIN staged_team_spaces s ON s.team = t.id`,
        "t.id",
      ],
    ],
  },
  {
    table: "content",
    key: "1, 2",
    parts: [
      [
        `SELECT o.generation, c.id, ${PERIOD}, c.parent, c.title, c.default_level,
             CASE WHEN c.position IS NULL THEN coalesce(d.depth, 0) ELSE 0 END, p.position, CASE WHEN c.position IS NULL THEN c.doc END, c.look
           FROM staged_content c ${CHANGED} = c.organization
             LEFT JOIN staged_depth d ON d.id = c.parent
             LEFT JOIN staged_space_place p ON p.id = c.id AND p.generation = o.generation`,
        "c.id",
      ],
    ],
  },
  {
    table: "space",
    key: "1, 2",
    parts: [
      [
        `SELECT p.generation, p.position, ${PERIOD}, p.key, c.doc, c.omitted
           FROM staged_space_place p CROSS JOIN staged_content c WHERE c.id = p.id`,
        "p.key",
      ],
    ],
  },
  {
    table: "team_grant",
    key: "1, 2, 3",
    parts: [
      [`SELECT c.generation, p.content, p.team, ${PERIOD}, p.role ${TEAM_PERMISSIONS}`, "p.content, p.team"],
    ],
  },
  {
    table: "site",
    key: "1, 2",
    parts: [
      [
        `SELECT o.generation, s.id, ${PERIOD}, s.title FROM staged_site s ${CHANGED} = s.organization`,
        "s.id",
      ],
    ],
  },
  {
    table: "site_space",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.generation, p.site, p.space, ${PERIOD}
           FROM staged_site_space p JOIN staged_site s ON s.id = p.site ${CHANGED} = s.organization`,
        "p.site, p.space",
      ],
    ],
  },
  {
    table: "catalog",
    key: "1, 2, 3",
    parts: [
      [
        `SELECT o.generation, 'in/' || coalesce(substr(c.parent, 12), ''), c.shelf, c.id, ${PERIOD}, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}`,
        "2, 3",
      ],
      [
        `SELECT o.generation, 'loose', c.shelf, c.id, ${PERIOD}, ${OWN}
           FROM staged_content c ${CHANGED} = c.organization ${JOIN_GIVEN}
           WHERE c.parent IS NULL OR ${OWN} = 1`,
        "c.shelf",
      ],
      [
        `SELECT o.generation, 'sites', s.shelf, 'site/' || s.id, ${PERIOD}, 0 FROM staged_site s ${CHANGED} = s.organization`,
        "s.shelf",
      ],
      [
        `SELECT c.generation, 'team/' || p.team, CAST(6 - p.role AS text) || '/' || p.content, p.content, ${PERIOD}, 0
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
        `SELECT o.generation, w.entry, w.thing FROM staged_word w ${CHANGED} = w.organization
         UNION ALL
         SELECT o.generation, word.value, 'member/' || m.member
           FROM staged_member m CROSS JOIN staged_organization o CROSS JOIN staged_user u ${elements("u.words", "word")}
           WHERE o.id = m.organization AND o.generation IS NOT NULL AND u.id = m.member`,
        "2, 3",
      ],
    ],
  },
];

/** The chunks of a universe, each with its first key. */
function chunks(universe: number, places: string, key: string, bytes: string): string {
  const chunk = `p.position / ${SLOTS}`;
  return `
    SELECT p.generation, ${universe}, ${chunk}, ${PERIOD},
        CASE WHEN ${chunk} = 0 THEN '' ELSE min(p.${key}) END, CAST(NULL AS ${bytes}), count(*)
      FROM ${places} p GROUP BY p.generation, ${chunk}`;
}
