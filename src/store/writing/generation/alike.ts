import { type Connection, statement } from "../../engine/engine.ts";

/** Two ids of one organization that differ only in case. */
export interface AlikeIds {
  readonly organization: string;
  readonly kind: string;
  readonly one: string;
  readonly other: string;
}

/** The maximum number of reported pairs. */
export const MOST_ALIKE = 5;

type Row = [organization: string, kind: string, one: string, other: string];

/**
 * SQL: pairs of ids of one kind that are equal in lower case. Compares only A to Z, because databases differ for other
 * letters.
 */
function alike(kind: string, id: string, organization: string, from: string): string {
  return `
    SELECT ${organization} AS organization, '${kind}' AS kind, min(${id}) AS one, max(${id}) AS other
      FROM ${from} GROUP BY ${organization}, lower(${id}) HAVING count(*) > 1`;
}

const ALIKE = statement<Row>(
  () => `
    SELECT organization, kind, one, other FROM (${[
      alike("user", "member", "organization", "staged_member"),
      alike("team", "id", "organization", "staged_team"),
      alike("space or collection", "id", "organization", "staged_content"),
      alike("site", "id", "organization", "staged_site"),
    ].join(" UNION ALL ")}) found ORDER BY organization, kind, one LIMIT ${MOST_ALIKE}`,
);

/** Pairs of ids that people may confuse, for a note. Call it after the check for duplicate ids. */
export async function alikeIds(connection: Connection): Promise<AlikeIds[]> {
  const rows = await connection.read(ALIKE);
  return rows.map(([organization, kind, one, other]) => ({ organization, kind, one, other }));
}
