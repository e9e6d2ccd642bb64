import { Type } from "typebox";
import type { ErrorCode } from "../../domain/error.ts";
import { headers } from "./headers.ts";
import { jsonSchema } from "./json-schema.ts";
import { OPEN_REFUSALS, refusals } from "./refusals.ts";
import type { MediaObject, OperationObject } from "./shape.ts";

interface Operational {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: string;
  readonly type: string;
  readonly media: MediaObject;
  readonly also?: readonly ErrorCode[];
  /** Whether it has an `ETag` and answers 304. */
  readonly conditional?: true;
}

function state(word: string): MediaObject {
  const schema = Type.Object(
    { status: Type.Literal(word, { description: "The state." }) },
    { description: "That it is so.", additionalProperties: false },
  );
  return { schema: jsonSchema(schema), example: { status: word } };
}

/** The endpoints beside `/v1` (contract, section 9). They ask for no token. */
const OPERATIONAL: Readonly<Record<string, Operational>> = {
  "/healthz": {
    id: "getHealth",
    summary: "Tell whether the process is alive",
    description: "Answers as long as the process can answer at all; it looks at nothing else.",
    answer: "The process is alive.",
    type: "application/json",
    media: state("alive"),
  },
  "/readyz": {
    id: "getReadiness",
    summary: "Tell whether requests will be answered",
    description: "Asks the database a small question. A server that is stopping is not ready.",
    answer: "The database answers and the server takes requests.",
    type: "application/json",
    media: state("ready"),
    also: ["unavailable"],
  },
  "/metrics": {
    id: "getMetrics",
    summary: "Tell Prometheus how the server does",
    description:
      "Requests by route template and status, latency, event loop, caches, age of imports, memory. No label holds an id. Keep it off the internet.",
    answer: "Metrics in Prometheus' text format.",
    type: "text/plain",
    media: { schema: { type: "string" } },
  },
  "/openapi.json": {
    id: "getOpenapi",
    summary: "Describe this interface",
    description: "This document, made from the declarations that route and check requests.",
    answer: "An OpenAPI 3.1 document.",
    type: "application/json",
    media: { schema: { type: "object", description: "An OpenAPI 3.1 document." } },
    conditional: true,
  },
};

/** The paths beside `/v1`, under a tag of their own. */
export function operationalPaths(): Record<string, { get: OperationObject }> {
  return Object.fromEntries(
    Object.entries(OPERATIONAL).map(([path, operational]) => [path, { get: operationObject(operational) }]),
  );
}

function operationObject(operational: Operational): OperationObject {
  const { id, summary, description, answer, type, media, also = [], conditional = false } = operational;
  const kept = headers(conditional ? ["ETag", "Cache-Control"] : ["Cache-Control"]);
  return {
    operationId: id,
    tags: ["Service"],
    summary,
    description,
    security: [],
    parameters: conditional ? [{ $ref: "#/components/parameters/ifNoneMatch" }] : [],
    responses: {
      200: { description: answer, headers: kept, content: { [type]: media } },
      ...(conditional
        ? { 304: { description: "What `If-None-Match` names is still right.", headers: kept } }
        : {}),
      ...refusals([...OPEN_REFUSALS, ...also]),
    },
  };
}
