import { contentKey } from "../domain/content.ts";
import { spaceDocument, userDocument } from "../domain/document.ts";
import { rank } from "../domain/role.ts";
import { fold } from "../domain/title.ts";
import { encodeDefaultLevel, encodeMemberRole } from "../store/codes.ts";
import type { StagedWriter } from "../store/import/staged.ts";
import { positionOf } from "../store/position.ts";
import { stageWords, wordsOf } from "./search-words.ts";
import { shelfOf } from "../store/words.ts";
import { normaliseDate } from "../domain/date.ts";
import type { RecordOf, SnapshotRecord } from "./records.ts";

/** Stages a valid record; a promise only when it is time to wait for the database. */
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
      const { text, omitted } = userDocument(record);
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
      const { organization, ...fields } = { ...record, createdAt: utc(record.createdAt) };
      const doc = JSON.stringify(fields);
      return writer.add("staged_team", [
        record.id,
        organization,
        record.title,
        fold(record.title),
        doc,
        place,
      ]);
    }
    case "teamMember":
      return writer.add("staged_team_member", [record.team, record.user, record.role, place]);
    case "collection":
      return stageContent(
        writer,
        "collection",
        record,
        null,
        { text: JSON.stringify(record), omitted: 0 },
        place,
      );
    case "space": {
      const sent = { ...record, ...utcDates(record) };
      return stageContent(
        writer,
        "space",
        record,
        positionOf(sent.createdAt, record.id),
        spaceDocument(sent),
        place,
      );
    }
    case "site":
      return writer.add("staged_site", [
        record.id,
        record.organization,
        record.title,
        shelfOf(record.title, record.id),
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
  kind: "space" | "collection",
  record: RecordOf<"space"> | RecordOf<"collection">,
  position: string | null,
  document: { text: string; omitted: number },
  place: number,
): Promise<void> | undefined {
  return writer.add("staged_content", [
    contentKey(kind, record.id),
    record.organization,
    record.parent === undefined ? null : contentKey("collection", record.parent),
    record.title,
    encodeDefaultLevel(record.defaultLevel === undefined ? "inherit" : record.defaultLevel),
    position,
    document.text,
    document.omitted,
    // Collections come before spaces.
    `${kind === "collection" ? 0 : 1}${shelfOf(record.title, record.id)}`,
    record.object === "space" ? lookOf(record) : "",
    place,
  ]);
}

/** What the explorer shows of a space beside its title: visibility, and the emoji if it has one. */
function lookOf({ visibility = "private", emoji = "" }: RecordOf<"space">): string {
  return emoji === "" ? visibility : `${visibility} ${emoji}`;
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

/** The dates of a space as they are sent. */
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

/** A date that was found valid. */
function utc(date: string): string {
  return normaliseDate(date) ?? date;
}
