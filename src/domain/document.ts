/**
 * Users, spaces and collections as JSON text, rendered once at import, because listings send thousands of them. What is
 * sent is UTF-8 with one character for each byte: texts in memory are bytes, which need no decoding then.
 *
 * Fields that a record omits, or gives with their default value, are neither stored nor exported; their defaults are
 * added when the document is sent (docs/snapshot.md). So a document is the text of the other fields, and one bit for
 * each omitted field. `urls` is last in the text, because its defaults depend on the public URL.
 */
import type { JsonObject } from "./json.ts";
import { abilities, ROLES, type Role } from "./role.ts";

export interface Document {
  readonly text: string;
  readonly omitted: number;
}

/**
 * The bits of `urls`, `urls.location` and `urls.app`: set if the field is omitted. Bits are stored, so a bit never
 * changes its meaning.
 */
const URLS = 1 << 8;
const LOCATION = 1 << 9;
const APP = 1 << 10;

/**
 * The fields of a space that are always sent, each with its bit and its default value. The next free bit is 1 << 11.
 */
export const SPACE_DEFAULTS = [
  ["emoji", 1 << 0, ""],
  ["visibility", 1 << 1, "private"],
  ["revision", 1 << 2, ""],
  ["comments", 1 << 3, 0],
  ["changeRequests", 1 << 4, 0],
  ["changeRequestsOpen", 1 << 5, 0],
  ["changeRequestsDraft", 1 << 6, 0],
  ["defaultLevel", 1 << 7, "inherit"],
] as const;

const DEFAULTED = SPACE_DEFAULTS.reduce((bits, [, bit]) => bits | bit, 0);

/** `fields` are the fields of a user record to send, `object` included, without defaults; `urls` is last. */
export function userDocument(fields: JsonObject): Document {
  return documentOf(fields, [], [["location", LOCATION]]);
}

/** As {@link userDocument}. */
export function spaceDocument(fields: JsonObject): Document {
  return documentOf(fields, SPACE_DEFAULTS, [
    ["location", LOCATION],
    ["app", APP],
  ]);
}

function documentOf(
  fields: JsonObject,
  filled: readonly (readonly [name: string, bit: number, ...rest: unknown[]])[],
  filledUrls: readonly (readonly [string, number])[],
): Document {
  const { urls } = fields;
  let omitted = urls === undefined ? URLS : 0;
  for (const [name, bit] of filled) if (fields[name] === undefined) omitted |= bit;
  const given = typeof urls === "object" && urls !== null ? urls : {};
  for (const [name, bit] of filledUrls) if (!(name in given)) omitted |= bit;
  return { text: JSON.stringify(fields), omitted };
}

/** A text in UTF-8, with one character for each byte. */
export function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text).toString("latin1");
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

/** The JSON text of a user (interface, "user"), in bytes as that of the document. */
export function sendUser(id: string, { text, omitted }: Document, publicUrl: string): string {
  if ((omitted & LOCATION) === 0) return text;
  const location = `"location":"${inJson(publicUrl)}/v1/users/${inPath(id)}"`;
  return omitted & URLS ? `${text.slice(0, -1)},"urls":{${location}}}` : `${text.slice(0, -2)},${location}}}`;
}

/**
 * The JSON text of a space (interface, "space"), in bytes as that of the document, in two parts. {@link abilitiesText} comes between them, because it
 * depends on the member.
 */
export function sendSpace(
  id: string,
  { text, omitted }: Document,
  publicUrl: string,
): readonly [begin: string, end: string] {
  // The id of a space contains no character that JSON or a path escapes (docs/snapshot.md).
  const base = inJson(publicUrl);
  const location = omitted & LOCATION ? `"location":"${base}/v1/spaces/${id}"` : "";
  const app = omitted & APP ? `"app":"${base}/s/${id}"` : "";
  const urls = location !== "" && app !== "" ? `${location},${app}` : location + app;
  if (omitted & URLS) return [text.slice(0, -1) + defaults(omitted), `,"urls":{${urls}}}`];
  if (urls === "") return [text.slice(0, -1) + defaults(omitted), "}"];
  return [`${text.slice(0, -2)},${urls}}${defaults(omitted)}`, "}"];
}

/** The JSON text of a collection, in bytes as `text`: its record, which omits a default level of `inherit`. */
export function sendCollection(id: string, text: string, inherits: boolean, publicUrl: string): string {
  const level = inherits ? ',"defaultLevel":"inherit"' : "";
  return `${text.slice(0, -1)}${level},${locationText(`collections/${id}`, publicUrl)}}`;
}

/** The field with the address of something in the API; `path` is that below `/v1`, without characters that JSON escapes. */
export function locationText(path: string, publicUrl: string): string {
  return `"urls":{"location":"${inJson(publicUrl)}/v1/${path}"}`;
}

/** The field of a space that says what somebody with a role, or with none, may do there. Begins with a comma. */
export function abilitiesText(role: Role | null): string {
  return role === null ? NO_PERMISSIONS : PERMISSIONS[role];
}

/**
 * An id as a path segment. The pattern is tested first because most ids need no encoding, and a page has up to 1,000.
 */
function inPath(id: string): string {
  return /^[\w-]+$/.test(id) ? id : encodeURIComponent(id);
}

let escaped = { text: "", json: "" };

/** JSON without its quotation marks, in bytes. The last text is cached because it is almost always the public URL. */
function inJson(text: string): string {
  if (escaped.text !== text) escaped = { text, json: bytesOf(JSON.stringify(text).slice(1, -1)) };
  return escaped.json;
}

const filledIn = new Map<number, string>();

function defaults(omitted: number): string {
  const mask = omitted & DEFAULTED;
  let text = filledIn.get(mask);
  if (text === undefined) {
    text = SPACE_DEFAULTS.map(([name, bit, value]) =>
      mask & bit ? `,"${name}":${JSON.stringify(value)}` : "",
    ).join("");
    filledIn.set(mask, text);
  }
  return text;
}

const PERMISSIONS = permissionTexts();
const NO_PERMISSIONS = PERMISSIONS.read.replace('"access":true', '"access":false');

function permissionTexts(): Readonly<Record<Role, string>> {
  const text = (role: Role) => `,"permissions":${JSON.stringify(abilities(role))}`;
  const [read, comment, edit, review, create, admin] = ROLES;
  return {
    [read]: text(read),
    [comment]: text(comment),
    [edit]: text(edit),
    [review]: text(review),
    [create]: text(create),
    [admin]: text(admin),
  };
}
