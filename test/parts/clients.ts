import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GitBookAPI as GitBookAPI091, GitBookAPIError as Error091 } from "gitbook-api-0.91.0";
import { GitBookAPI as GitBookAPINewest, GitBookAPIError as ErrorNewest } from "gitbook-api-newest";
import type { Api as Api091, MemberRole } from "./node_modules/gitbook-api-0.91.0/dist/client.js";
import type { Api as ApiNewest } from "./node_modules/gitbook-api-newest/dist/client.js";

interface Session {
  authToken?: string;
}

// The packages' index.d.ts imports "./client" without an ending, which under nodenext resolves to nothing and would
// leave every call untyped. So the operations are added to the classes from the file that has them.
declare module "gitbook-api-0.91.0" {
  interface GitBookAPI extends Api091<Session> {}
}
declare module "gitbook-api-newest" {
  interface GitBookAPI extends ApiNewest<Session> {}
}

/**
 * The official TypeScript client: @gitbook/api 0.91.0, of the interface's vintage, and the newest one when the lock
 * file was made. `new GitBookAPI091({ endpoint, authToken })`, the endpoint without the `/v1` that it appends.
 */
export { GitBookAPI091, GitBookAPINewest };

/** The error of both clients for a status other than 2xx: `code` is the HTTP status. */
export interface ClientError extends Error {
  readonly code: number;
  readonly errorMessage: string;
}

/** Whether `error` is that of one of the clients for a refusal. */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error091 || error instanceof ErrorNewest;
}

const OPENAPI_FILES = {
  "0.91.0": import.meta.resolve("gitbook-api-0.91.0/spec/openapi.json"),
  newest: import.meta.resolve("gitbook-api-newest/spec/openapi.json"),
};

/** The parts of an OpenAPI document that tests read; validators read the schemas. */
export interface OpenapiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function isDocument(value: unknown): value is OpenapiDocument {
  return typeof value === "object" && value !== null && "paths" in value && "components" in value;
}

/** The OpenAPI document in a version of the client, read at each call. */
export function gitbookOpenapi(vintage: keyof typeof OPENAPI_FILES = "0.91.0"): OpenapiDocument {
  const file = fileURLToPath(OPENAPI_FILES[vintage]);
  const document: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isDocument(document)) throw new Error(`${file} is not an OpenAPI document`);
  return document;
}

/** Whether a role is a value of the client's own enum. */
export function isClientRole(role: string | undefined): role is MemberRole {
  return role !== undefined && ["read", "comment", "edit", "review", "create", "admin"].includes(role);
}
