import examples from "./examples.json" with { type: "json" };
import { WHEN_ACCEPTS } from "../../domain/date.ts";
import { type Listing, type Operation, parametersOf, type Thing } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import { THINGS } from "../../operations/things.ts";
import { PATH_PARAMETERS, QUERY_PARAMETERS, queryParametersOf } from "../../operations/parameters.ts";
import { SCHEMAS, envelope } from "../../operations/schemas.ts";
import { EXPORT } from "../export.ts";
import { AT } from "../revision.ts";
import {
  HEADERS,
  LIMIT_HEADERS,
  LISTING_HEADERS,
  type OpenapiDocument,
  type OperationObject,
  type ParameterObject,
  type SchemaReference,
  headers,
  jsonSchema,
  refusalComponents,
  refusals,
} from "./components.ts";
import { type ExplorerItem, explorerPaths } from "./explorer.ts";

const DESCRIPTION = `Who may do what on spaces, collections and sites, and which teams a member belongs to: read-only lists in JSON.

Send a token with every request, \`Authorization: Bearer rb_…\`. An organization token lists everything in its organization; a member token lists what that member may list. \`rolebook token create\` makes one.

A list has pages. While there is a \`next\`, send its \`page\` back as the parameter \`page\`; the last page has no \`next\`. A walk sees one revision of the organization, even if a new one is imported meanwhile.

To read the past, put \`/at/WHEN\` before \`/v1\`; WHEN is the number of a revision, a day, or a date and time. A page identifier is valid under one spelling of WHEN only.

Every listing has an \`ETag\`. Send it back as \`If-None-Match\` to get a 304 without a body while nothing has changed.

An error is \`{"error": {"code": 404, "message": "…"}}\`, where \`code\` is the HTTP status. HEAD is answered like GET, without the body.

These paths need no token: \`/healthz\` (the server is alive), \`/readyz\` (it can answer requests) and \`/metrics\`.`;

/** The API as OpenAPI, for clients that reach it at `publicUrl`. */
export function openapi(version: string, publicUrl: string): OpenapiDocument {
  const pages = [...new Set(OPERATIONS.map(({ entry }) => entry))].map((entry) => [
    pageName(entry),
    jsonSchema(envelope(entry)),
  ]);
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchema(schema)]);
  return {
    info: {
      title: "Rolebook",
      version,
      summary: "Who can see and change what, in which role.",
      description: DESCRIPTION,
      license: LICENSE,
    },
    tags: Object.values(TAGS),
    paths: {
      ...Object.fromEntries(
        OPERATIONS.map((operation) => [operation.path, { get: listingObject(operation) }]),
      ),
      ...Object.fromEntries(THINGS.map((thing) => [thing.path, { get: thingObject(thing) }])),
      [EXPORT]: { get: exportObject() },
    },
    ...common(
      [serverAt(publicUrl), pastAt(publicUrl)],
      Object.fromEntries([...schemas, ...pages]),
      parameterComponents(),
    ),
  };
}

/** The explorer's requests as OpenAPI. They are not part of the API. */
export function explorerOpenapi(version: string, publicUrl: string): OpenapiDocument<ExplorerItem> {
  const shared = Object.entries(parameterComponents()).filter(([name]) => SHARED.includes(name));
  return {
    info: {
      title: "Rolebook's explorer",
      version,
      summary: "The requests of the explorer's page.",
      description:
        "They have the authorization of `/v1` and may change with the page, so programs should use `/v1`.",
      license: LICENSE,
    },
    tags: [{ name: "Explorer", description: "The requests of the explorer's page." }],
    paths: explorerPaths(),
    ...common([serverAt(publicUrl)], { Error: jsonSchema(SCHEMAS.Error) }, Object.fromEntries(shared)),
  };
}

const SHARED = ["page", "limit", "ifNoneMatch"];

const LICENSE = { name: "MIT", identifier: "MIT" };

function serverAt(url: string) {
  return { url, description: "This server." };
}

/** The listings of past revisions are a second server: only their base URL differs. */
function pastAt(publicUrl: string) {
  return {
    url: publicUrl + AT,
    description: "The same listings at a past revision.",
    variables: {
      when: {
        default: "2026-03-01",
        description: `A past revision: ${WHEN_ACCEPTS}. A day means its end in UTC; today means now.`,
      },
    },
  };
}

