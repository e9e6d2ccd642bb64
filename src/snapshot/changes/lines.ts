/** Writes changed records as a change file (contract, section 11). */
import { idOf } from "../../domain/content.ts";
import type { ChangedRecord } from "../../store/revisions/diff/log.ts";
import { type DifferingRecord, fileRecord } from "../export.ts";

/**
 * The lines of a change file, without its end record. With `undone`, it undoes the changes. With `base`, it can be
 * applied only to that revision.
 */
export function* changeLines(
  organization: string,
  records: Iterable<ChangedRecord>,
  undone: boolean,
  base?: number,
): Generator<string> {
  yield JSON.stringify({ object: "changes", organization, ...(base === undefined ? {} : { base }) });
  for (const record of records) {
    const becomes = undone ? record.was : record.becomes;
    if (becomes !== undefined) yield JSON.stringify(fileRecord({ ...record, organization }, becomes));
    // A user record is removed together with its member.
    else if (record.kind !== "user") {
      yield JSON.stringify({ ...namesOf(organization, record), removed: true });
    }
  }
}

/** The fields of a record's key. */
function namesOf(organization: string, record: ChangedRecord): DifferingRecord {
  const { kind, member, team, content, site } = record;
  switch (kind) {
    case "member":
      return { object: kind, organization, user: member };
    case "team":
      return { object: kind, id: team };
    case "teamMember":
      return { object: kind, team, user: member };
    case "collection":
    case "space":
      return { object: kind, id: content === undefined ? "" : idOf(content) };
    case "site":
      return { object: kind, id: site };
    case "siteSpace":
      return { object: kind, site, space: content === undefined ? "" : idOf(content) };
    case "permission":
      return {
        object: kind,
        ...(content?.startsWith("space/")
          ? { space: idOf(content) }
          : { collection: idOf(content ?? "space/") }),
        ...(member === undefined ? { team } : { user: member }),
      };
    case "organization":
    case "user":
      throw new TypeError(`A ${kind} cannot be removed.`);
  }
}
