/** Records as they are stored: documents, ranks and sort keys. */
import { contentKey } from "../../domain/content.ts";
import { type Document, spaceDocument, userDocument } from "../../domain/document.ts";
import type { ContentRecord, TeamRecord } from "../../store/writing/change/record-change.ts";
import { encodeDefaultLevel } from "../../store/schema/encoding.ts";
import { sortKeyOf } from "../../store/schema/sort-key.ts";
import type { RecordOf } from "../records.ts";
import { inForm } from "./form.ts";

export function storedUser(record: RecordOf<"user">): Document {
  return userDocument(inForm(record));
}

export function storedTeam(record: RecordOf<"team">): TeamRecord {
  const { organization: _, ...fields } = inForm(record);
  return { title: record.title, doc: JSON.stringify(fields) };
}

export function storedContent(record: RecordOf<"space"> | RecordOf<"collection">): ContentRecord {
  const { title, parent, defaultLevel = "inherit" } = record;
  const place = {
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    title,
    level: encodeDefaultLevel(defaultLevel),
  };
  const fields = inForm(record);
  if (record.object === "collection") {
    return { ...place, key: undefined, doc: JSON.stringify(fields), omitted: 0, look: "" };
  }
  const { text, omitted } = spaceDocument(fields);
  return {
    ...place,
    key: sortKeyOf(String(fields.createdAt), record.id),
    doc: text,
    omitted,
    look: lookOf(record),
  };
}

/** What the explorer shows of a space beside its title. */
function lookOf({ visibility = "private", emoji = "" }: RecordOf<"space">): string {
  return emoji === "" ? visibility : `${visibility} ${emoji}`;
}
