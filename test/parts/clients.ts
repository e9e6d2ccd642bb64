import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GitBookAPI as GitBookAPI091 } from "gitbook-api-0.91.0";
import { GitBookAPI as GitBookAPINewest } from "gitbook-api-newest";
import type { Api as Api091, MemberRole } from "./node_modules/gitbook-api-0.91.0/dist/client.js";
import type { Api as ApiNewest } from "./node_modules/gitbook-api-newest/dist/client.js";

interface Session {
  authToken?: string;
}

// The packages' index.d.ts imports "./client" without a file extension. With nodenext this resolves to nothing, and
// every call would be untyped. So the types of the operations are added to the classes here.
declare module "gitbook-api-0.91.0" {
  interface GitBookAPI extends Api091<Session> {}
}
declare module "gitbook-api-newest" {
  interface GitBookAPI extends ApiNewest<Session> {}
}

/**
 * The official TypeScript client, in two versions: @gitbook/api 0.91.0, which is of the same time as the interface, and
 * the newest one when the lock file was made. Use `new GitBookAPI091({ endpoint, authToken })`; the client appends
 * `/v1` to the endpoint.
 */
export { GitBookAPI091, GitBookAPINewest };

const OPENAPI_FILES = {
  "0.91.0": import.meta.resolve("gitbook-api-0.91.0/spec/openapi.json"),
  newest: import.meta.resolve("gitbook-api-newest/spec/openapi.json"),
};

/** The parts of an OpenAPI document that tests read. Validators also read its schemas. */
export interface OpenapiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function isDocument(value: unknown): value is OpenapiDocument {
  return typeof value === "object" && value !== null && "paths" in value && "components" in value;
}

/** Reads the OpenAPI document of a version of the client. Each call returns a new object. */
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
