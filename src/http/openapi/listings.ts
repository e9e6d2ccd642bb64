import { type Operation, parametersOf } from "../../operations/operation.ts";
import { PATH_PARAMETERS, QUERY_PARAMETERS, queryParametersOf } from "../../operations/parameters.ts";
import examples from "./examples.json" with { type: "json" };
import { headers, LIMIT_HEADERS, LISTING_HEADERS } from "./headers.ts";
import { jsonSchema } from "./json-schema.ts";
import { LISTING_REFUSALS, refusals } from "./refusals.ts";
import type { OperationObject, ParameterObject, Reference } from "./shape.ts";

export const TAGS = {
  space: { name: "Spaces", description: "Who has which role on a space." },
  collection: { name: "Collections", description: "Who has which role on a collection." },
  member: { name: "Members", description: "The spaces and the teams of one member of the organization." },
  site: { name: "Sites", description: "Who has a role on the spaces of a site." },
} as const;

export function listingObject(operation: Operation): OperationObject {
  const { id, entry, summary, description, path } = operation;
  const names = [...parametersOf(path), ...queryParametersOf(operation), "ifNoneMatch"];
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary,
    description,
    parameters: names.map((name): Reference => ({ $ref: `#/components/parameters/${name}` })),
    responses: {
      200: {
        description: "A page of the list. On the last one there is no `next`.",
        headers: headers([...LISTING_HEADERS, ...LIMIT_HEADERS]),
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${pageName(entry)}` },
            ...exampleOf(id),
          },
        },
      },
      304: {
        description: "The page that `If-None-Match` names is still current.",
        headers: headers([...LISTING_HEADERS, ...LIMIT_HEADERS]),
      },
      ...refusals(LISTING_REFUSALS),
    },
  };
}

export function pageName(entry: Operation["entry"]): string {
  return `${entry}Page`;
}

export function parameterComponents(): Record<string, ParameterObject> {
  const path = Object.entries(PATH_PARAMETERS).map(([name, { schema, ...rest }]): ParameterObject => ({
    name,
    in: "path",
    required: true,
    ...rest,
    schema: jsonSchema(schema),
  }));
  const query = Object.entries(QUERY_PARAMETERS).map(([name, { schema, ...rest }]): ParameterObject => ({
    name,
    in: "query",
    required: false,
    ...rest,
    schema: jsonSchema(schema),
  }));
  const condition: ParameterObject = {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The `ETag` of a page that you have. If the page is still current, the answer is a 304 without a body.",
    schema: { type: "string" },
  };
  return {
    ...Object.fromEntries([...path, ...query].map((parameter) => [parameter.name, parameter])),
    ifNoneMatch: condition,
  };
}

function tagOf({ subject }: Operation): string {
  return TAGS[subject.of === "content" ? subject.kind : subject.of].name;
}

function exampleOf(id: string): { example?: unknown } {
  const found = Object.entries(examples).find(([name]) => name === id);
  return found === undefined ? {} : { example: found[1] };
}
