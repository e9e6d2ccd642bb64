/**
 * Stages valid records, in the form in which records are compared, stored, sent and exported (docs/snapshot.md):
 * the fields in the order of their declaration, instants in UTC, no defaults, and no escapes that JSON does not need.
 */
import { type JsonObject, isObject } from "../domain/json.ts";
import { contentKey } from "../domain/content.ts";
import { normaliseDate } from "../domain/date.ts";
import { type Document, SPACE_DEFAULTS, spaceDocument, userDocument } from "../domain/document.ts";
import { rank } from "../domain/role.ts";
import { fold } from "../domain/text.ts";
import { contentTitleKey, titleKeyOf } from "../domain/title-key.ts";
import { encodeMemberRole } from "../store/schema/encoding.ts";
import { type SearchGroup, entriesOf } from "../store/schema/search-terms.ts";
import { type ContentRecord, contentRecord } from "../store/schema/record-change.ts";
import type { Staged } from "../store/rows/file/staged.ts";
import type { StagedWriter } from "../store/writing/generation/staged.ts";
import { DATE_FORMAT, RECORDS, type RecordOf, type SnapshotRecord } from "./records.ts";
import { isObjectSchema } from "./validate.ts";
import type { TObject, TSchema } from "typebox";

/** Stages a valid record. Returns a promise only if the caller must wait for the database. */
export function stage(writer: StagedWriter, record: SnapshotRecord, line: number): Promise<void> | undefined {
  const full = stageRecord(writer, record, line);
  return full === undefined ? stageWords(writer, record) : full.then(() => stageWords(writer, record));
}

function stageRecord(writer: StagedWriter, record: SnapshotRecord, line: number): Promise<void> | undefined {
  switch (record.object) {
    case "organization":
      return writer.add("staged_organization", [record.id, record.title, line, null, null, null]);
    case "user": {
      const { text, omitted } = storedUser(record);
      return writer.add("staged_unsorted_user", [
        record.id,
        text,
        omitted,
        JSON.stringify(wordsOf(record)),
        line,
      ]);
    }
    case "member":
      return writer.add("staged_member", [
        record.organization,
        record.user,
        encodeMemberRole(record.role),
        line,
      ]);
    case "team": {
      const { id, organization, title } = record;
      return writer.add("staged_team", [id, organization, title, fold(title), storedTeam(record), line]);
    }
    case "teamMember":
      return writer.add("staged_team_member", [record.team, record.user, record.role, line]);
    case "collection":
    case "space":
      return stageContent(writer, record, line);
    case "site":
      return writer.add("staged_site", [
        record.id,
        record.organization,
        record.title,
        titleKeyOf(record.title, record.id),
        line,
      ]);
    case "siteSpace":
      return writer.add("staged_site_space", [record.site, record.space, line]);
    case "permission":
      return stagePermission(writer, record, line);
  }
}

function stageContent(
  writer: StagedWriter,
  record: RecordOf<"space"> | RecordOf<"collection">,
  line: number,
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
    line,
  ]);
}

function stagePermission(
  writer: StagedWriter,
  { space, collection, user, team, permission }: RecordOf<"permission">,
  line: number,
): Promise<void> | undefined {
  const content =
    space === undefined ? contentKey("collection", collection ?? "") : contentKey("space", space);
  return user === undefined
    ? writer.add("staged_team_permission", [content, team ?? "", rank(permission), line])
    : writer.add("staged_user_permission", [content, user, rank(permission), line]);
}

/**
 * The words by which a user is found. They are staged for every user: whether the user is a member is not known yet.
 */
function wordsOf({ displayName, email }: RecordOf<"user">): string[] {
  return entriesOf("member", email === undefined ? [displayName] : [displayName, email]);
}

/** Stages the words by which a record is found. Returns a promise only if the caller must wait for the database. */
function stageWords(writer: StagedWriter, record: SnapshotRecord): Promise<void> | undefined {
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
  group: SearchGroup,
  thing: string,
): Promise<void> | undefined {
  let full: Promise<void> | undefined;
  for (const entry of entriesOf(group, [title])) {
    full = writer.add("staged_word", [organization, entry, thing]) ?? full;
  }
  return full;
}

function storedUser(record: RecordOf<"user">): Document {
  return userDocument(inForm(record));
}

function storedTeam(record: RecordOf<"team">): string {
  const { organization: _, ...fields } = inForm(record);
  return JSON.stringify(fields);
}

function storedContent(record: RecordOf<"space"> | RecordOf<"collection">): ContentRecord {
  const fields = inForm(record);
  const document =
    record.object === "space" ? spaceDocument(fields) : { text: JSON.stringify(fields), omitted: 0 };
  const said = { ...record, createdAt: String(fields.createdAt) };
  return contentRecord(contentKey(record.object, record.id), document, said);
}

