/**
 * What both OpenAPI documents are made of: the parts of OpenAPI 3.1 that they use, and the headers and refusals that all
 * their answers share.
 */
import { Type } from "typebox";
import { type ErrorCode, STATUS } from "../../domain/error.ts";

export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | boolean;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly items?: SchemaObject;
  readonly anyOf?: readonly SchemaObject[];
  readonly additionalProperties?: boolean;
}

export interface SchemaReference {
  readonly $ref: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly example?: string | number;
}

export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: SchemaObject;
  readonly example?: string | number;
}

interface MediaObject {
  readonly schema: SchemaObject;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, SchemaReference | HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaObject>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (ParameterObject | SchemaReference)[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, MediaObject>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject | SchemaReference>>;
}

/** As far as it is read here. `Item` has the methods of a path. */
export interface OpenapiDocument<Item = { readonly get: OperationObject }> {
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>> & {
    readonly license: object;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Item>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

/** A TypeBox schema as plain JSON Schema. An `enum` without a type gets the type string. */
export function jsonSchema(schema: object): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("enum" in value) || "type" in value) return value;
    return { type: "string", ...value };
  });
}

const text = jsonSchema(Type.String());
const whole = jsonSchema(Type.Integer({ minimum: 0 }));

/** The headers of answers under `/v1` (docs/api.md and docs/errors.md). */
export const HEADERS = {
  ETag: {
    description:
      "Identifies the answer. Changes with the revision, the program's version and the public URL. Send it back as `If-None-Match`.",
    required: true,
    schema: text,
    example: '"kZ0pV3mQJx1cT9b2yW5aHg"',
  },
  "X-Rolebook-Revision": {
    description: "The number of the revision from which the page was read.",
    required: true,
    schema: whole,
    example: 1,
  },
  "Last-Modified": {
    description: "When that revision was imported.",
    required: true,
    schema: text,
    example: "Sat, 21 Nov 2026 06:05:00 GMT",
  },
  "Cache-Control": {
    description:
      "`private, no-cache` on listings: keep the page, but send a conditional request before you use it. `no-store` on errors.",
    required: true,
    schema: text,
    example: "private, no-cache",
  },
  Vary: {
    description: "Caches must keep the answers to different tokens apart.",
    required: true,
    schema: text,
    example: "Authorization",
  },
  "X-RateLimit-Limit": {
    description:
      "Requests that the token may make per fixed minute. This header and the next two are sent if the server has a limit.",
    schema: whole,
    example: 600,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in this minute.",
    schema: whole,
    example: 599,
  },
  "X-RateLimit-Reset": {
    description: "When the next minute begins, in seconds since 1970.",
    schema: whole,
    example: 1795241160,
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    required: true,
    schema: whole,
    example: 1,
  },
  "WWW-Authenticate": {
    description: "The required authentication scheme.",
    required: true,
    schema: text,
    example: "Bearer",
  },
  Allow: {
    description: "The accepted methods.",
    required: true,
    schema: text,
    example: "GET, HEAD",
  },
} as const satisfies Record<string, HeaderObject>;

type HeaderName = keyof typeof HEADERS;

export const LISTING_HEADERS = [
  "ETag",
  "X-Rolebook-Revision",
  "Last-Modified",
  "Cache-Control",
  "Vary",
] as const satisfies readonly HeaderName[];
export const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

export function headers(names: readonly HeaderName[]): Record<string, SchemaReference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

interface RefusalExample {
  readonly name: string;
  /** Why the request is refused (docs/errors.md). */
  readonly when: string;
  readonly message: string;
  readonly headers: readonly HeaderName[];
  /** Whether the request is refused before its token is known. Such a refusal has no headers of the rate limit. */
  readonly early?: true;
}

/** All refusals but those of a body, which one request of the explorer has. */
type Shared = Exclude<ErrorCode, "contentTooLarge" | "unsupportedMediaType">;

/** In the order in which the server checks. */
const REFUSALS: Readonly<Record<Shared, RefusalExample>> = {
  uriTooLong: {
    name: "UriTooLong",
    when: "The URL is too long.",
    message: "The URL is longer than 8192 characters.",
    headers: [],
    early: true,
  },
  headersTooLarge: {
    name: "HeadersTooLarge",
    when: "The headers are too large.",
    message: "The headers are larger than 16 KiB.",
    headers: [],
    early: true,
  },
  unauthorized: {
    name: "Unauthorized",
    when: "There is no token, or one that is malformed, unknown, expired or revoked.",
    message: "This token is not valid: it may be mistyped, expired or revoked.",
    headers: ["WWW-Authenticate"],
    early: true,
  },
  tooManyRequests: {
    name: "TooManyRequests",
    when: "The server has a rate limit, and the token has used up this minute's requests.",
    message: "This token may make 600 requests a minute.",
    headers: ["Retry-After"],
  },
  methodNotAllowed: {
    name: "MethodNotAllowed",
    when: "The method is neither GET nor HEAD. `OPTIONS` is refused too: there is no CORS.",
    message: "The method is POST; accepted: GET, HEAD.",
    headers: ["Allow"],
  },
  badRequest: {
    name: "BadRequest",
    when: "A parameter has an invalid or empty value, is given twice or is unknown; or the query has invalid percent-encoding.",
    message: 'The parameter limit is "0"; accepted: a whole number from 1 to 1000.',
    headers: [],
  },
  forbidden: {
    name: "Forbidden",
    when: "The token may see the subject but not list it.",
    message:
      'This token may see space "api-reference" but not list who has access; that takes create or admin there, or an organization token.',
    headers: [],
  },
  notFound: {
    name: "NotFound",
    when: "The subject does not exist, or the token cannot see it: both get the same answer. Under `/at/{when}` also: the revision cannot be read; the message names the earliest and the latest.",
    message: 'There is no space "unknown" that this token can see.',
    headers: [],
  },
  internal: {
    name: "InternalError",
    when: "An unexpected error. The server's log has the cause.",
    message: "Something went wrong on the server.",
    headers: [],
  },
  unavailable: {
    name: "Unavailable",
    when: "The database cannot be reached, or the server is stopping or overloaded.",
    message: "The server is stopping.",
    headers: ["Retry-After"],
  },
};

const codes = Object.keys(REFUSALS).filter((code): code is Shared => code in STATUS);

/** The refusals that every operation may answer with. */
export function refusals(): Record<string, SchemaReference> {
  return Object.fromEntries(
    codes.map((code) => [STATUS[code], { $ref: `#/components/responses/${REFUSALS[code].name}` }]),
  );
}

export function refusalComponents(): Record<string, ResponseObject> {
  return Object.fromEntries(codes.map((code) => [REFUSALS[code].name, response(code)]));
}

function response(code: Shared): ResponseObject {
  const { when, message, headers: names, early } = REFUSALS[code];
  return {
    description: when,
    headers: headers(["Cache-Control", ...names, ...(early === true ? [] : LIMIT_HEADERS)]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        example: { error: { code: STATUS[code], message } },
      },
    },
  };
}
