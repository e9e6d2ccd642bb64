/** Checks the relations between the records of an import (docs/snapshot.md) in the staged tables. */
import { DEEPEST, type ContentKind } from "../../../domain/content.ts";
import { type Connection, type Statement, statement } from "../../engine/engine.ts";
import { byMember } from "./staged.ts";

/** A record that breaks a rule. `line` is its file and line, as {@link encodeLine} encodes them. */
interface Violation {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  readonly accepted: string;
  /**
   * The line of the first record with this key, and the owner of the value, such as `in team docs`. Only for a
   * duplicate.
   */
  readonly again?: { readonly line: number; readonly whose: string };
}

interface Violations {
  /** The first {@link MOST_NAMED} violations, in the order of files and lines. `count` counts all. */
  readonly first: readonly Violation[];
  readonly count: number;
}

/** The maximum number of violations in a message. */
const MOST_NAMED = 20;

type ViolationRow = [line: number, value: string, context: string | null, count: number];

interface RelationRule {
  readonly statement: Statement<ViolationRow>;
  readonly field: string;
  /** Whether the context is the line of the first record and the owner of the value. */
  readonly repeats?: true;
  readonly accepted: (context: string) => string;
}

/** `select` finds the records that break the rule: the line, the value, and a context for `accepted`. */
function rule(field: string, accepted: (context: string) => string, select: string): RelationRule {
  return {
    field,
    accepted,
    statement: statement(
      () => `
        SELECT line, value, context, count(*) OVER () FROM (${select}) broken ORDER BY line LIMIT ${MOST_NAMED}`,
    ),
  };
}

/** The rule that a key is unique. `value` is SQL for the duplicate value, `whose` for the owner of the value. */
function unique(
  field: string,
  what: string,
  table: string,
  key: string,
  value: string,
  whose = "''",
  where = "true",
): RelationRule {
  const same = key
    .split(", ")
    .map((column) => `f.${column} = again.${column}`)
    .join(" AND ");
  return {
    repeats: true,
    ...rule(
      field,
      () => `each ${what} once in an import`,
      `SELECT again.line, ${value} AS value, CAST(f.line AS text) || ' ' || ${whose} AS context FROM (
         SELECT ${key}, min(line) AS line FROM ${table} WHERE ${where} GROUP BY ${key} HAVING count(*) > 1
       ) f JOIN ${table} again ON ${same} AND again.line > f.line`,
    ),
  };
}

/** The rule that the organization of a record has a record itself. */
function inOrganization(field: string, table: string, where = "true"): RelationRule {
  return rule(
    field,
    () => "an organization with a record in this import",
    `SELECT r.line, r.organization AS value, NULL AS context FROM ${table} r
       WHERE ${where} AND NOT EXISTS (SELECT 1 FROM staged_organization o WHERE o.id = r.organization)`,
  );
}

/**
 * A FROM item with its condition: the records (`r`) whose `column` names something without a record of its own. `named`
 * is a table with all these names, which is looked through first: usually nothing is missing.
 */
function missing(column: string, named: string, table: string, of: string): string {
  return `(
    SELECT DISTINCT n.${column} FROM ${named} n WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = n.${column})
  ) missing CROSS JOIN ${of} r WHERE r.${column} = missing.${column}`;
}

/** The rules of spaces or of collections, which are staged in one table. */
function contentRules(kind: ContentKind): RelationRule[] {
  const prefix = kind.length + 2;
  const ofKind = `id LIKE '${kind}/%'`;
  return [
    unique(`${kind}.id`, `${kind} id`, "staged_content", "id", `substr(again.id, ${prefix})`, "''", ofKind),
    inOrganization(`${kind}.organization`, "staged_content", ofKind),
    rule(
      `${kind}.parent`,
      (organization) => `the id of a collection of organization ${organization}`,
      `SELECT c.line, substr(c.parent, 12) AS value, c.organization AS context FROM staged_content c
         WHERE c.${ofKind} AND c.parent IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM staged_content p WHERE p.id = c.parent AND p.organization = c.organization)`,
    ),
    ...(["user", "team"] as const).flatMap((grantee) => {
      const table = `staged_${grantee}_permission`;
      const [column, key, named] =
        grantee === "user"
          ? ["member", "member, content", "staged_to_users"]
          : ["team", "content, team", "staged_team_permission"];
      return [
        unique(
          `permission.${grantee}`,
          `pair of ${kind} and ${grantee}`,
          table,
          key,
          `again.${column}`,
          `'on ${kind} ' || substr(again.content, ${prefix})`,
          `content LIKE '${kind}/%'`,
        ),
        rule(
          `permission.${kind}`,
          () => `a ${kind} with a record in this import`,
          `SELECT r.line, substr(r.content, ${prefix}) AS value, NULL AS context
             FROM ${missing("content", named, "staged_content", table)} AND r.content LIKE '${kind}/%'`,
        ),
      ];
    }),
  ];
}

