/**
 * Adds valid records to those that are staged, in the form in which records are compared, stored, sent and exported (docs/snapshot.md):
 * the fields in the order of their declaration, instants in UTC, no defaults, and no escapes that JSON does not need.
 */
import { type JsonObject, isObject } from "../domain/json.ts";
import { normaliseDate } from "../domain/date.ts";
import { type Document, SPACE_DEFAULTS, spaceDocument, userDocument } from "../domain/document.ts";
import { siteDocument } from "../domain/record-change.ts";
import { encodeMemberRole } from "../store/schema/encoding.ts";
import type { Staged } from "../store/writing/file/staged.ts";
import { contentOf, DATE_FORMAT, RECORDS, type RecordOf, type SnapshotRecord } from "./records.ts";
import { isObjectSchema } from "./validate.ts";
import type { TObject, TSchema } from "typebox";

function storedUser(record: RecordOf<"user">): Document {
  return userDocument(inForm(record));
}

function storedTeam(record: RecordOf<"team">): string {
  const { organization: _, ...fields } = inForm(record);
  return JSON.stringify(fields);
}

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
      return addSite(staged, record, line);
    case "siteSpace":
      return staged.addSiteSpace(record.site, record.space, line);
    case "permission": {
      const { site, user, team = "" } = record;
      const granted = encodeMemberRole(record.permission);
      if (site !== undefined) {
        if (user === undefined) staged.addTeamPermissionOnSite(site, team, granted, line);
        else staged.addUserPermissionOnSite(site, user, granted, line);
      } else if (user === undefined) staged.addTeamPermission(contentOf(record), team, granted, line);
      else staged.addUserPermission(contentOf(record), user, granted, line);
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

function addSite(staged: Staged, record: RecordOf<"site">, line: number): void {
  const { id, organization, defaultLevel = "inherit" } = record;
  staged.addSite(id, { organization, defaultLevel, document: textOf(record), line });
}

/** What a record says besides its names, as the log has it. */
export function textOf(record: SnapshotRecord): string {
  switch (record.object) {
    case "organization":
      return record.title;
    case "site":
      return siteDocument(record);
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
      return String(encodeMemberRole(record.permission));
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
