/** Compares an import with the stored records: counts per organization and kind. */
import { isStored } from "../stored.ts";
import { decodeMemberRole } from "../../../schema/encoding.ts";
import { type Connection, type Dialect, type Statement, statement } from "../../../engine/engine.ts";
import type { Counts } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { parseCounts } from "../../../revisions/past/row.ts";

/** The kinds of records, in the order in which an import prints them. */
export const KINDS = [
  "organization",
  "user",
  "member",
  "team",
  "teamMember",
  "collection",
  "space",
  "site",
  "siteSpace",
  "permission",
] as const;

export type CountedKind = (typeof KINDS)[number];

export interface Change {
  added: number;
  changed: number;
  removed: number;
}

export interface OrganizationChange {
  readonly organization: string;
  readonly title: string;
  /** The current revision; `undefined` for a new organization. */
  readonly current: number | undefined;
  readonly counts: Counts;
  readonly kinds: Readonly<Record<CountedKind, Change>>;
}

type OrganizationRow = [
  id: string,
  title: string,
  current: number | null,
  counts: string | null,
  before: string | null,
];

const ORGANIZATIONS = statement<OrganizationRow>(
  () => `
    SELECT o.id, o.title, o.current, s.counts, s.title
      FROM staged_organization o LEFT JOIN revision s ON s.revision = o.current ORDER BY o.id`,
);

type CountRow = [organization: string, kind: string, count: number];

/** The number of records of each kind in the import, per organization. */
const STAGED = statement<CountRow>(
  () => `
    SELECT organization, 'role/' || CAST(role AS text), count(*) FROM staged_member GROUP BY organization, role
    UNION ALL SELECT organization, 'team', count(*) FROM staged_team GROUP BY organization
    UNION ALL SELECT t.organization, 'teamMember', CAST(sum(r.records) AS bigint)
      FROM staged_in_team r JOIN staged_team t ON t.id = r.team GROUP BY t.organization
    UNION ALL SELECT organization, CASE WHEN position IS NULL THEN 'collection' ELSE 'space' END, count(*)
      FROM staged_content GROUP BY 1, 2
    UNION ALL SELECT organization, 'site', count(*) FROM staged_site GROUP BY organization
    UNION ALL SELECT s.organization, 'siteSpace', count(*)
      FROM staged_site_space r JOIN staged_site s ON s.id = r.site GROUP BY s.organization
    UNION ALL SELECT c.organization, 'permission', CAST(sum(p.records) AS bigint)
      FROM staged_to_users p JOIN staged_content c ON c.id = p.content GROUP BY c.organization
    UNION ALL SELECT c.organization, 'permission', CAST(sum(p.records) AS bigint)
      FROM (SELECT content, count(*) AS records FROM staged_team_permission GROUP BY content) p
        JOIN staged_content c ON c.id = p.content GROUP BY c.organization`,
);

type KeptRow = [organization: string, kind: string, kept: number, changed: number];

/**
 * Counts the records that are both staged and stored, and those of them that differ. The outer join makes SQLite look
 * up a stored record for each staged one. The other direction would take quadratic time.
 */
function kept(
  kind: string,
  staged: string,
  stored: (dialect: Dialect) => string,
  differs: string,
): Statement<KeptRow> {
  return statement(
    (dialect) => `
      SELECT o.id, ${kind}, count(s.generation), sum(CASE WHEN s.generation IS NOT NULL AND (${differs}) THEN 1 ELSE 0 END)
        FROM ${staged} LEFT JOIN ${stored(dialect)} GROUP BY 1, 2`,
  );
}

const STORED = "JOIN staged_organization o ON o.current IS NOT NULL AND o.id";

/** SQL: a stored row `s` of a table, by its key. */
function row({ stored }: Dialect, table: string, key: string): string {
  return `${stored(table)} s ON ${isStored("s")} AND ${key}`;
}

/** SQL: a stored row `s` of a table keyed by a member's position, at any position of the user id `member`. */
function rowOfMember(dialect: Dialect, table: string, member: string, key = "true"): string {
  return `${dialect.stored("place")} m ON m.generation = o.stored AND m.universe = ${MEMBERS} AND m.key = ${member}
    LEFT JOIN ${row(dialect, table, `s.position = m.position AND ${key}`)}`;
}

