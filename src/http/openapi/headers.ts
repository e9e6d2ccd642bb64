import { jsonSchema } from "./json-schema.ts";
import { Type } from "typebox";
import type { HeaderObject, Reference } from "./shape.ts";

const text = jsonSchema(Type.String());
const whole = jsonSchema(Type.Integer({ minimum: 0 }));

/** The headers of answers under `/v1`, besides the usual ones (contract, sections 5 and 6). */
export const HEADERS = {
  ETag: {
    description:
      "Names the answer as it is now; a listing's changes with the revision, the program's version and the public URL. Send it back as `If-None-Match`.",
    required: true,
    schema: text,
    example: '"kZ0pV3mQJx1cT9b2yW5aHg"',
  },
  "X-Rolebook-Revision": {
    description: "The number of the revision that the page was read from.",
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
      "Who may keep the answer, and for how long: `private, no-cache` on listings (keep it, but ask again before using it), `no-store` on errors.",
    required: true,
    schema: text,
    example: "private, no-cache",
  },
  Vary: {
    description: "A listing belongs to the token that asked for it.",
    required: true,
    schema: text,
    example: "Authorization",
  },
  "X-RateLimit-Limit": {
    description:
      "Requests that the token may make in a fixed minute. The three are sent where the server has a limit.",
    schema: whole,
    example: 600,
  },
  "X-RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: whole,
    example: 599,
  },
  "X-RateLimit-Reset": {
    description: "When the next minute begins, in seconds since 1970.",
    schema: whole,
    example: 1795241160,
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    required: true,
    schema: whole,
    example: 1,
  },
  "WWW-Authenticate": {
    description: "The scheme that is wanted.",
    required: true,
    schema: text,
    example: "Bearer",
  },
  Allow: {
    description: "The methods that the path has.",
    required: true,
    schema: text,
    example: "GET, HEAD",
  },
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

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

/** References to headers, for a response object. */
export function headers(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
