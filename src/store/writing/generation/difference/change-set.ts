/** Converts the staged differences of one organization to a change, for imports that change few records. */
import type { ContentKey } from "../../../../domain/content.ts";
import { roleOf } from "../../../../domain/role.ts";
import type {
  ChangeSet,
  ChangeSource,
  ContentRecord,
  MemberRecord,
  RecordChange,
} from "../../change/record-change.ts";
import { decodeContent, decodeMemberRole } from "../../../schema/encoding.ts";
import { type Staging, type Statement, statement } from "../../../engine/engine.ts";
import { type CountedKind, KINDS, type OrganizationChange } from "./difference.ts";
import { isStored, storedOfMember } from "../stored.ts";

/** The number of records of an organization that an import adds, changes and removes. */
export function sizeOf({ kinds }: OrganizationChange): number {
  return KINDS.reduce((sum, kind) => {
    const { added, changed, removed } = kinds[kind];
    return sum + added + changed + removed;
  }, 0);
}

type DifferenceRow = [
  kind: number,
  member: string | null,
  team: string | null,
  content: string | null,
  site: string | null,
  was: string | null,
  becomes: string | null,
];

const DIFFERENCES = statement<DifferenceRow>(
  () => `
    SELECT d.kind, d.member, d.team, d.content, d.site, d.was, d.becomes FROM staged_difference d
      WHERE d.organization = $1`,
);

function kindsIn(...kinds: CountedKind[]): string {
  return kinds.map((kind) => KINDS.indexOf(kind)).join(", ");
}

/**
 * SQL: the members or contents (`d`) that differ in organization `$1`, joined with all staged organizations (`o`). The
 * caller adds the condition `o.id = $1`.
 */
function differing(column: "member" | "content", ...kinds: CountedKind[]): string {
  return `(SELECT DISTINCT ${column} FROM staged_difference WHERE organization = $1 AND kind IN (${kindsIn(...kinds)})) d
    CROSS JOIN staged_organization o`;
}

type MemberRow = [member: string, role: number, doc: string, omitted: number];

const STORED_MEMBERS = statement<MemberRow>(
  (dialect) => `
    SELECT d.member, s.role, s.doc, s.omitted FROM ${differing("member", "user", "member")}
      CROSS JOIN ${storedOfMember(dialect, "member", "d.member", "o.id = $1")}`,
);
const STAGED_MEMBERS = statement<MemberRow>(
  () => `
    SELECT d.member, r.role, u.doc, u.omitted
      FROM ${differing("member", "user", "member")} CROSS JOIN staged_member r CROSS JOIN staged_user u
      WHERE o.id = $1 AND r.member = d.member AND r.organization = o.id AND u.id = d.member`,
);

type ContentRow = [
  content: string,
  parent: string | null,
  title: string,
  level: number,
  key: string | null,
  doc: string,
  omitted: number,
  look: string,
];

const STORED_CONTENTS = statement<ContentRow>(
  ({ stored }) => `
    SELECT d.content, s.parent, s.title, s.level, p.key, coalesce(p.doc, s.doc), coalesce(p.omitted, 0), s.look
      FROM ${differing("content", "space", "collection")} CROSS JOIN ${stored("content")} s
        LEFT JOIN ${stored("space")} p ON ${isStored("p")} AND p.position = s.position
      WHERE o.id = $1 AND ${isStored("s")} AND s.id = d.content`,
);
const STAGED_CONTENTS = statement<ContentRow>(
  () => `
    SELECT d.content, r.parent, r.title, r.default_level, r.position, r.doc, r.omitted, r.look
      FROM ${differing("content", "space", "collection")} CROSS JOIN staged_content r
      WHERE o.id = $1 AND r.id = d.content AND r.organization = o.id`,
);

/** The change that an import makes to an existing organization. Call it after the differences are staged. */
export async function changeSetOf(
  staging: Staging,
  { organization, title }: OrganizationChange,
  base: number,
  source: ChangeSource,
): Promise<ChangeSet> {
  const members = await versions(staging, organization, STORED_MEMBERS, STAGED_MEMBERS, memberOf);
  const contents = await versions(staging, organization, STORED_CONTENTS, STAGED_CONTENTS, contentOf);
  const rows = await staging.read(DIFFERENCES, organization);
  return {
    organization,
    base,
    title,
    source,
    records: [
      ...[...members].map(([member, both]) => ({ kind: "member", member, ...both }) as const),
      ...[...contents].map(
        ([content, both]) => ({ kind: "content", content: decodeContent(content), ...both }) as const,
      ),
      ...rows.flatMap(recordOf),
    ],
  };
}

interface Both<Stored> {
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

async function versions<Row extends MemberRow | ContentRow, Stored>(
  staging: Staging,
  organization: string,
  stored: Statement<Row>,
  staged: Statement<Row>,
  read: (row: Row) => Stored,
): Promise<Map<string, Both<Stored>>> {
  const before = new Map((await staging.read(stored, organization)).map((row) => [row[0], read(row)]));
  const after = new Map((await staging.read(staged, organization)).map((row) => [row[0], read(row)]));
  const keys = new Set([...before.keys(), ...after.keys()]);
  return new Map([...keys].map((key) => [key, { before: before.get(key), after: after.get(key) }]));
}

function memberOf([, role, doc, omitted]: MemberRow): MemberRecord {
  return { role: decodeMemberRole(role), doc, omitted };
}

function contentOf([, parent, title, level, key, doc, omitted, look]: ContentRow): ContentRecord {
  return {
    parent: parent === null ? undefined : decodeContent(parent),
    title,
    level,
    key: key ?? undefined,
    doc,
    omitted,
    look,
  };
}

/** The change of a record whose only other field is a text; empty for other kinds of records. */
function recordOf([kind, member, team, content, site, was, becomes]: DifferenceRow): RecordChange[] {
  const [before, after] = [was ?? undefined, becomes ?? undefined];
  switch (KINDS[kind]) {
    case "team":
      return [{ kind: "team", team: team ?? "", before: teamOf(before), after: teamOf(after) }];
    case "teamMember":
      return [{ kind: "teamMember", team: team ?? "", member: member ?? "", before, after }];
    case "site":
      return [{ kind: "site", site: site ?? "", before, after }];
    case "siteSpace": {
      const space = (content ?? "").slice("space/".length);
      return [{ kind: "siteSpace", site: site ?? "", space, before: there(before), after: there(after) }];
    }
    case "permission": {
      const on: ContentKey = decodeContent(content ?? "");
      const both = { content: on, before: rankOf(before), after: rankOf(after) };
      return team === null
        ? [{ kind: "userGrant", member: member ?? "", ...both }]
        : [{ kind: "teamGrant", team, ...both }];
    }
    default:
      return [];
  }
}

function teamOf(doc: string | undefined) {
  if (doc === undefined) return undefined;
  const { title }: { title: string } = JSON.parse(doc);
  return { title, doc };
}

function there(text: string | undefined): true | undefined {
  return text === undefined ? undefined : true;
}

function rankOf(text: string | undefined) {
  return text === undefined ? undefined : roleOf(Number(text));
}
