/** Stages all records that differ, with their fields. {@link differences} only counts them. */
import { type Dialect, type Staging, type Statement, statement } from "../../../engine/engine.ts";
import type { FillPart } from "../../../engine/fill-part.ts";
import { type CountedKind, KINDS, type OrganizationChange } from "./difference.ts";
import { isStored, storedOfMember, storedRow } from "../stored.ts";

/**
 * SQL that finds the records of one kind: stored (`s`), staged (`r`), in organization `o`. Pairs have the SQL for
 * stored and for staged records.
 */
interface Sides {
  readonly kind: CountedKind;
  /** The key fields of a record. */
  readonly keys: Partial<Record<"member" | "team" | "content" | "site", readonly [string, string]>>;
  /** The other fields of a record, as text. */
  readonly says: readonly [string, string];
  readonly stored: (dialect: Dialect) => string;
  readonly staged: string;
  /** The organization of a staged record. */
  readonly of: string;
  /** Whether a staged record and a stored one have the same key. */
  readonly same: string;
  /** The stored record with the key of a staged one, as a FROM item with its condition. */
  readonly known: (dialect: Dialect) => string;
  /** Conditions that select the rows of this kind. */
  readonly only?: readonly [string, string];
}

const ROLES = ["CAST(s.role AS text)", "CAST(r.role AS text)"] as const;

/** SQL: the stored rows of a table keyed by a member's position, joined with the member. */
function ofMember(table: string): Sides["stored"] {
  return ({ stored }) =>
    `${stored(table)} s JOIN ${stored("member")} m ON ${isStored("m")} AND m.position = s.position`;
}

const SIDES: readonly Sides[] = [
  {
    kind: "user",
    keys: { member: ["s.id", "r.member"] },
    says: ["s.doc", "u.doc"],
    stored: ({ stored }) => `${stored("member")} s`,
    staged: "(staged_member r JOIN staged_user u ON u.id = r.member)",
    of: "r.organization",
    same: "r.member = s.id",
    known: (dialect) => storedOfMember(dialect, "member", "r.member"),
  },
  {
    kind: "member",
    keys: { member: ["s.id", "r.member"] },
    says: ROLES,
    stored: ({ stored }) => `${stored("member")} s`,
    staged: "staged_member r",
    of: "r.organization",
    same: "r.member = s.id",
    known: (dialect) => storedOfMember(dialect, "member", "r.member"),
  },
  {
    kind: "team",
    keys: { team: ["s.id", "r.id"] },
    says: ["s.doc", "r.doc"],
    stored: ({ stored }) => `${stored("team")} s`,
    staged: "staged_team r",
    of: "r.organization",
    same: "r.id = s.id",
    known: (dialect) => storedRow(dialect, "team", "s.id = r.id"),
  },
  {
    kind: "teamMember",
    keys: { member: ["m.id", "r.member"], team: ["s.team", "r.team"] },
    says: ["s.role", "r.role"],
    stored: ofMember("team_member"),
    staged: "(staged_team_member r JOIN staged_team t ON t.id = r.team)",
    of: "t.organization",
    same: "r.member = m.id AND r.team = s.team",
    known: (dialect) => storedOfMember(dialect, "team_member", "r.member", "s.team = r.team"),
  },
  {
    kind: "collection",
    keys: { content: ["s.id", "r.id"] },
    says: ["s.doc", "r.doc"],
    stored: ({ stored }) => `${stored("content")} s`,
    staged: "staged_content r",
    of: "r.organization",
    same: "r.id = s.id",
    known: (dialect) => storedRow(dialect, "content", "s.id = r.id"),
    only: ["s.position IS NULL", "r.position IS NULL"],
  },
  {
    kind: "space",
    // In the sort key of a space, the id follows fifteen digits and a slash.
    keys: { content: ["'space/' || substr(s.key, 17)", "r.id"] },
    says: ["s.doc", "r.doc"],
    stored: ({ stored }) => `${stored("space")} s`,
    staged: "staged_content r",
    of: "r.organization",
    same: "r.id = 'space/' || substr(s.key, 17)",
    known: (dialect) => storedRow(dialect, "content", "s.id = r.id"),
    only: ["true", "r.position IS NOT NULL"],
  },
  {
    kind: "site",
    keys: { site: ["s.id", "r.id"] },
    says: ["s.title", "r.title"],
    stored: ({ stored }) => `${stored("site")} s`,
    staged: "staged_site r",
    of: "r.organization",
    same: "r.id = s.id",
    known: (dialect) => storedRow(dialect, "site", "s.id = r.id"),
  },
  {
    kind: "siteSpace",
    keys: { content: ["'space/' || s.space", "'space/' || r.space"], site: ["s.site", "r.site"] },
    says: ["''", "''"],
    stored: ({ stored }) => `${stored("site_space")} s`,
    staged: "(staged_site_space r JOIN staged_site t ON t.id = r.site)",
    of: "t.organization",
    same: "r.site = s.site AND r.space = s.space",
    known: (dialect) => storedRow(dialect, "site_space", "s.site = r.site AND s.space = r.space"),
  },
  {
    kind: "permission",
    keys: { member: ["m.id", "r.member"], content: ["s.content", "r.content"] },
    says: ROLES,
    stored: ofMember("user_grant"),
    staged: "(staged_user_permission r JOIN staged_content t ON t.id = r.content)",
    of: "t.organization",
    same: "r.content = s.content AND r.member = m.id",
    known: (dialect) => storedOfMember(dialect, "user_grant", "r.member", "s.content = r.content"),
  },
  {
    kind: "permission",
    keys: { team: ["s.team", "r.team"], content: ["s.content", "r.content"] },
    says: ROLES,
    stored: ({ stored }) => `${stored("team_grant")} s`,
    staged: "(staged_team_permission r JOIN staged_content t ON t.id = r.content)",
    of: "t.organization",
    same: "r.content = s.content AND r.team = s.team",
    known: (dialect) => storedRow(dialect, "team_grant", "s.content = r.content AND s.team = r.team"),
  },
];

