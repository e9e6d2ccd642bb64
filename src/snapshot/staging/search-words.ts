import { contentKey } from "../../domain/content.ts";
import type { StagedWriter } from "../../store/writing/generation/staged.ts";
import { entriesOf, type Group } from "../../store/schema/search-terms.ts";
import type { RecordOf, SnapshotRecord } from "../records.ts";

/**
 * The words by which a user is found. They are staged for every user: whether the user is a member is not known yet.
 */
export function wordsOf({ displayName, email }: RecordOf<"user">): string[] {
  return entriesOf("member", email === undefined ? [displayName] : [displayName, email]);
}

/** Stages the words by which a record is found. Returns a promise only if the caller must wait for the database. */
export function stageWords(writer: StagedWriter, record: SnapshotRecord): Promise<void> | undefined {
  switch (record.object) {
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
