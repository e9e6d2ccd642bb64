import { type ErrorCode, STATUS } from "../../domain/error.ts";
import { type HeaderName, headers, LIMIT_HEADERS } from "./headers.ts";
import type { Reference, ResponseObject } from "./shape.ts";

interface Refusal {
  readonly name: string;
  /** Why the request is refused (contract, section 6). */
  readonly when: string;
  readonly message: string;
  readonly headers: readonly HeaderName[];
  /** Whether the request is refused before its token is known. Such a refusal has no headers of the rate limit. */
  readonly early?: true;
}

/** In the order in which the server checks. */
const REFUSALS: Readonly<Record<ErrorCode, Refusal>> = {
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

const codes = Object.keys(REFUSALS).filter((code): code is ErrorCode => code in STATUS);

export const LISTING_REFUSALS: readonly ErrorCode[] = codes;

export function refusals(wanted: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(
    wanted.map((code) => [STATUS[code], { $ref: `#/components/responses/${REFUSALS[code].name}` }]),
  );
}

export function refusalComponents(): Record<string, ResponseObject> {
  return Object.fromEntries(codes.map((code) => [REFUSALS[code].name, response(code)]));
}

function response(code: ErrorCode): ResponseObject {
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