const KEYS = ["member", "team", "content", "site"] as const;

/** Inserts rows in the order of their key fields, with numbers after those of existing rows. */
function insertion(kind: CountedKind, select: (dialect: Dialect) => string): Statement<never> {
  return statement(
    (dialect) => `
      INSERT INTO staged_difference
        SELECT organization, ${KINDS.indexOf(kind)},
            CAST($1 AS bigint) + row_number() OVER (ORDER BY organization, member, team, content, site),
            member, team, content, site, was, becomes
          FROM (${select(dialect)}) d`,
  );
}

function sides({ kind, keys, says, stored, staged, of, same, known, only }: Sides): Statement<never> {
  const [before, after] = says;
  const [ofStored, ofStaged] = only ?? ["true", "true"];
  const names = (side: 0 | 1) => KEYS.map((key) => `${keys[key]?.[side] ?? "NULL"} AS ${key}`).join(", ");
  return insertion(
    kind,
    (
      dialect,
    ) => `SELECT o.id AS organization, ${names(0)}, ${before} AS was, CASE WHEN ${of} IS NULL THEN NULL ELSE ${after} END AS becomes
       FROM staged_organization o CROSS JOIN ${stored(dialect)}
         LEFT JOIN ${staged} ON ${of} = o.id AND ${same}
       WHERE ${isStored("s")} AND ${ofStored} AND (${of} IS NULL OR ${after} <> ${before})
     UNION ALL
     SELECT o.id, ${names(1)}, NULL, ${after}
       FROM ${staged} JOIN staged_organization o ON o.id = ${of}
       WHERE ${ofStaged} AND NOT EXISTS (SELECT 1 FROM ${known(dialect)})`,
  );
}

const TITLES = insertion(
  "organization",
  () => `SELECT o.id AS organization, NULL AS member, NULL AS team, NULL AS content, NULL AS site, s.title AS was,
       o.title AS becomes
     FROM staged_organization o LEFT JOIN revision s ON s.revision = o.current
     WHERE s.title IS NULL OR s.title <> o.title`,
);

const INSERTIONS: readonly (readonly [CountedKind, Statement<never>])[] = [
  ["organization", TITLES],
  ...SIDES.map((each) => [each.kind, sides(each)] as const),
];

/** Stages all records that differ. Call it once, before anything is published. */
export async function stageDifferences(
  staging: Staging,
  changes: readonly OrganizationChange[],
): Promise<void> {
  const { text } = staging.dialect;
  await staging.create(
    "staged_difference",
    `organization ${text}, kind smallint, number bigint, member ${text}, team ${text}, content ${text}, site ${text},
     was ${text}, becomes ${text}`,
  );
  let rows = 0;
  for (const [kind, insert] of INSERTIONS) {
    const differs = changes.some(({ kinds }) => {
      const { added, changed, removed } = kinds[kind];
      return added + changed + removed > 0;
    });
    if (differs) rows += await staging.write(insert, rows);
  }
  await staging.index("staged_difference", "organization, kind, number");
}

/**
 * The log with which the new generations of existing organizations begin. Revision 0 stands for the first revision of
 * the generation, whose number is not known yet.
 */
export const LOGGED: FillPart = {
  select: `
    SELECT o.generation, 0, d.number, d.kind, d.member, d.team, d.content, d.site, d.was, d.becomes
      FROM staged_difference d JOIN staged_organization o ON o.id = d.organization
      WHERE o.generation IS NOT NULL AND o.current IS NOT NULL`,
  order: "o.generation, d.number",
};
