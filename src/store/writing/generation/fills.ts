/** The selects that fill each table of a generation. */
import { SLOTS } from "../../../sets/position.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { INHERIT } from "../../schema/encoding.ts";
import type { Dialect } from "../../engine/engine.ts";
import { type FillPart, isAlong, type PartAlong, wholeSelect } from "../../engine/fill-part.ts";
import { MEMBERS, SPACES } from "../../schema/set-names.ts";
import { listedTeamsOn } from "./listed.ts";

interface Fill {
  readonly table: string;
  /** The primary key, as numbers of the selected columns. */
  readonly key: string;
  /** The order of the parts is the order of the key. */
  readonly parts: readonly FillPart[];
}

/**
 * The parts that fill each table for the given number of new generations. They insert rows in primary key order, so
 * that each table grows at its end.
 */
export function fillsOf(dialect: Dialect, generations: number): { table: string; parts: FillPart[] }[] {
  return fills(dialect).map(({ table, key, parts }) => {
    if (generations === 1) return { table, parts: [...parts] };
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
  return { along: "staged_place", select, order: `p.generation, p.position, ${within}` };
}

/** Rows of a table keyed by a space's position, selected in the order of positions. */
function alongSpaces(select: PartAlong["select"]): FillPart {
  return { along: "staged_space_place", select, order: "p.generation, p.position" };
}

const fills = ({ elements, bytes }: Dialect): readonly Fill[] => [
  {
    table: "place",
    key: "1, 2, 3",
    parts: [
      alongMembers((places) => `SELECT p.generation, ${MEMBERS}, p.member, p.position FROM ${places} p`),
      alongSpaces((places) => `SELECT p.generation, ${SPACES}, p.key, p.position FROM ${places} p`),
    ],
  },
  {
    table: "chunk",
    key: "1, 2, 3",
    parts: [
      { select: chunks(MEMBERS, "staged_place", "member", bytes), order: "3" },
      { select: chunks(SPACES, "staged_space_place", "key", bytes), order: "3" },
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
        (places) => `
          SELECT p.generation, p.position, ${PERIOD}, p.member, p.role, p.teams, p.grants, u.doc, u.omitted
            FROM ${places} p CROSS JOIN staged_user u WHERE u.id = p.member`,
      ),
    ],
  },
  {
    table: "team_member",
    key: "1, 2, 3",
    parts: [
      alongMembers(
        (places) => `
          SELECT t.generation, p.position, tm.team, ${PERIOD}, tm.role
            FROM ${places} p CROSS JOIN staged_team_member tm CROSS JOIN staged_changed_team t
            WHERE tm.member = p.member AND t.id = tm.team AND t.generation = p.generation`,
        "tm.team",
      ),
    ],
  },
  {
    table: "user_grant",
    key: "1, 2, 3",
    parts: [
      alongMembers(
        (places) => `
          SELECT c.generation, p.position, g.content, ${PERIOD}, g.role
            FROM ${places} p CROSS JOIN staged_user_permission g CROSS JOIN staged_changed_content c
            WHERE g.member = p.member AND c.id = g.content AND c.generation = p.generation`,
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
             CASE WHEN c.position IS NULL THEN coalesce(d.depth, 0) ELSE 0 END, p.position, CASE WHEN c.position IS NULL THEN c.doc END, c.look
           FROM staged_content c ${CHANGED} = c.organization
             LEFT JOIN staged_depth d ON d.id = c.parent
             LEFT JOIN staged_space_place p ON p.id = c.id AND p.generation = o.generation`,
        order: "c.id",
      },
    ],
  },
  {
    table: "space",
    key: "1, 2",
    parts: [
      alongSpaces(
        (places) => `
          SELECT p.generation, p.position, ${PERIOD}, p.key, c.doc, c.omitted, c.parent, c.default_level,
              ${listedTeamsOn("p")}
            FROM ${places} p CROSS JOIN staged_content c WHERE c.id = p.id`,
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
           WHERE o.id = m.organization AND o.generation IS NOT NULL AND u.id = m.member`,
        order: "2, 3",
      },
    ],
  },
];

/** SQL: the chunks of a universe, each with its first key. */
function chunks(universe: number, places: string, key: string, bytes: string): string {
  const chunk = `p.position / ${SLOTS}`;
  return `
    SELECT p.generation, ${universe}, ${chunk}, ${PERIOD},
        CASE WHEN ${chunk} = 0 THEN '' ELSE min(p.${key}) END, CAST(NULL AS ${bytes}), count(*)
      FROM ${places} p GROUP BY p.generation, ${chunk}`;
}