/** Adds a valid record to those that are staged in memory. */
export function addRecord(staged: Staged, record: SnapshotRecord, line: number): void {
  switch (record.object) {
    case "organization":
      return staged.addOrganization(record.id, record.title, line);
    case "user":
      return staged.addUser(record.id, storedUser(record), line);
    case "member":
      return staged.addMember(record.organization, record.user, encodeMemberRole(record.role), line);
    case "team":
      return staged.addTeam(record.id, record.organization, storedTeam(record), line);
    case "teamMember":
      return staged.addTeamMember(record.team, record.user, record.role === "owner", line);
    case "collection":
    case "space":
      return addContent(staged, record, line);
    case "site":
      return staged.addSite(record.id, record.organization, record.title, line);
    case "siteSpace":
      return staged.addSiteSpace(record.site, record.space, line);
    case "permission": {
      const { space, collection = "", user, team = "" } = record;
      const content = space === undefined ? contentKey("collection", collection) : contentKey("space", space);
      const granted = rank(record.permission);
      if (user === undefined) staged.addTeamPermission(content, team, granted, line);
      else staged.addUserPermission(content, user, granted, line);
    }
  }
}

function addContent(staged: Staged, record: RecordOf<"space"> | RecordOf<"collection">, line: number): void {
  const { object, id, organization, parent, defaultLevel = "inherit" } = record;
  const fields = inForm(record);
  const isSpace = object === "space";
  staged.addContent(object, id, {
    organization,
    parent,
    defaultLevel,
    created: isSpace ? Date.parse(String(fields.createdAt)) : 0,
    document: isSpace ? spaceDocument(fields) : { text: JSON.stringify(fields), omitted: 0 },
    line,
  });
}

/** What a record says besides its names, as the log has it. */
export function textOf(record: SnapshotRecord): string {
  switch (record.object) {
    case "organization":
    case "site":
      return record.title;
    case "user":
    case "collection":
    case "space":
      return JSON.stringify(inForm(record));
    case "member":
      return String(encodeMemberRole(record.role));
    case "team":
      return storedTeam(record);
    case "teamMember":
      return record.role;
    case "siteSpace":
      return "";
    case "permission":
      return String(rank(record.permission));
  }
}

interface RecordField {
  readonly name: string;
  /** Brings a value to the form. Returns `undefined` for a value that is left out. */
  readonly form: (value: unknown) => unknown;
}

type Defaults = ReadonlyMap<string, unknown>;

const INHERITS: Defaults = new Map([["defaultLevel", "inherit"]]);
const OF_SPACES: Defaults = new Map(SPACE_DEFAULTS.map(([name, , value]) => [name, value]));

/** The records that are stored as documents. */
const FIELDS = {
  user: fieldsOf(RECORDS.user),
  team: fieldsOf(RECORDS.team),
  collection: fieldsOf(RECORDS.collection, INHERITS),
  space: fieldsOf(RECORDS.space, OF_SPACES),
};

/** The fields of a valid record. The JSON text of two records is equal if and only if they say the same. */
function inForm(record: RecordOf<keyof typeof FIELDS>): JsonObject {
  return formed(FIELDS[record.object], record);
}

function formed(fields: readonly RecordField[], given: JsonObject): JsonObject {
  const all: Record<string, unknown> = {};
  for (const { name, form } of fields) {
    const value = given[name];
    const said = value === undefined ? undefined : form(value);
    if (said !== undefined) all[name] = said;
  }
  return all;
}

function fieldsOf({ properties }: TObject, defaults: Defaults = new Map()): RecordField[] {
  return Object.entries(properties).map(([name, schema]) => {
    const form = valueForm(schema);
    if (name === "urls") return { name, form: (value) => unlessEmpty(form(value)) };
    if (!defaults.has(name)) return { name, form };
    return { name, form: (value) => (value === defaults.get(name) ? undefined : value) };
  });
}

function valueForm(schema: TSchema): RecordField["form"] {
  if (isObjectSchema(schema)) {
    const fields = fieldsOf(schema);
    return (value) => (isObject(value) ? formed(fields, value) : value);
  }
  if ("format" in schema && schema.format === DATE_FORMAT) return (value) => normaliseDate(String(value));
  return (value) => value;
}

/** An empty `urls` says nothing, because each of its fields has a default. */
function unlessEmpty(urls: unknown): unknown {
  return isObject(urls) && Object.keys(urls).length === 0 ? undefined : urls;
}
