import { contentKey } from "../../domain/content.ts";
import { rank } from "../../domain/role.ts";
import { fold } from "../../domain/text.ts";
import { encodeMemberRole } from "../../store/schema/encoding.ts";
import type { StagedWriter } from "../../store/writing/generation/staged.ts";
import { stageWords, wordsOf } from "./search-words.ts";
import { contentTitleKey, titleKeyOf } from "../../store/schema/title-order.ts";
import type { RecordOf, SnapshotRecord } from "../records.ts";
import { storedContent, storedTeam, storedUser } from "./stored.ts";

/** Stages a valid record. Returns a promise only if the caller must wait for the database. */
export function stage(
  writer: StagedWriter,
  record: SnapshotRecord,
  place: number,
): Promise<void> | undefined {
  const full = stageRecord(writer, record, place);
  return full === undefined ? stageWords(writer, record) : full.then(() => stageWords(writer, record));
}

function stageRecord(writer: StagedWriter, record: SnapshotRecord, place: number): Promise<void> | undefined {
  switch (record.object) {
    case "organization":
      return writer.add("staged_organization", [record.id, record.title, place, null, null, null]);
    case "user": {
      const { text, omitted } = storedUser(record);
      return writer.add("staged_user", [record.id, text, omitted, JSON.stringify(wordsOf(record)), place]);
    }
    case "member":
      return writer.add("staged_member", [
        record.organization,
        record.user,
        encodeMemberRole(record.role),
        place,
      ]);
    case "team": {
      const { title, doc } = storedTeam(record);
      return writer.add("staged_team", [record.id, record.organization, title, fold(title), doc, place]);
    }
    case "teamMember":
      return writer.add("staged_team_member", [record.team, record.user, record.role, place]);
    case "collection":
    case "space":
      return stageContent(writer, record, place);
    case "site":
      return writer.add("staged_site", [
        record.id,
        record.organization,
        record.title,
        titleKeyOf(record.title, record.id),
        place,
      ]);
    case "siteSpace":
      return writer.add("staged_site_space", [record.site, record.space, place]);
    case "permission":
      return stagePermission(writer, record, place);
  }
}

function stageContent(
  writer: StagedWriter,
  record: RecordOf<"space"> | RecordOf<"collection">,
  place: number,
): Promise<void> | undefined {
  const { parent, title, level, key, doc, omitted, look } = storedContent(record);
  const content = contentKey(record.object, record.id);
  return writer.add("staged_content", [
    content,
    record.organization,
    parent ?? null,
    title,
    level,
    key ?? null,
    doc,
    omitted,
    contentTitleKey(content, title),
    look,
    place,
  ]);
}

function stagePermission(
  writer: StagedWriter,
  { space, collection, user, team, permission }: RecordOf<"permission">,
  place: number,
): Promise<void> | undefined {
  const content =
    space === undefined ? contentKey("collection", collection ?? "") : contentKey("space", space);
  return user === undefined
    ? writer.add("staged_team_permission", [content, team ?? "", rank(permission), place])
    : writer.add("staged_user_permission", [content, user, rank(permission), place]);
}