function common(
  servers: OpenapiDocument["servers"],
  schemas: OpenapiDocument["components"]["schemas"],
  parameters: OpenapiDocument["components"]["parameters"],
) {
  return {
    openapi: "3.1.0",
    servers,
    security: [{ token: [] }],
    components: {
      schemas,
      parameters,
      headers: HEADERS,
      responses: refusalComponents(),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "An opaque text that starts with `rb_`, made by `rolebook token create`.",
        },
      },
    },
  };
}

const TAGS = {
  space: { name: "Spaces", description: "Who has which role on a space." },
  collection: { name: "Collections", description: "Who has which role on a collection." },
  member: { name: "Members", description: "The spaces and the teams of one member of the organization." },
  site: { name: "Sites", description: "Who has a role on the spaces of a site." },
  organization: {
    name: "Organizations",
    description:
      "What an organization has. These requests are Rolebook's own; what they answer has GitBook's fields as far as a snapshot file has them.",
  },
} as const;

function listingObject(operation: Listing): OperationObject {
  const answer = "A page of the list. On the last one there is no `next`.";
  return operationObject(operation, queryParametersOf(operation), answer, pageName(operation.entry));
}

function thingObject(thing: Thing): OperationObject {
  return operationObject(thing, [], "The thing.", thing.answer);
}

function operationObject(
  operation: Operation,
  query: readonly string[],
  answer: string,
  schema: string,
): OperationObject {
  const { id, summary, description, path } = operation;
  const names = [...parametersOf(path), ...query, "ifNoneMatch"];
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description,
    parameters: names.map((name): SchemaReference => ({ $ref: `#/components/parameters/${name}` })),
    responses: {
      200: {
        description: answer,
        headers: headers([...LISTING_HEADERS, ...LIMIT_HEADERS]),
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${schema}` },
            ...exampleOf(id),
          },
        },
      },
      304: {
        description: "The answer that `If-None-Match` names is still current.",
        headers: headers([...LISTING_HEADERS, ...LIMIT_HEADERS]),
      },
      ...refusals(),
    },
  };
}

function exportObject(): OperationObject {
  return {
    operationId: "exportOrganization",
    tags: [TAGS.organization.name],
    summary: "Export the organization",
    description:
      "The organization's snapshot file, as `rolebook export` prints it, for organization tokens alone. Its last line is the `end` record; if that is missing, the answer was cut.",
    parameters: [],
    responses: {
      200: {
        description: "The snapshot file, one JSON object per line.",
        headers: headers(["X-Rolebook-Revision", "Last-Modified", "Cache-Control", "Vary", ...LIMIT_HEADERS]),
        content: { "application/x-ndjson": { schema: { type: "string" } } },
      },
      ...refusals(),
    },
  };
}

function pageName(entry: Listing["entry"]): string {
  return `${entry}Page`;
}

function parameterComponents(): Record<string, ParameterObject> {
  const path = Object.entries(PATH_PARAMETERS).map(([name, { schema, ...rest }]): ParameterObject => ({
    name,
    in: "path",
    required: true,
    ...rest,
    schema: jsonSchema(schema),
  }));
  const query = Object.entries(QUERY_PARAMETERS).map(([key, { name = key, schema, ...rest }]) => [
    key,
    { name, in: "query", required: false, ...rest, schema: jsonSchema(schema) } satisfies ParameterObject,
  ]);
  const condition: ParameterObject = {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of a page that you have. If the page is still current, the answer is a 304 without a body.",
    schema: { type: "string" },
  };
  return {
    ...Object.fromEntries(path.map((parameter) => [parameter.name, parameter])),
    ...Object.fromEntries(query),
    ifNoneMatch: condition,
  };
}

function tagOf({ subject, further }: Operation): string {
  if (further === true || subject.of === "team" || subject.of === "caller") return TAGS.organization.name;
  return TAGS[subject.of === "content" ? subject.kind : subject.of].name;
}

function exampleOf(id: string): { example?: unknown } {
  const found = Object.entries(examples).find(([name]) => name === id);
  return found === undefined ? {} : { example: found[1] };
}
