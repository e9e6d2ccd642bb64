import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../domain/error.ts";
import { absent, authorize, authorizeAsOf } from "../operations/authorize.ts";
import { type ListRequest, type Operation, parametersOf } from "../operations/operation.ts";
import type { Revision } from "../store/reading.ts";
import type { Again } from "./again.ts";
import { callerOf, queryOf } from "./gate.ts";
import { type Asked, askedOf } from "./list-request.ts";
import { writePage } from "./page-identifier.ts";
import type { Service } from "./service.ts";
import { matches, validatorsOf } from "./validators.ts";
import { AT, revisionAsked, whenOf } from "./when.ts";

/** How often a page is read anew because its revision went away meanwhile. */
const TRIES = 3;
const JSON_TYPE = "application/json; charset=utf-8";

/** Makes an operation a route, of now and of the past. */
export function addListing(app: FastifyInstance, service: Service, again: Again, operation: Operation): void {
  const names = parametersOf(operation.path);
  for (const template of [operation.path, AT + operation.path]) {
    app.get(routeOf(template), async (request, reply) => {
      const path = pathOf(names, request);
      return answer(service, again, operation, template, path, request, reply);
    });
  }
}

/** An OpenAPI path template as Fastify spells it. */
function routeOf(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ":$1");
}

function pathOf(names: readonly string[], { params }: FastifyRequest): Record<string, string> {
  const values: Record<string, unknown> = typeof params === "object" && params !== null ? { ...params } : {};
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}

/**
 * Answers in the order of contract section 6: 400, another organization 404, no such revision 404, then section 7; then
 * 304 and the page.
 */
async function answer(
  service: Service,
  again: Again,
  operation: Operation,
  template: string,
  path: Record<string, string>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const when = whenOf(request);
  const asked = askedOf(operation, caller.organization, path, when?.spelt, queryOf(request));
  if (path.organizationId !== undefined && path.organizationId !== caller.organization) {
    throw absent("organization", path.organizationId);
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const organization = await service.store.registry.organizationOf(caller);
    if (organization === undefined) throw absent("organization", caller.organization);
    const at = await revisionAsked(service.store.registry, organization, when, asked.begun);
    const { etag, headers } = validatorsOf(at, service.version, service.publicUrl);
    const unchanged = matches(request.headers["if-none-match"], etag);
    const key = keyOf(asked, at);
    const beside = service.store.engine.distant && !unchanged && !service.pages.has(key);
    const now = service.store.reading(organization.current);
    await Promise.all([
      when === undefined
        ? authorize(now, caller, operation.subject, path)
        : authorizeAsOf(service.store.reading(at), now, caller, operation.subject, path),
      beside ? operation.prepare?.(service.store.reading(at), requestOf(path, asked)) : undefined,
    ]);
    if (unchanged) return reply.headers(headers).code(304).send();
    let body = service.pages.get(key);
    if (body === undefined) {
      body = await service.pages.make(key, () => render(service, operation, path, asked, at));
      if (!(await isKept(service, at))) continue;
      if (body === undefined) throw absent(operation.subject.of, path[operation.subject.parameter] ?? "");
      service.pages.keep(key, body);
    }
    const described = { ...headers, "content-type": JSON_TYPE, "content-length": String(body.length) };
    // A walk reads the revision that it began on for a time only.
    if ((when !== undefined || at === organization.current) && service.pages.has(key))
      remember(again, request, template, key, described);
    return reply.headers(described).send(body);
  }
  throw new ApiError("unavailable", "The directory is being imported too often to read a page of it.", {
    "retry-after": "1",
  });
}

function remember(
  again: Again,
  request: FastifyRequest,
  route: string,
  page: string,
  headers: Readonly<Record<string, string>>,
): void {
  const { epoch, token } = request;
  if (epoch === undefined || token === null) return;
  again.keep(request.raw, { epoch, token, route, page, headers });
}

/** Whether a revision that was read is still one that nobody deletes: only then was it read whole. */
export async function isKept(
  { store }: Service,
  { organization: id, revision, history }: Revision,
): Promise<boolean> {
  const organization = await store.registry.organization(id);
  if (organization?.current.history !== history) return false;
  return organization.earliest <= revision && revision <= organization.current.revision;
}

function keyOf({ limit, after = "", listing }: Asked, { history, erasures, revision }: Revision): string {
  return `${history}.${erasures}.${revision} ${limit} ${JSON.stringify(after)} ${listing}`;
}

function requestOf(path: Record<string, string>, { filters, after, limit }: Asked): ListRequest {
  return { path, filters, page: { after, limit } };
}

/** The page as bytes; `undefined` where its subject is gone. */
async function render(
  service: Service,
  operation: Operation,
  path: Record<string, string>,
  asked: Asked,
  at: Revision,
): Promise<Buffer | undefined> {
  const reading = service.store.reading(at);
  const page = await operation.list(reading, requestOf(path, asked), service.publicUrl);
  service.rowsRead += reading.rows;
  if (page === undefined) return undefined;
  const next =
    page.next === undefined
      ? ""
      : `"next":{"page":"${writePage(asked.listing, { revision: at.revision, after: page.next })}"},`;
  return Buffer.from(`{${next}"count":${page.entries.length},"items":[${page.entries.join()}]}`);
}
