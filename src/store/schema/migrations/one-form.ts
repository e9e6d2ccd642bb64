import type { Dialect } from "../../engine/engine.ts";

interface Field {
  readonly name: string;
  /** The JSON text of the default value, which the form leaves out. */
  readonly unless?: string;
  /** The fields of an object. */
  readonly fields?: readonly Field[];
}

const named = (...names: string[]): Field[] => names.map((name) => ({ name }));

const USER = named("object", "id", "displayName", "email", "photoURL", "urls");
const TEAM = named("object", "id", "title", "createdAt");
const LEVEL = { name: "defaultLevel", unless: '"inherit"' };
const COLLECTION = [...named("object", "id", "organization", "title", "parent"), LEVEL];

/** The defaults of a space, in the order of their bits from 1. */
const DEFAULTS = {
  emoji: { name: "emoji", unless: '""' },
  visibility: { name: "visibility", unless: '"private"' },
  revision: { name: "revision", unless: '""' },
  comments: { name: "comments", unless: "0" },
  changeRequests: { name: "changeRequests", unless: "0" },
  changeRequestsOpen: { name: "changeRequestsOpen", unless: "0" },
  changeRequestsDraft: { name: "changeRequestsDraft", unless: "0" },
  defaultLevel: LEVEL,
};
const SPACE = [
  ...named("object", "id", "organization", "title"),
  DEFAULTS.emoji,
  DEFAULTS.visibility,
  ...named("createdAt", "updatedAt", "deletedAt", "editMode", "parent"),
  {
    name: "gitSync",
    fields: named("repoName", "installationProvider", "integration", "url", "updatedAt"),
  },
  ...named("visitorAuth"),
  DEFAULTS.revision,
  DEFAULTS.defaultLevel,
  DEFAULTS.comments,
  DEFAULTS.changeRequests,
  DEFAULTS.changeRequestsOpen,
  DEFAULTS.changeRequestsDraft,
  { name: "urls", fields: named("location", "app", "published", "public", "icon") },
];

/** The documents in the log, by the place of their kind in `KINDS`. */
const LOGGED: readonly (readonly [kind: number, fields: readonly Field[]])[] = [
  [1, USER],
  [3, TEAM],
  [5, COLLECTION],
  [6, SPACE],
];

/**
 * Brings stored documents to the form in which later imports stage them: the fields in the order of their declaration,
 * without defaults. Their dates are in UTC already. Drops logged changes of which nothing is left.
 */
export const ONE_FORM = (dialect: Dialect) => {
  const bits = Object.values(DEFAULTS).map(
    ({ name, unless }, place) =>
      `CASE WHEN ${dialect.field("doc", name)} = '${unless}' THEN ${1 << place} ELSE 0 END`,
  );
  return `
    UPDATE member SET doc = ${form("doc", USER)} WHERE doc <> '' AND doc <> ${form("doc", USER)};
    UPDATE team SET doc = ${form("doc", TEAM)} WHERE doc <> ${form("doc", TEAM)};
    UPDATE content SET doc = ${form("doc", COLLECTION)} WHERE doc <> ${form("doc", COLLECTION)};
    UPDATE space SET doc = ${form("doc", SPACE)}, omitted = omitted | ${bits.join(" | ")}
      WHERE doc <> ${form("doc", SPACE)};
    ${LOGGED.map(([kind, fields]) => logged(kind, fields)).join("")}`;

  function logged(kind: number, fields: readonly Field[]): string {
    const [was, becomes] = [form("was", fields), form("becomes", fields)];
    // After a person was forgotten, both sides were equal before: such a change stays.
    return `
    DELETE FROM record_change WHERE kind = ${kind} AND was <> becomes AND ${was} = ${becomes};
    UPDATE record_change SET was = ${was} WHERE kind = ${kind} AND was <> ${was};
    UPDATE record_change SET becomes = ${becomes} WHERE kind = ${kind} AND becomes <> ${becomes};`;
  }

  /** SQL: a JSON object with these fields only, in this order. */
  function form(json: string, fields: readonly Field[]): string {
    return `'{' || substr(${fields.map((each) => part(json, each)).join(" || ")}, 2) || '}'`;
  }

  /** SQL: a comma and the field, or nothing. */
  function part(json: string, { name, unless, fields }: Field): string {
    const value = dialect.field(json, name);
    const said = unless === undefined ? value : `nullif(${value}, '${unless}')`;
    if (fields === undefined) return `coalesce(',"${name}":' || ${said}, '')`;
    return `CASE WHEN ${value} IS NULL THEN '' ELSE ',"${name}":' || ${form(value, fields)} END`;
  }
};
