import { jsonSchema } from "./json-schema.ts";
import { Type } from "typebox";
import type { HeaderObject, Reference } from "./shape.ts";

const text = jsonSchema(Type.String());
const whole = jsonSchema(Type.Integer({ minimum: 0 }));

/** The headers of answers under `/v1` (contract, sections 5 and 6). */
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

export function headers(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
