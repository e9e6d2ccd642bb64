/** The JSON Schema of the rules file, for editors. A test compares it with the parser. */
import { ID } from "../domain/id.ts";
import type { Json } from "../domain/json.ts";
import { ROLES } from "../domain/role.ts";
import { LONGEST, RULE_ROLES } from "./rule.ts";

type Schema = { readonly [name: string]: Json };

const id: Schema = { type: "string", pattern: ID.source };
const user: Schema = { type: "string", minLength: 1, maxLength: 510 };
const line: Schema = {
  type: "string",
  maxLength: LONGEST,
  pattern: "^(?! *$)[^\\u0000-\\u001f\\u007f-\\u009f]+$",
};

function some(schema: Schema): Schema {
  return { anyOf: [schema, { type: "array", minItems: 1, items: schema }] };
}

function field(name: string, schema: Schema, description: string): Schema {
  return {
    type: "object",
    description,
    required: [name],
    additionalProperties: false,
    properties: { [name]: schema },
  };
}

const WHO: Schema = { $ref: "#/$defs/who" };
const WHAT: Schema = { $ref: "#/$defs/what" };

const who: Schema = {
  anyOf: [
    { enum: ["everybody", "guests"] },
    { type: "array", minItems: 1, items: WHO, description: "any of these" },
    field("team", some(id), "the members of a team"),
    field("user", some(user), "a member, by id"),
    field("role", some({ enum: ROLES }), "the members with this role in the organization"),
    field("everybody but", WHO, "all members but these, guests included"),
    field("all of", { type: "array", minItems: 1, items: WHO }, "members to whom all of these apply"),
  ],
};

const what: Schema = {
  anyOf: [
    { enum: ["everything", "sites"] },
    { type: "array", minItems: 1, items: WHAT, description: "all of these" },
    field("space", some(id), "a space"),
    field("collection", some(id), "a collection, without its contents"),
    field("below", some(id), "a collection and everything in it"),
    field("site", some(id), "the spaces of a site"),
    field("everything but", WHAT, "all spaces and collections but these"),
  ],
};

const how: Schema = {
  anyOf: [
    { enum: ["none", "only", "all"] },
    field(
      "at least",
      { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      "at least this many",
    ),
    field("at most", { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "at most this many"),
  ],
};

const exception: Schema = {
  type: "object",
  required: ["until", "reason"],
  anyOf: [{ required: ["who"] }, { required: ["what"] }],
  additionalProperties: false,
  properties: {
    who: { ...WHO, description: "the excepted members; by default everybody" },
    what: { ...WHAT, description: "the excepted contents; by default all contents of the rule" },
    until: {
      type: "string",
      format: "date",
      pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
      description: "the last day on which the exception applies, in UTC",
    },
    reason: { ...line, description: "why the exception exists" },
  },
};

/** `guest` is a role in the organization only. */
const ROLE: Schema = { enum: RULE_ROLES };
const ON_ORGANIZATION: Schema = { properties: { what: { const: "organization" } } };

const rule: Schema = {
  type: "object",
  required: ["rule", "what", "how"],
  additionalProperties: false,
  properties: {
    rule: { ...line, description: "the rule in your own words, shown with each breach" },
    who: { ...WHO, description: "the members concerned; by default everybody" },
    what: {
      anyOf: [{ const: "organization", description: "roles in the organization itself" }, WHAT],
      description: "the contents concerned",
    },
    how: {
      ...how,
      description:
        "none of these members has such a role, only these have, all of these have, or how many of these have on each content",
    },
    role: { ...ROLE, description: "exactly this role" },
    from: { ...ROLE, description: "this role or more" },
    to: { ...ROLE, description: "this role or less" },
    permissions: { enum: ["direct"], description: "only direct permissions on the content itself" },
    except: {
      type: "array",
      minItems: 1,
      items: exception,
      description: "temporary exceptions to the rule",
    },
  },
  not: { anyOf: [{ required: ["role", "from"] }, { required: ["role", "to"] }] },
  allOf: [
    {
      if: ON_ORGANIZATION,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        not: { required: ["permissions"] },
        properties: { except: { items: { not: { required: ["what"] } } } },
      },
      else: {
        properties: { role: { enum: ROLES }, from: { enum: ROLES }, to: { enum: ROLES } },
      },
    },
    {
      if: { properties: { how: { type: "object", required: ["at least"] } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { except: { items: { not: { required: ["who"] } } } } },
    },
  ],
};

/** The schema cannot express that `from` is not above `to`, or that no rule occurs twice. */
export function rulesSchema(): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Rolebook rules",
    description: "Who may have which role on what; rolebook check lists breaches.",
    type: "object",
    required: ["rules"],
    additionalProperties: false,
    properties: { rules: { type: "array", minItems: 1, items: rule } },
    $defs: { who, what },
  };
}