const RULES: readonly RelationRule[] = [
  unique("organization.id", "organization id", "staged_organization", "id", "again.id"),
  {
    repeats: true,
    ...rule(
      "user.id",
      () => "one description of each user (repeats must be identical)",
      `SELECT again.line, again.id AS value, CAST(f.line AS text) || ' with another description' AS context FROM (
       SELECT id, min(line) AS line FROM staged_user GROUP BY id HAVING count(*) > 1
     ) f JOIN staged_user one ON one.id = f.id AND one.line = f.line
       JOIN staged_user again ON again.id = f.id AND again.line > f.line
      WHERE again.doc <> one.doc`,
    ),
  },
  unique(
    "member.user",
    "pair of organization and user",
    "staged_member",
    "organization, member",
    "again.member",
    "'of organization ' || again.organization",
  ),
  unique("team.id", "team id", "staged_team", "id", "again.id"),
  unique(
    "teamMember.user",
    "pair of team and user",
    "staged_team_member",
    "member, team",
    "again.member",
    "'in team ' || again.team",
  ),
  unique("site.id", "site id", "staged_site", "id", "again.id"),
  unique(
    "siteSpace.space",
    "pair of site and space",
    "staged_site_space",
    "site, space",
    "again.space",
    "'on site ' || again.site",
  ),
  inOrganization("member.organization", "staged_member"),
  inOrganization("team.organization", "staged_team"),
  inOrganization("site.organization", "staged_site"),
  ...contentRules("collection"),
  ...contentRules("space"),
  rule(
    "member.user",
    () => "a user with a record in this import",
    `SELECT r.line, r.member AS value, NULL AS context FROM staged_member r
       WHERE ${byMember("r")} AND NOT EXISTS (SELECT 1 FROM staged_user u WHERE u.id = r.member)`,
  ),
  rule(
    "teamMember.team",
    () => "a team with a record in this import",
    `SELECT r.line, r.team AS value, NULL AS context
       FROM ${missing("team", "staged_in_team", "staged_team", "staged_team_member")}`,
  ),
  rule(
    "teamMember.user",
    (organization) => `a member of organization ${organization}`,
    `SELECT r.line, r.member AS value, t.organization AS context
       FROM staged_team_member r CROSS JOIN staged_team t
       WHERE ${byMember("r")} AND t.id = r.team AND NOT EXISTS (
         SELECT 1 FROM staged_member m WHERE m.member = r.member AND m.organization = t.organization)`,
  ),
  rule(
    "siteSpace.site",
    () => "a site with a record in this import",
    `SELECT r.line, r.site AS value, NULL AS context FROM staged_site_space r
       WHERE NOT EXISTS (SELECT 1 FROM staged_site s WHERE s.id = r.site)`,
  ),
  rule(
    "siteSpace.space",
    (organization) => `a space of organization ${organization}`,
    `SELECT r.line, r.space AS value, s.organization AS context
       FROM staged_site_space r JOIN staged_site s ON s.id = r.site
       WHERE NOT EXISTS (
         SELECT 1 FROM staged_content c WHERE c.id = 'space/' || r.space AND c.organization = s.organization)`,
  ),
  rule(
    "permission.user",
    (organization) => `a member of organization ${organization}`,
    `SELECT r.line, r.member AS value, c.organization AS context
       FROM staged_user_permission r CROSS JOIN staged_content c
       WHERE ${byMember("r")} AND c.id = r.content AND NOT EXISTS (
         SELECT 1 FROM staged_member m WHERE m.member = r.member AND m.organization = c.organization)`,
  ),
  rule(
    "permission.team",
    (organization) => `a team of organization ${organization}`,
    `SELECT r.line, r.team AS value, c.organization AS context
       FROM staged_team_permission r JOIN staged_content c ON c.id = r.content
       WHERE NOT EXISTS (
         SELECT 1 FROM staged_team t WHERE t.id = r.team AND t.organization = c.organization)`,
  ),
];

/**
 * Follows collections from the top, until one level deeper than allowed. A collection that is never reached is in a
 * cycle or below one.
 */
const NESTING = rule(
  "collection.parent",
  (what) => (what === "cycle" ? "collections without a cycle" : `collections nested at most ${DEEPEST} deep`),
  `WITH RECURSIVE nested (id, depth) AS (
     SELECT id, 1 FROM staged_content WHERE parent IS NULL AND id LIKE 'collection/%'
     UNION ALL
     SELECT c.id, n.depth + 1 FROM nested n JOIN staged_content c ON c.parent = n.id
       WHERE n.depth <= ${DEEPEST} AND c.id LIKE 'collection/%'
   )
   SELECT c.line, substr(c.parent, 12) AS value, CASE WHEN n.depth IS NULL THEN 'cycle' END AS context
     FROM staged_content c LEFT JOIN nested n ON n.id = c.id
     WHERE c.id LIKE 'collection/%' AND c.parent IS NOT NULL AND (
       n.depth > ${DEEPEST}
       OR n.depth IS NULL AND NOT EXISTS (SELECT 1 FROM nested p WHERE p.depth > ${DEEPEST}))`,
);

export async function violations(connection: Connection): Promise<Violations> {
  const found = await broken(connection, RULES);
  // Nesting can only be checked if all parents exist.
  return found.count > 0 ? found : broken(connection, [NESTING]);
}

async function broken(connection: Connection, rules: readonly RelationRule[]): Promise<Violations> {
  const first: Violation[] = [];
  let count = 0;
  for (const { statement, field, accepted, repeats } of rules) {
    const rows = await connection.read(statement);
    count += rows[0]?.[3] ?? 0;
    for (const [line, value, context] of rows) {
      const again = repeats && againOf(context ?? "");
      first.push({ line, field, value, accepted: accepted(context ?? ""), ...(again && { again }) });
    }
  }
  return { first: first.sort((a, b) => a.line - b.line).slice(0, MOST_NAMED), count };
}

/** Parses a context: the line, a space character, and the owner of the value. */
function againOf(context: string): NonNullable<Violation["again"]> {
  const space = context.indexOf(" ");
  return { line: Number(context.slice(0, space)), whose: context.slice(space + 1) };
}
