import type { Edit } from "./edit.ts";
import { DEEPEST, deepest } from "../files/nesting.ts";
import { optional, pick } from "./pick.ts";
import type { CollectionRecord, SnapshotRecord, SpaceRecord } from "../records.ts";

/** Changes one record; returns the records unchanged if there is none of the kind. */
export function changed(records: readonly SnapshotRecord[], edit: Edit): SnapshotRecord[] {
  const target = pick(
    records.filter(({ object }) => object === edit.kind),
    edit.at,
  );
  if (target === undefined) return [...records];
  const result = records.map((record) => (isSame(record, target) ? change(record, edit, records) : record));
  // A change of parent that would make a cycle, or too deep a chain, is left out.
  return deepest(result) > DEEPEST ? [...records] : result;
}

/** A user may occur several times in an import, but all occurrences must be identical. */
function isSame(record: SnapshotRecord, target: SnapshotRecord): boolean {
  return (
    record === target || (record.object === "user" && target.object === "user" && record.id === target.id)
  );
}

/** Never changes an id or a creation date, because walks depend on these. */
function change(record: SnapshotRecord, edit: Edit, records: readonly SnapshotRecord[]): SnapshotRecord {
  switch (record.object) {
    case "member":
      return { ...record, role: edit.guest ? null : edit.role };
    case "user":
      return { ...record, displayName: edit.title };
    case "teamMember":
      return { ...record, role: edit.owner ? "owner" : "member" };
    case "permission":
      return { ...record, permission: edit.role };
    case "collection":
      return moved(record, edit, records);
    case "space":
      return { ...moved(record, edit, records), updatedAt: edit.date };
    case "organization":
    case "team":
    case "site":
      return { ...record, title: edit.title };
    case "siteSpace":
      return record;
  }
}

function moved<Content extends CollectionRecord | SpaceRecord>(
  content: Content,
  edit: Edit,
  records: readonly SnapshotRecord[],
): Content {
  const parents = records.filter(
    (record): record is CollectionRecord =>
      record.object === "collection" && record.organization === content.organization && record !== content,
  );
  const above = edit.other === undefined ? undefined : pick(parents, edit.other);
  const result = {
    ...content,
    title: edit.title,
    ...optional("parent", above?.id),
    ...optional("defaultLevel", edit.defaultLevel),
  };
  if (above === undefined) delete result.parent;
  if (edit.defaultLevel === undefined) delete result.defaultLevel;
  return result;
}
