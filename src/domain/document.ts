/**
 * Documents: users and spaces as JSON text, made once when they are imported and sent by the thousand.
 *
 * What a record left out is filled in when it is sent, neither stored nor exported (contract, section 8), so a
 * document is the text of what was given, with a bit for each field that is to be filled in. `urls`, whose
 * defaults depend on the public URL, always comes last in the text.
 */
import { abilities, ROLES, type Role } from "./role.ts";

export interface Document {
  /** A JSON object. */
  readonly text: string;
  readonly omitted: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of a space that are always sent, with the JSON text of what stands for an absent one. */
const SPACE_DEFAULTS = [
  ["emoji", '""'],
  ["visibility", '"private"'],
  ["revision", '""'],
  ["comments", "0"],
  ["changeRequests", "0"],
  ["changeRequestsOpen", "0"],
  ["changeRequestsDraft", "0"],
  ["defaultLevel", '"inherit"'],
] as const;

const URLS = 1 << 8;
const LOCATION = 1 << 9;
const APP = 1 << 10;

/** The document of a user record: `fields` as they are to be sent, `object` included. */
export function userDocument(fields: Fields): Document {
  return documentOf(fields, [], [["location", LOCATION]]);
}

/** The document of a space record. */
export function spaceDocument(fields: Fields): Document {
  return documentOf(
    fields,
    SPACE_DEFAULTS.map(([name]) => name),
    [
      ["location", LOCATION],
      ["app", APP],
    ],
  );
}

function documentOf(
  { urls, ...fields }: Fields,
  filled: readonly string[],
  filledUrls: readonly (readonly [string, number])[],
): Document {
  let omitted = 0;
  for (const [bit, name] of filled.entries()) if (fields[name] === undefined) omitted |= 1 << bit;
  const given = typeof urls === "object" && urls !== null ? new Map(Object.entries(urls)) : new Map();
  for (const [name, bit] of filledUrls) if (!given.has(name)) omitted |= bit;
  if (given.size === 0) return { text: JSON.stringify(fields), omitted: omitted | URLS };
  return { text: JSON.stringify({ ...fields, urls: Object.fromEntries(given) }), omitted };
}

/** A user as sent: interface, "user". */
export function sendUser(id: string, { text, omitted }: Document, publicUrl: string): string {
  if ((omitted & LOCATION) === 0) return text;
  return withUrls(text, omitted, "", `"location":"${inJson(publicUrl)}/v1/users/${inPath(id)}"`);
}

/** A space as sent to, or about, a member whose effective role there is `role`: interface, "space". */
export function sendSpace(id: string, { text, omitted }: Document, role: Role, publicUrl: string): string {
  // The id of a space holds nothing that JSON or a path escapes (contract, section 8).
  const base = inJson(publicUrl);
  const location = omitted & LOCATION ? `"location":"${base}/v1/spaces/${id}"` : "";
  const app = omitted & APP ? `"app":"${base}/s/${id}"` : "";
  const urls = location !== "" && app !== "" ? `${location},${app}` : location + app;
  return withUrls(text, omitted, `${defaults(omitted)}${PERMISSIONS[role]}`, urls);
}

/** Puts `fields` and `urls` (JSON members; `fields` each with a leading comma) into a document's text. */
function withUrls(text: string, omitted: number, fields: string, urls: string): string {
  if (omitted & URLS) return `${text.slice(0, -1)}${fields},"urls":{${urls}}}`;
  if (urls === "") return `${text.slice(0, -1)}${fields}}`;
  return `${text.slice(0, -2)},${urls}}${fields}}`;
}

/** An id as a segment of a path. Most need no encoding, and a page has a thousand. Nothing in it needs JSON's escapes. */
function inPath(id: string): string {
  return /^[\w-]+$/.test(id) ? id : encodeURIComponent(id);
}

let escaped = { text: "", json: "" };

/** A text without its quotation marks as JSON writes it. It is the public URL, hardly ever another one. */
function inJson(text: string): string {
  if (escaped.text !== text) escaped = { text, json: JSON.stringify(text).slice(1, -1) };
  return escaped.json;
}

const filledIn = new Map<number, string>();

function defaults(omitted: number): string {
  const mask = omitted & (URLS - 1);
  let text = filledIn.get(mask);
  if (text === undefined) {
    text = SPACE_DEFAULTS.map(([name, json], bit) => (mask & (1 << bit) ? `,"${name}":${json}` : "")).join(
      "",
    );
    filledIn.set(mask, text);
  }
  return text;
}

const PERMISSIONS = permissionTexts();

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
