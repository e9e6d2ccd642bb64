/**
 * Compares an import with the stored records. Every record that is added, changed or removed is staged, with what it
 * says before and after. The counts that an import reports, what the guard judges, the differing records that
 * `--details` lists, the change that is written if few records differ, and the log of a new generation all read these
 * staged differences.
 */
import { type Dialect, type FillPart, type Staging, type Statement, statement } from "../../engine/engine.ts";
import type { Counts } from "../../reading.ts";
import { parseCounts } from "../../revisions/past.ts";
import { decodeMemberRole } from "../../schema/encoding.ts";
import { RECORD_KINDS, type RecordChange, type RecordKind } from "../../../domain/record-change.ts";
import {
  type ChangeCounts,
  ofEachKind,
  recordColumns,
  recordOfRow,
  type RecordRow,
} from "../../schema/record-change.ts";
import { isStored, storedOfMember, storedRow } from "./staged.ts";

export interface OrganizationChange {
  readonly organization: string;
  readonly title: string;
  /** The current revision; `undefined` for a new organization. */
  readonly current: number | undefined;
  readonly counts: Counts;
  readonly kinds: Readonly<Record<RecordKind, ChangeCounts>>;
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

const KEYS = ["member", "team", "content", "site"] as const;

/** The records of one kind, stored (`s`) and staged (`r`) ones. Pairs have the SQL for stored and for staged records. */
interface ComparedRecords {
  readonly kind: RecordKind;
  /** The stored table. If a member is among the keys, the table is keyed by the member's position. */
  readonly table: string;
  readonly keys: Partial<Record<(typeof KEYS)[number], readonly [string, string]>>;
  /** What a record says beside its keys: a document, a title, a role or a rank. */
  readonly says: readonly [string, string];
  readonly staged: string;
  /** What the staged record is joined with for its document or its organization. */
  readonly joined?: string;
  /** The organization of a staged record. */
  readonly of: string;
  /** Conditions that select the rows of this kind. */
  readonly only?: readonly [string, string];
}

const COMPARED: readonly ComparedRecords[] = [
  {
    kind: "user",
    table: "member",
    keys: { member: ["s.id", "r.member"] },
    says: ["s.doc", "u.doc"],
    staged: "staged_member",
    joined: "staged_user u ON u.id = r.member",
    of: "r.organization",
  },
  {
    kind: "member",
    table: "member",
    keys: { member: ["s.id", "r.member"] },
    says: ["s.role", "r.role"],
    staged: "staged_member",
    of: "r.organization",
  },
  {
    kind: "team",
    table: "team",
    keys: { team: ["s.id", "r.id"] },
    says: ["s.doc", "r.doc"],
    staged: "staged_team",
    of: "r.organization",
  },
  {
    kind: "teamMember",
    table: "team_member",
    keys: { member: ["m.id", "r.member"], team: ["s.team", "r.team"] },
    says: ["s.role", "r.role"],
    staged: "staged_team_member",
    joined: "staged_team t ON t.id = r.team",
    of: "t.organization",
  },
  {
    kind: "collection",
    table: "content",
    keys: { content: ["s.id", "r.id"] },
    says: ["s.doc", "r.doc"],
    staged: "staged_content",
    of: "r.organization",
    only: ["s.position IS NULL", "r.position IS NULL"],
  },
  {
    kind: "space",
    table: "space",
    // In the sort key of a space, the id follows fifteen digits and a slash.
    keys: { content: ["'space/' || substr(s.key, 17)", "r.id"] },
    says: ["s.doc", "r.doc"],
    staged: "staged_content",
    of: "r.organization",
    only: ["true", "r.position IS NOT NULL"],
  },
  {
    kind: "site",
    table: "site",
    keys: { site: ["s.id", "r.id"] },
    says: ["s.title", "r.title"],
    staged: "staged_site",
    of: "r.organization",
  },
  {
    kind: "siteSpace",
    table: "site_space",
    keys: { content: ["s.space", "r.space"], site: ["s.site", "r.site"] },
    says: ["''", "''"],
    staged: "staged_site_space",
    joined: "staged_site t ON t.id = r.site",
    of: "t.organization",
  },
  {
    kind: "permission",
    table: "user_grant",
    keys: { member: ["m.id", "r.member"], content: ["s.content", "r.content"] },
    says: ["s.role", "r.role"],
    staged: "staged_user_permission",
    joined: "staged_content t ON t.id = r.content",
    of: "t.organization",
  },
  {
    kind: "permission",
    table: "team_grant",
    keys: { team: ["s.team", "r.team"], content: ["s.content", "r.content"] },
    says: ["s.role", "r.role"],
    staged: "staged_team_permission",
    joined: "staged_content t ON t.id = r.content",
    of: "t.organization",
  },
];

/** A FROM item: all stored records, with the member (`m`) of a table keyed by a member's position. */
function storedFrom({ stored }: Dialect, { table, keys }: ComparedRecords): string {
  if (keys.member === undefined || table === "member") return `${stored(table)} s`;
  return `${stored(table)} s JOIN ${stored("member")} m ON ${isStored("m")} AND m.position = s.position`;
}

/** A FROM item with its condition: the stored record with the keys of a staged one. */
function storedAlike(dialect: Dialect, { kind, table, keys: { member, ...keys } }: ComparedRecords): string {
  // The table of spaces has no index by id.
  if (kind === "space") return storedRow(dialect, "content", "s.id = r.id");
  const same = Object.values(keys).map(([stored, staged]) => `${stored} = ${staged}`);
  return member === undefined
    ? storedRow(dialect, table, same.join(" AND "))
    : storedOfMember(dialect, table, member[1], ["true", ...same].join(" AND "));
}

function insertion(kind: RecordKind, select: (dialect: Dialect) => string): Statement<never> {
  const content = kind === "siteSpace" ? "'space/' || content" : "content";
  return statement(
    (dialect) => `
      INSERT INTO staged_differing
        SELECT organization, ${RECORD_KINDS.indexOf(kind)}, member, team, ${content}, site,
            CAST(was AS text), CAST(becomes AS text)
          FROM (${select(dialect)}) d`,
  );
}

function named(keys: ComparedRecords["keys"], side: 0 | 1): string {
  return KEYS.map((key) => `${keys[key]?.[side] ?? "NULL"} AS ${key}`).join(", ");
}

/** Stages the stored records that are changed or removed. */
function notKept(compared: ComparedRecords): Statement<never> {
  const { kind, keys, says, staged, joined, of, only } = compared;
  const [was, becomes] = says;
  const same = Object.values(keys).map(([ofStored, ofStaged]) => `${ofStaged} = ${ofStored}`);
  // The condition on the organization belongs to the table that has it.
  const [here, there] = of.startsWith("r.") ? [` AND ${of} = o.id`, ""] : ["", ` AND ${of} = o.id`];
  return insertion(
    kind,
    (dialect) => `
      SELECT o.id AS organization, ${named(keys, 0)}, ${was} AS was,
          CASE WHEN ${of} IS NULL THEN NULL ELSE ${becomes} END AS becomes
        FROM staged_organization o CROSS JOIN ${storedFrom(dialect, compared)}
          LEFT JOIN ${staged} r ON ${same.join(" AND ")}${here}
          ${joined === undefined ? "" : `LEFT JOIN ${joined}${there}`}
        WHERE ${isStored("s")} AND ${only?.[0] ?? "true"} AND (${of} IS NULL OR ${becomes} <> ${was})`,
  );
}

/** SQL: whether the differences of organization `o` are staged. Those of new organizations are if `$1` is 1. */
const STAGES = "(o.current IS NOT NULL OR CAST($1 AS bigint) = 1)";

/** Stages the records that are added. */
function notStored(compared: ComparedRecords): Statement<never> {
  const { kind, keys, says, staged, joined, of, only } = compared;
  return insertion(
    kind,
    (dialect) => `
      SELECT o.id AS organization, ${named(keys, 1)}, NULL AS was, ${says[1]} AS becomes
        FROM ${staged} r ${joined === undefined ? "" : `JOIN ${joined}`} JOIN staged_organization o ON o.id = ${of}
        WHERE ${STAGES} AND ${only?.[1] ?? "true"}
          AND NOT EXISTS (SELECT 1 FROM ${storedAlike(dialect, compared)})`,
  );
}

const STATEMENTS = COMPARED.map((each) => ({
  kind: each.kind,
  notKept: notKept(each),
  added: notStored(each),
}));

const TITLES = insertion(
  "organization",
  () => `
    SELECT o.id AS organization, NULL AS member, NULL AS team, NULL AS content, NULL AS site,
        s.title AS was, o.title AS becomes
      FROM staged_organization o LEFT JOIN revision s ON s.revision = o.current
      WHERE ${STAGES} AND (s.title IS NULL OR s.title <> o.title)`,
);

type NotKeptRow = [organization: string, kind: number, changed: number, removed: number];

const NOT_KEPT = statement<NotKeptRow>(
  () => `
    SELECT organization, kind, sum(CASE WHEN becomes IS NOT NULL THEN 1 ELSE 0 END),
        sum(CASE WHEN becomes IS NULL THEN 1 ELSE 0 END)
      FROM staged_differing GROUP BY organization, kind`,
);

/** The differing records in the order in which they are listed: of each kind, those of members first, then by key. */
export const NUMBERED = `
  SELECT organization, kind,
      row_number() OVER (
        ORDER BY kind, CASE WHEN member IS NULL THEN 1 ELSE 0 END, organization, member, team, content, site) AS number,
      member, team, content, site, was, becomes
    FROM staged_differing`;

/**
 * Compares the staged records with the stored ones. Stages those that differ, of new organizations only if `alsoNew`,
 * and returns one entry per organization of the import, by id. Call it once, before anything is published.
 */
export async function differences(staging: Staging, alsoNew: boolean): Promise<OrganizationChange[]> {
  const { text } = staging.dialect;
  await staging.create(
    "staged_differing",
    `organization ${text}, kind smallint, member ${text}, team ${text}, content ${text}, site ${text}, was ${text},
     becomes ${text}`,
  );
  const rows = await staging.read(ORGANIZATIONS);
  // If all organizations are new, nothing is stored, and millions of look-ups are not necessary.
  const known = rows.some(([, , current]) => current !== null);
  for (const { notKept } of known ? STATEMENTS : []) await staging.write(notKept);
  const notKept = await staging.read(NOT_KEPT);
  const staged = await staging.read(STAGED);
  const organizations = rows.map(([organization, title, current, countsBefore, titleBefore]) => {
    const counts = countsOf(staged.filter(([id]) => id === organization));
    const now = recordCounts(counts);
    const before = countsBefore === null ? undefined : recordCounts(parseCounts(countsBefore));
    const kinds = ofEachKind((kind): ChangeCounts => {
      if (before === undefined) return { added: now[kind], changed: 0, removed: 0 };
      if (kind === "organization") return { added: 0, changed: Number(titleBefore !== title), removed: 0 };
      const found = notKept.find(([id, number]) => id === organization && RECORD_KINDS[number] === kind);
      const [, , changed = 0, removed = 0] = found ?? [];
      return { added: now[kind] - (before[kind] - removed), changed, removed };
    });
    return { organization, title, current: current ?? undefined, counts, kinds };
  });
  const compared = organizations.filter((each) => alsoNew || isKnown(each));
  if (compared.length > 0) await staging.write(TITLES, Number(alsoNew));
  for (const { kind, added } of STATEMENTS) {
    if (compared.some(({ kinds }) => kinds[kind].added > 0)) await staging.write(added, Number(alsoNew));
  }
  await staging.createAs("staged_difference", NUMBERED, "organization, kind, number");
  return organizations;
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
  return RECORD_KINDS.reduce((sum, kind) => sum + recordCounts(counts)[kind], 0);
}

/** The number of records of each kind. A user counts once in each organization with a membership. */
function recordCounts(counts: Counts): Record<RecordKind, number> {
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

/** A record that differs, with titles and display names. */
export interface RecordDifference extends RecordChange {
  readonly organization: string;
  /** The member's document. */
  readonly user: string | undefined;
  readonly teamTitle: string | undefined;
  readonly contentTitle: string | undefined;
  readonly siteTitle: string | undefined;
}

type DifferenceRow = [
  organization: string,
  number: number,
  user: string | null,
  teamTitle: string | null,
  contentTitle: string | null,
  siteTitle: string | null,
  ...record: RecordRow,
];

const PAGE = 1000;
const IN_TURN = statement<DifferenceRow>(
  (dialect) => `
  SELECT d.organization, d.number,
      coalesce(u.doc, (SELECT s.doc FROM ${storedOfMember(dialect, "member", "d.member")})), coalesce(t.title, tb.title), coalesce(c.title, cb.title), coalesce(w.title, wb.title),
      ${recordColumns("d")}
    FROM staged_difference d JOIN staged_organization o ON o.id = d.organization
      LEFT JOIN staged_user u ON u.id = d.member
      LEFT JOIN staged_team t ON t.id = d.team LEFT JOIN ${dialect.stored("team")} tb ON ${isStored("tb")} AND tb.id = d.team
      LEFT JOIN staged_content c ON c.id = d.content
      LEFT JOIN ${dialect.stored("content")} cb ON ${isStored("cb")} AND cb.id = d.content
      LEFT JOIN staged_site w ON w.id = d.site LEFT JOIN ${dialect.stored("site")} wb ON ${isStored("wb")} AND wb.id = d.site
    WHERE (d.organization, d.kind, d.number) > ($1, $2, $3) ORDER BY d.organization, d.kind, d.number LIMIT ${PAGE}`,
);

/** All records that differ, by organization and kind, in pages. */
export async function* differing(staging: Staging): AsyncGenerator<RecordDifference[]> {
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

function differenceOf([
  organization,
  ,
  user,
  teamTitle,
  contentTitle,
  siteTitle,
  ...record
]: DifferenceRow): RecordDifference {
  return {
    organization,
    ...recordOfRow(record),
    user: user ?? undefined,
    teamTitle: teamTitle ?? undefined,
    contentTitle: contentTitle ?? undefined,
    siteTitle: siteTitle ?? undefined,
  };
}

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

/** The records that differ, of one organization. Call it after the differences are staged. */
export async function recordsOf(
  staging: Staging,
  { organization }: OrganizationChange,
): Promise<RecordChange[]> {
  return (await staging.read(DIFFERENCES, organization)).map(recordOfRow);
}
