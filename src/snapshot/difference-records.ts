import { idOf } from "../domain/content.ts";
import { decodeContent, decodeMemberRole } from "../store/schema/encoding.ts";
import type { Difference } from "../store/writing/generation/difference/differing.ts";

/** A record as a snapshot file has it. */
export type DifferingRecord = Readonly<Record<string, unknown>>;

export interface BeforeAndAfter {
  /** Absent if the record was added. */
  readonly before?: DifferingRecord;
  /** Absent if the record was removed. */
  readonly after?: DifferingRecord;
}

export function beforeAndAfter(difference: Difference): BeforeAndAfter {
  const { was, becomes } = difference;
  return {
    ...(was === undefined ? {} : { before: recordOf(difference, was) }),
    ...(becomes === undefined ? {} : { after: recordOf(difference, becomes) }),
  };
}

type RecordNames = Pick<Difference, "kind" | "organization" | "member" | "team" | "content" | "site">;

/** `says` has the fields that are not part of the record's key, as the log stores them. */
export function recordOf(
  { kind, organization, member, team, content, site }: RecordNames,
  says: string,
): DifferingRecord {
  switch (kind) {
    case "organization":
      return { object: kind, id: organization, title: says };
    case "user":
    case "collection":
    case "space":
      return documentOf(says);
    case "member":
      return { object: kind, organization, user: member, role: decodeMemberRole(Number(says)) };
    case "team":
      return { object: kind, id: team, organization, ...documentOf(says) };
    case "teamMember":
      return { object: kind, team, user: member, role: says };
    case "site":
      return { object: kind, id: site, organization, title: says };
    case "siteSpace":
      return { object: kind, site, space: idIn(content) };
    case "permission":
      return {
        object: kind,
        ...(content?.startsWith("space/") ? { space: idIn(content) } : { collection: idIn(content) }),
        ...(member === undefined ? { team } : { user: member }),
        permission: decodeMemberRole(Number(says)),
      };
  }
}

function idIn(content: string | undefined): string {
  return idOf(decodeContent(content ?? ""));
}

function documentOf(text: string): DifferingRecord {
  const record: DifferingRecord = JSON.parse(text);
  return record;
}

/** The changed fields of a record with their old and new values. Of an added or removed record, only its role. */
export function changedFields({ before, after }: BeforeAndAfter): string[] {
  if (before === undefined || after === undefined) {
    const record = { ...before, ...after };
    return ["role", "permission"].flatMap((field) =>
      field in record ? `${field} ${said(record[field])}` : [],
    );
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [old, now] = [said(before[field]), said(after[field])];
    return old === now ? [] : [`${field} ${old} → ${now}`];
  });
}

function said(value: unknown): string {
  return value === undefined
    ? "(none)"
    : typeof value === "string" && value !== ""
      ? value
      : JSON.stringify(value);
}
