/** Records as they are stored: documents, ranks and sort keys. */
import { contentKey } from "../../domain/content.ts";
import { normaliseDate } from "../../domain/text/date.ts";
import { type Document, spaceDocument, userDocument } from "../../domain/document.ts";
import type { ContentRecord, TeamRecord } from "../../store/writing/change/record-change.ts";
import { encodeDefaultLevel } from "../../store/schema/encoding.ts";
import { sortKeyOf } from "../../store/schema/sort-key.ts";
import type { RecordOf } from "../records.ts";

export function storedUser(record: RecordOf<"user">): Document {
  return userDocument(record);
}

export function storedTeam(record: RecordOf<"team">): TeamRecord {
  const { organization: _, ...fields } = { ...record, createdAt: utc(record.createdAt) };
  return { title: record.title, doc: JSON.stringify(fields) };
}

export function storedContent(record: RecordOf<"space"> | RecordOf<"collection">): ContentRecord {
  const { title, parent, defaultLevel = "inherit" } = record;
  const place = {
    parent: parent === undefined ? undefined : contentKey("collection", parent),
    title,
    level: encodeDefaultLevel(defaultLevel),
  };
  if (record.object === "collection") {
    return { ...place, key: undefined, doc: JSON.stringify(record), omitted: 0, look: "" };
  }
  const sent = { ...record, ...utcDates(record) };
  const { text, omitted } = spaceDocument(sent);
  return {
    ...place,
    key: sortKeyOf(sent.createdAt, record.id),
    doc: text,
    omitted,
    look: lookOf(record),
  };
}

/** What the explorer shows of a space beside its title. */
function lookOf({ visibility = "private", emoji = "" }: RecordOf<"space">): string {
  return emoji === "" ? visibility : `${visibility} ${emoji}`;
}

function utcDates(space: RecordOf<"space">) {
  return {
    createdAt: utc(space.createdAt),
    updatedAt: utc(space.updatedAt),
    ...(space.deletedAt === undefined ? {} : { deletedAt: utc(space.deletedAt) }),
    ...(space.gitSync?.updatedAt === undefined
      ? {}
      : { gitSync: { ...space.gitSync, updatedAt: utc(space.gitSync.updatedAt) } }),
  };
}

/** Normalizes a date, which must be valid. */
function utc(date: string): string {
  return normaliseDate(date) ?? date;
}
