/** Compares an import with the stored records: counts per organization and kind. */
import {
  type Connection,
  type Dialect,
  type FillPart,
  type Staging,
  type Statement,
  statement,
} from "../../engine/engine.ts";
import type { Counts } from "../../reading.ts";
import { parseCounts } from "../../revisions/past.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import {
  RECORD_KINDS,
  type RecordChange,
  recordColumns,
  type RecordKind,
  recordOfRow,
  type RecordRow,
} from "../../schema/record-change.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import type { ChangeSet, ChangeSource } from "../../revisions/publication.ts";
import { isStored, storedOfMember, storedRow } from "./staged.ts";

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
  readonly kinds: Readonly<Record<RecordKind, Change>>;
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
  return RECORD_KINDS.some((kind) => kinds[kind].added + kinds[kind].changed + kinds[kind].removed > 0);
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
  return RECORD_KINDS.reduce((sum, kind) => sum + recordsOf(counts)[kind], 0);
}

export function ofEachKind<Value>(of: (kind: RecordKind) => Value): Record<RecordKind, Value> {
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
function recordsOf(counts: Counts): Record<RecordKind, number> {
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
  now: Record<RecordKind, number>,
  before: Record<RecordKind, number> | undefined,
  rows: readonly KeptRow[],
  renamed: boolean,
): Record<RecordKind, Change> {
  return ofEachKind((kind) => {
    if (before === undefined) return { added: now[kind], changed: 0, removed: 0 };
    if (kind === "organization") return { added: 0, changed: Number(renamed), removed: 0 };
    const same = rows.filter((row) => row[1] === kind);
    const both = same.reduce((sum, row) => sum + row[2], 0);
    const changed = same.reduce((sum, row) => sum + row[3], 0);
    return { added: now[kind] - both, changed, removed: before[kind] - both };
  });
}

/** Stages all records that differ, with their fields. {@link differences} only counts them. */

/**
 * SQL that finds the records of one kind: stored (`s`), staged (`r`), in organization `o`. Pairs have the SQL for
 * stored and for staged records.
 */
interface Sides {
  readonly kind: RecordKind;
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
function insertion(kind: RecordKind, select: (dialect: Dialect) => string): Statement<never> {
  return statement(
    (dialect) => `
      INSERT INTO staged_difference
        SELECT organization, ${RECORD_KINDS.indexOf(kind)},
            CAST($1 AS bigint) + row_number() OVER (ORDER BY organization, member, team, content, site),
            member, team, content, site, was, becomes
          FROM (${select(dialect)}) d`,
  );
}

function insertionOf({ kind, keys, says, stored, staged, of, same, known, only }: Sides): Statement<never> {
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

const INSERTIONS: readonly (readonly [RecordKind, Statement<never>])[] = [
  ["organization", TITLES],
  ...SIDES.map((each) => [each.kind, insertionOf(each)] as const),
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

/** Reads the staged differencesWithTitles. */

/** A record that differs, with titles and display names. */
export interface Difference extends RecordChange {
  readonly organization: string;
  /** The member's document. */
  readonly user: string | undefined;
  readonly teamTitle: string | undefined;
  readonly contentTitle: string | undefined;
  readonly siteTitle: string | undefined;
}

type DifferingRow = [
  organization: string,
  number: number,
  user: string | null,
  teamTitle: string | null,
  contentTitle: string | null,
  siteTitle: string | null,
  ...record: RecordRow,
];

const differencesWithTitles = (dialect: Dialect) => `
  SELECT d.organization, d.number,
      coalesce(u.doc, (SELECT s.doc FROM ${storedOfMember(dialect, "member", "d.member")})), coalesce(t.title, tb.title), coalesce(c.title, cb.title), coalesce(w.title, wb.title),
      ${recordColumns("d")}
    FROM staged_difference d JOIN staged_organization o ON o.id = d.organization
      LEFT JOIN staged_user u ON u.id = d.member
      LEFT JOIN staged_team t ON t.id = d.team LEFT JOIN ${dialect.stored("team")} tb ON ${isStored("tb")} AND tb.id = d.team
      LEFT JOIN staged_content c ON c.id = d.content
      LEFT JOIN ${dialect.stored("content")} cb ON ${isStored("cb")} AND cb.id = d.content
      LEFT JOIN staged_site w ON w.id = d.site LEFT JOIN ${dialect.stored("site")} wb ON ${isStored("wb")} AND wb.id = d.site`;

const PAGE = 1000;
const IN_TURN = statement<DifferingRow>(
  (dialect) => `${differencesWithTitles(dialect)}
    WHERE (d.organization, d.kind, d.number) > ($1, $2, $3) ORDER BY d.organization, d.kind, d.number LIMIT ${PAGE}`,
);

/** All records that differ, by organization and kind, in pages. */
export async function* differing(staging: Staging): AsyncGenerator<Difference[]> {
  let last: [string, number, number] = ["", -1, 0];
  for (;;) {
    const rows = await staging.read(IN_TURN, ...last);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(differenceOf);
    const [organization, number, , , , , kind] = end;
    last = [organization, kind, number];
  }
}

/** Returns a function that reads the first `limit` differing records of a kind that meet the SQL condition `how`. */
export function firstDiffering(kind: RecordKind, how: string, limit: number): FirstDiffering {
  const select = statement<DifferingRow>(
    (dialect) => `${differencesWithTitles(dialect)}
      WHERE d.organization = $1 AND d.kind = ${RECORD_KINDS.indexOf(kind)} AND ${how} ORDER BY d.number LIMIT ${limit}`,
  );
  return async (staging, organization) => (await staging.read(select, organization)).map(differenceOf);
}

export type FirstDiffering = (staging: Staging, organization: string) => Promise<Difference[]>;

function differenceOf([
  organization,
  ,
  user,
  teamTitle,
  contentTitle,
  siteTitle,
  ...record
]: DifferingRow): Difference {
  return {
    organization,
    ...recordOfRow(record),
    user: user ?? undefined,
    teamTitle: teamTitle ?? undefined,
    contentTitle: contentTitle ?? undefined,
    siteTitle: siteTitle ?? undefined,
  };
}

/** Converts the staged differences of one organization to a change, for imports that change few records. */

/** The number of records of an organization that an import adds, changes and removes. */
export function sizeOf({ kinds }: OrganizationChange): number {
  return RECORD_KINDS.reduce((sum, kind) => {
    const { added, changed, removed } = kinds[kind];
    return sum + added + changed + removed;
  }, 0);
}

const DIFFERENCES = statement<RecordRow>(
  () => `
    SELECT ${recordColumns("d")} FROM staged_difference d
      WHERE d.organization = $1`,
);

/** The change that an import makes to an existing organization. Call it after the differences are staged. */
export async function changeSetOf(
  staging: Staging,
  { organization }: OrganizationChange,
  base: number,
  source: ChangeSource,
): Promise<ChangeSet> {
  const rows = await staging.read(DIFFERENCES, organization);
  return { organization, base, source, records: rows.map(recordOfRow) };
}