const KEPT: readonly Statement<KeptRow>[] = [
  kept(
    "'member'",
    `staged_member r ${STORED} = r.organization`,
    (dialect) => rowOfMember(dialect, "member", "r.member"),
    "s.role <> r.role",
  ),
  kept(
    "'user'",
    `staged_member r ${STORED} = r.organization JOIN staged_user u ON u.id = r.member`,
    (dialect) => rowOfMember(dialect, "member", "r.member"),
    "s.doc <> u.doc",
  ),
  kept(
    "'team'",
    `staged_team r ${STORED} = r.organization`,
    (dialect) => row(dialect, "team", "s.id = r.id"),
    "s.doc <> r.doc",
  ),
  kept(
    "'teamMember'",
    `staged_team_member r JOIN staged_team t ON t.id = r.team ${STORED} = t.organization`,
    (dialect) => rowOfMember(dialect, "team_member", "r.member", "s.team = r.team"),
    "s.role <> r.role",
  ),
  kept(
    "'collection'",
    `staged_content r ${STORED} = r.organization`,
    (dialect) => row(dialect, "content", "s.id = r.id AND r.position IS NULL"),
    "s.doc <> r.doc",
  ),
  kept(
    "'space'",
    `staged_content r ${STORED} = r.organization`,
    (dialect) => `${row(dialect, "content", "s.id = r.id AND r.position IS NOT NULL")}
       LEFT JOIN ${dialect.stored("space")} d ON ${isStored("d")} AND d.position = s.position`,
    "d.doc <> r.doc",
  ),
  kept(
    "'site'",
    `staged_site r ${STORED} = r.organization`,
    (dialect) => row(dialect, "site", "s.id = r.id"),
    "s.title <> r.title",
  ),
  kept(
    "'siteSpace'",
    `staged_site_space r JOIN staged_site t ON t.id = r.site ${STORED} = t.organization`,
    (dialect) => row(dialect, "site_space", "s.site = r.site AND s.space = r.space"),
    "false",
  ),
  kept(
    "'permission'",
    `staged_user_permission r JOIN staged_content c ON c.id = r.content ${STORED} = c.organization`,
    (dialect) => rowOfMember(dialect, "user_grant", "r.member", "s.content = r.content"),
    "s.role <> r.role",
  ),
  kept(
    "'permission'",
    `staged_team_permission r JOIN staged_content c ON c.id = r.content ${STORED} = c.organization`,
    (dialect) => row(dialect, "team_grant", "s.content = r.content AND s.team = r.team"),
    "s.role <> r.role",
  ),
];

/** Compares the staged records with the stored ones. Returns one entry per organization of the import, by id. */
export async function differences(connection: Connection): Promise<OrganizationChange[]> {
  const staged = new Map<string, CountRow[]>();
  for (const row of await connection.read(STAGED)) {
    staged.set(row[0], [...(staged.get(row[0]) ?? []), row]);
  }
  const organizations = await connection.read(ORGANIZATIONS);
  const keptRows: KeptRow[] = [];
  // If all organizations are new, nothing is stored, and millions of look-ups are not necessary.
  const known = organizations.some(([, , current]) => current !== null);
  for (const each of known ? KEPT : []) keptRows.push(...(await connection.read(each)));
  return organizations.map(([organization, title, current, counts, before]) => {
    const now = countsOf(staged.get(organization) ?? []);
    return {
      organization,
      title,
      current: current ?? undefined,
      counts: now,
      kinds: compare(
        recordsOf(now),
        counts === null ? undefined : recordsOf(parseCounts(counts)),
        keptRows.filter(([id]) => id === organization),
        before !== null && before !== title,
      ),
    };
  });
}

export function isKnown({ current }: OrganizationChange): boolean {
  return current !== undefined;
}

export function isChange({ kinds }: OrganizationChange): boolean {
  return KINDS.some((kind) => kinds[kind].added + kinds[kind].changed + kinds[kind].removed > 0);
}

function countsOf(rows: readonly CountRow[]): Counts {
  const of = (kind: string) => rows.reduce((sum, row) => (row[1] === kind ? sum + row[2] : sum), 0);
  const roles = { guest: 0, read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
  let members = 0;
  for (const [, kind, count] of rows) {
    if (!kind.startsWith("role/")) continue;
    roles[decodeMemberRole(Number(kind.slice("role/".length))) ?? "guest"] += count;
    members += count;
  }
  return {
    members,
    roles,
    teams: of("team"),
    teamMembers: of("teamMember"),
    collections: of("collection"),
    spaces: of("space"),
    sites: of("site"),
    siteSpaces: of("siteSpace"),
    permissions: of("permission"),
  };
}

/** The number of records of all kinds. */
export function recordsIn(counts: Counts): number {
  return KINDS.reduce((sum, kind) => sum + recordsOf(counts)[kind], 0);
}

export function ofEachKind<Value>(of: (kind: CountedKind) => Value): Record<CountedKind, Value> {
  return {
    organization: of("organization"),
    user: of("user"),
    member: of("member"),
    team: of("team"),
    teamMember: of("teamMember"),
    collection: of("collection"),
    space: of("space"),
    site: of("site"),
    siteSpace: of("siteSpace"),
    permission: of("permission"),
  };
}

/** The number of records of each kind. A user counts once in each organization with a membership. */
function recordsOf(counts: Counts): Record<CountedKind, number> {
  return {
    organization: 1,
    user: counts.members,
    member: counts.members,
    team: counts.teams,
    teamMember: counts.teamMembers,
    collection: counts.collections,
    space: counts.spaces,
    site: counts.sites,
    siteSpace: counts.siteSpaces,
    permission: counts.permissions,
  };
}

function compare(
  now: Record<CountedKind, number>,
  before: Record<CountedKind, number> | undefined,
  rows: readonly KeptRow[],
  renamed: boolean,
): Record<CountedKind, Change> {
  return ofEachKind((kind) => {
    if (before === undefined) return { added: now[kind], changed: 0, removed: 0 };
    if (kind === "organization") return { added: 0, changed: Number(renamed), removed: 0 };
    const same = rows.filter((row) => row[1] === kind);
    const both = same.reduce((sum, row) => sum + row[2], 0);
    const changed = same.reduce((sum, row) => sum + row[3], 0);
    return { added: now[kind] - both, changed, removed: before[kind] - both };
  });
}
