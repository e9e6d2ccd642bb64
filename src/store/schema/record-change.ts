/** Records as rows of the database have them. */
import { RECORD_KINDS, type RecordChange, type RecordKind } from "../../domain/record-change.ts";
import { decodeContent } from "./encoding.ts";

/** SQL: the columns of a {@link RecordRow}, from the log or the staged differences. */
export function recordColumns(alias: string): string {
  const columns = ["kind", "member", "team", "content", "site", "was", "becomes"];
  return columns.map((column) => `${alias}.${column}`).join(", ");
}

export type RecordRow = [
  kind: number,
  member: string | null,
  team: string | null,
  content: string | null,
  site: string | null,
  was: string | null,
  becomes: string | null,
];

export function recordOfRow([kind, member, team, content, site, was, becomes]: RecordRow): RecordChange {
  const name = RECORD_KINDS[kind];
  if (name === undefined) throw new TypeError(`The database holds the kind of record ${kind}.`);
  return {
    kind: name,
    member: member ?? undefined,
    team: team ?? undefined,
    content: content === null ? undefined : decodeContent(content),
    site: site ?? undefined,
    was: was ?? undefined,
    becomes: becomes ?? undefined,
  };
}

export function rowOfRecord({ kind, member, team, content, site, was, becomes }: RecordChange): RecordRow {
  return [
    RECORD_KINDS.indexOf(kind),
    member ?? null,
    team ?? null,
    content ?? null,
    site ?? null,
    was ?? null,
    becomes ?? null,
  ];
}

/** How many records of a kind an import or a change adds, changes and removes. */
export interface ChangeCounts {
  added: number;
  changed: number;
  removed: number;
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
