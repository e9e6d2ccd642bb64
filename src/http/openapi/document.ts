import { OPERATIONS } from "../../operations/operations.ts";
import { envelope, SCHEMAS } from "../../operations/schemas.ts";
import { explorerPaths } from "./explorer.ts";
import { HEADERS } from "./headers.ts";
import { jsonSchema } from "./json-schema.ts";
import { listingObject, pageName, parameterComponents } from "./listings.ts";
import { operationalPaths } from "./operational.ts";
import { refusalComponents } from "./refusals.ts";
import type { OpenapiDocument } from "./shape.ts";

const DESCRIPTION = `Who may do what on spaces, collections and sites, and which teams a member belongs to: read-only lists in JSON.

Send a token with every request, \`Authorization: Bearer rb_…\`. An organization token lists everything in its organization; a member token lists what that member may list. \`rolebook token create\` makes one.

A list comes in pages. While there is a \`next\`, send its \`page\` back as the parameter \`page\`; the last page has none. A walk sees one snapshot of the organization, even if a new one is imported meanwhile.

Every listing has an \`ETag\`. Send it back as \`If-None-Match\` to get a 304 without a body while nothing has changed.

An error is \`{"error": {"code": 404, "message": "…"}}\`, the code being the HTTP status. HEAD is answered like GET, without the body.`;

const TAGS = [
  { name: "Spaces", description: "Who has which role on a space." },
  { name: "Collections", description: "Who has which role on a collection." },
  { name: "Members", description: "What one member of the organization reaches, and their teams." },
  { name: "Sites", description: "Who has a role on the spaces of a site." },
  {
    name: "Explorer",
    description:
      "What the explorer's page asks, under the same authorization. It changes with the page; build on the others.",
  },
  { name: "Service", description: "The server itself. These paths ask for no token." },
];

/** The OpenAPI document of this program, for clients that reach it at `publicUrl`. */
export function openapi(version: string, publicUrl: string): OpenapiDocument {
  const pages = [...new Set(OPERATIONS.map(({ entry }) => entry))].map((entry) => [
    pageName(entry),
    jsonSchema(envelope(entry)),
  ]);
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchema(schema)]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Rolebook",
      version,
      summary: "Who can see and change what, in which role.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl, description: "This server." }],
    security: [{ token: [] }],
    tags: TAGS,
    paths: {
      ...Object.fromEntries(
        OPERATIONS.map((operation) => [operation.path, { get: listingObject(operation) }]),
      ),
      ...explorerPaths(),
      ...operationalPaths(),
    },
    components: {
      schemas: Object.fromEntries([...schemas, ...pages]),
      parameters: parameterComponents(),
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
