import type { RecordKey } from "../store/writing/lines/hash.ts";
import type { RecordOf, SnapshotRecord } from "./records.ts";

/** The key of a record in its organization, as the log has it. */
export function recordKey(record: SnapshotRecord): RecordKey {
  switch (record.object) {
    case "organization":
      return { kind: record.object };
    case "user":
      return { kind: record.object, member: record.id };
    case "member":
      return { kind: record.object, member: record.user };
    case "team":
      return { kind: record.object, team: record.id };
    case "teamMember":
      return { kind: record.object, team: record.team, member: record.user };
    case "collection":
    case "space":
      return { kind: record.object, content: `${record.object}/${record.id}` };
    case "site":
      return { kind: record.object, site: record.id };
    case "siteSpace":
      return { kind: record.object, site: record.site, content: `space/${record.space}` };
    case "permission":
      return { kind: record.object, content: contentOf(record), member: record.user, team: record.team };
  }
}

function contentOf({ space, collection }: RecordOf<"permission">): string {
  return space === undefined ? `collection/${collection}` : `space/${space}`;
}
