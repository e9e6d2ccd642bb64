import { contentKey } from "../domain/content.ts";
import type { StagedWriter } from "../store/import/staged.ts";
import { entriesOf, type Group } from "../store/words.ts";
import type { SnapshotRecord } from "./records.ts";

/** Stages what a record is found by; a promise only when it is time to wait for the database. */
export function stageWords(writer: StagedWriter, record: SnapshotRecord): Promise<void> | undefined {
  switch (record.object) {
    case "user": {
      const texts = record.email === undefined ? [record.displayName] : [record.displayName, record.email];
      let full: Promise<void> | undefined;
      for (const entry of entriesOf("member", texts)) {
        full = writer.add("staged_user_word", [record.id, entry]) ?? full;
      }
      return full;
    }
    case "team":
      return stageTitle(writer, record, "team", `team/${record.id}`);
    case "site":
      return stageTitle(writer, record, "site", `site/${record.id}`);
    case "collection":
    case "space":
      return stageTitle(writer, record, "content", contentKey(record.object, record.id));
    default:
      return undefined;
  }
}

function stageTitle(
  writer: StagedWriter,
  { organization, title }: { readonly organization: string; readonly title: string },
  group: Group,
  thing: string,
): Promise<void> | undefined {
  let full: Promise<void> | undefined;
  for (const entry of entriesOf(group, [title])) {
    full = writer.add("staged_word", [organization, entry, thing]) ?? full;
  }
  return full;
}
