/**
 * Answers the explorer's requests, in the order of docs/errors.md: the query (400), the caller and the revision
 * (404), what the caller may see (section 7), and a 304 or the answer.
 */
import type { SpeltWhen } from "../domain/date.ts";
import { ApiError } from "../domain/error.ts";
import { quote } from "../domain/text.ts";
import type {
  UnstampedAnswer as Found,
  Asking,
  ExplorerOperation,
  File,
  FileOperation,
  ParsedRequest,
} from "../explorer/server/operation.ts";
import { EXPLORER_FILES, EXPLORER_OPERATIONS } from "../explorer/server/operations.ts";
import { withoutUnseen } from "../explorer/server/viewer.ts";
import { type ExplorerPath, REVIEW_PATH } from "../explorer/wire/protocol.ts";
import type { Viewer } from "../explorer/server/viewer.ts";
import { absent } from "../operations/authorize.ts";
import type { Caller } from "../operations/operation.ts";
import { readLimit } from "../operations/parameters.ts";
import { findMember, organizationRole } from "../model/model.ts";
import { personIn } from "../model/records.ts";
import { modelOf } from "../store/models.ts";
import type { Revision } from "../store/reading.ts";
import { confirmedAt } from "../store/revisions/organizations.ts";
import type { Organization } from "../store/revisions/past.ts";
import type { Token } from "../store/revisions/registry.ts";
import { revisionsUpTo } from "../store/revisions/past.ts";
import { ruleResults } from "../store/rule-results.ts";
import { revisionFor } from "../store/store.ts";
import { jsonBody } from "./body.ts";
import { type Answer, answer, bodyOf, type Exchange, type Handler, JSON_TYPE, NO_BODY } from "./exchange.ts";
import { type Downloads, openFile } from "./download.ts";
import { readPage, writePage } from "./page-identifier.ts";
import { parseQuery } from "./query.ts";
import { etagOf, headersOf, isKept, matches, revisionAsked, unlessDeleted, whenOf } from "./revision.ts";
import type { Service } from "./service.ts";

/** Either header may name the caller. */
const VARY = { vary: "Authorization, Cookie" };

/** How often an answer is read if its revision is deleted each time during the read. */
const TRIES = 3;

/** What answers each path of the explorer. */
export function explorerAnswers(service: Service, downloads: Downloads): ReadonlyMap<ExplorerPath, Handler> {
  return new Map<ExplorerPath, Handler>([
    ...EXPLORER_OPERATIONS.map((operation): [ExplorerPath, Handler] => [
      operation.path,
      (exchange) => answerOf(service, operation, exchange),
    ]),
    ...EXPLORER_FILES.map((file): [ExplorerPath, Handler] => [
      file.path,
      (exchange) => fileOf(service, file, downloads, exchange),
    ]),
    [REVIEW_PATH, (exchange) => reviewOf(service, downloads, exchange)],
  ]);
}

const READ_FROM = ["revision", "at"] as const;
const COMMON = { nothing: ["at"], revision: READ_FROM, pages: [...READ_FROM, "limit", "page"] } as const;

async function answerOf(service: Service, operation: ExplorerOperation, exchange: Exchange): Promise<Answer> {
  const { caller } = exchange;
  const query = parseQuery(exchange.query, [...operation.parameters, ...COMMON[operation.takes]]);
  const { begun, when, rest } = wantedBy(query);
  const limit = readLimit(query.get("limit"));
  const listing = JSON.stringify([caller.organization, operation.id, nameOf(query)]);
  const page = query.get("page");
  const position = page === undefined ? undefined : readPage(listing, page);
  const question = operation.ask(rest);
  for (let tries = 0; tries < TRIES; tries++) {
    const organization = await organizationOf(service, caller);
    const look = await lookOf(service, organization, caller, { when, begun: position?.revision ?? begun });
    const { at, viewer } = look;
    const confirmed =
      operation.takes === "nothing" && when === undefined
        ? await confirmedAt(service.store.engine, at.organization)
        : undefined;
    const asking = { ...askingOf(service, look, caller), confirmedAt: confirmed };
    // Computed before the ETag is compared: a caller without access must not learn that the answer is unchanged.
    const body = await withoutUnseen(
      viewer,
      await ask(question, asking, { after: position?.after, limit }, (next) =>
        writePage(listing, { revision: at.revision, after: next }),
      ),
    ).catch(unlessDeleted(service, organization.current.organization));
    if (body === undefined) continue;
    const key = [
      // This answer also depends on the time and on the last check of rules, so its ETag covers the body.
      operation.takes === "nothing" ? body : "",
      viewer.all ? "" : viewer.member.id,
      viewer.member?.id ?? "",
      organization.current.revision,
      limit,
    ];
    const etag = etagOf(at, JSON.stringify([service.version, ...key]), service.publicUrl);
    if (!(await isKept(service, at))) continue;
    exchange.revision = at.revision;
    const headers = { ...exchange.headers, ...headersOf(at, etag), ...VARY };
    if (matches(exchange.request.headers["if-none-match"], etag))
      return { status: 304, headers, body: NO_BODY };
    if ("count" in body && typeof body.count === "number") exchange.rows = body.count;
    const text = JSON.stringify({ ...stampOf(at, organization), ...body });
    return answer(200, { ...headers, ...JSON_TYPE }, bodyOf(text));
  }
  throw new ApiError("unavailable", "The directory is being imported too often to read it.", {
    "retry-after": "1",
  });
}

/** The parameters that identify a list. The page of a walk is not one of them. */
function nameOf(query: ReadonlyMap<string, string>): [string, string][] {
  return [...query]
    .filter(([name]) => !["page", "from", "limit", "revision"].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

async function ask(
  question: ParsedRequest,
  asking: Asking,
  request: { after: string | undefined; limit: number },
  write: (next: string) => string,
): Promise<object> {
  const found: Found = await question(asking, request);
  if (found.of === "thing") return found.fields;
  const { entries, next } = found.page;
  return {
    ...(next === undefined ? {} : { next: { page: write(next) } }),
    count: entries.length,
    items: entries,
    ...(found.total === undefined ? {} : { total: found.total }),
  };
}

/** The revision of an answer, and the current one if it is newer. */
function stampOf(at: Revision, { current }: Organization): object {
  const stamp = { revision: at.revision, importedAt: at.importedAt };
  if (current.revision === at.revision) return stamp;
  return { ...stamp, newer: { revision: current.revision, importedAt: current.importedAt } };
}

/** Answers with a CSV file, in parts. */
async function fileOf(
  service: Service,
  operation: FileOperation,
  downloads: Downloads,
  exchange: Exchange,
): Promise<Answer> {
  const { query: spelt, caller, headers, request } = exchange;
  const query = parseQuery(spelt, [...operation.parameters, ...READ_FROM]);
  const { rest, ...wanted } = wantedBy(query);
  const ask = operation.ask(rest);
  const organization = await organizationOf(service, caller);
  const look = await lookOf(service, organization, caller, wanted);
  const { at } = look;
  const file = await ask(askingOf(service, look, caller));
  exchange.revision = at.revision;
  const described = { ...headers, ...describedBy(file, at) };
  if (request.method === "HEAD") return { status: 200, headers: described, body: NO_BODY };
  const body = await openFile(service.store, file, at, exchange, downloads.begin(caller));
  return { status: 200, headers: described, body };
}

/** Answers a review: the one file that is made from the body of a request. */
async function reviewOf(service: Service, downloads: Downloads, exchange: Exchange): Promise<Answer> {
  const { query, caller, headers, request } = exchange;
  // Loaded here because it checks the body with typebox, which is more than all the rest of the explorer.
  const { review } = await import("../explorer/server/review.ts");
  const ask = review.ask(parseQuery(query, review.parameters));
  const organization = await organizationOf(service, caller);
  const look = await lookOf(service, organization, caller, { when: undefined, begun: undefined });
  const { at } = look;
  exchange.revision = at.revision;
  // A body is kept in memory, so few are read at once.
  const counted = downloads.begin(caller);
  const file = await ask(askingOf(service, look, caller), () => jsonBody(request)).catch((error: unknown) => {
    counted();
    throw error;
  });
  const body = await openFile(service.store, file, at, exchange, counted);
  return { status: 200, headers: { ...headers, ...describedBy(file, at) }, body };
}

function describedBy(file: File, at: Revision): Record<string, string> {
  return {
    "content-type": "text/csv; charset=utf-8",
    ...("headers" in file && file.headers),
    "x-rolebook-revision": String(at.revision),
    "last-modified": new Date(at.importedAt).toUTCString(),
    "cache-control": "private, no-store",
    ...VARY,
  };
}

/** What the query says about the revision: `begun` is that of an earlier answer, `when` a past one. */
interface WantedRevision {
  readonly begun: number | undefined;
  readonly when: SpeltWhen | undefined;
  readonly rest: ReadonlyMap<string, string>;
}

/** Throws 400 if `revision` or `at` is invalid, or if both are given. */
function wantedBy(query: ReadonlyMap<string, string>): WantedRevision {
  const begun = revisionOf(query.get("revision"));
  const when = whenOf(query.get("at"), "The parameter at is");
  if (begun !== undefined && when !== undefined) {
    throw new ApiError("badRequest", "Both revision and at are given; accepted: one of them.");
  }
  const rest = new Map(query);
  rest.delete("at");
  return { begun, when, rest };
}

function revisionOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9][0-9]{0,14}$/.test(value)) return Number(value);
  throw new ApiError(
    "badRequest",
    `The parameter revision is ${quote(value)}; accepted: the revision of an earlier answer.`,
  );
}

/** Throws 404 if the organization does not exist any more. */
async function organizationOf({ store }: Service, { organization: id }: Token): Promise<Organization> {
  const organization = await store.registry.organization(id);
  if (organization === undefined) throw absent("organization", id);
  return organization;
}

/** Throws 404 if the token's member has left. */
async function viewerOf(
  { store }: Service,
  { current }: Organization,
  { member: id }: Token,
): Promise<Viewer> {
  if (id === undefined) return { all: true };
  const model = await modelOf(store.reading(current));
  const found = findMember(model, id);
  if (found === undefined) throw absent("member", id);
  const role = organizationRole(model, found);
  return { all: role === "admin", member: { id, displayName: personIn(model, found).displayName, role } };
}

interface Look {
  readonly past: boolean;
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  readonly at: Revision;
  readonly viewer: Viewer;
  readonly caller: Caller;
  /** The revision whose permissions authorize the request. */
  readonly decides: Revision;
}

/**
 * Selects the revision of an answer, and finds who sees it.
 *
 * Without `when`, the answer is from `begun` if that revision is kept, otherwise from the current one. A caller who
 * does not see everything always gets the current revision, which decides what they may see.
 *
 * With `when`, the answer is from a past revision, as under `/at/WHEN` (docs/past.md). That revision authorizes
 * organization tokens and organization admins; the current one authorizes everybody else. Throws 404 if the revision
 * cannot be read.
 */
async function lookOf(
  service: Service,
  organization: Organization,
  token: Token,
  { when, begun }: Pick<WantedRevision, "when" | "begun">,
): Promise<Look> {
  const { registry } = service.store;
  const { current } = organization;
  const { revision, importedAt } =
    (await registry.past.byNumber(organization, organization.earliest)) ?? current;
  const earliest = { revision, importedAt };
  if (when === undefined) {
    const viewer = await viewerOf(service, organization, token);
    const at = viewer.all ? await revisionFor(registry.past, organization, begun) : current;
    return { past: false, at, earliest, viewer, caller: token, decides: current };
  }
  const at = await revisionAsked(registry, organization, when, begun);
  const viewer = await viewerOf(service, organization, token);
  const past = true;
  if (viewer.all) return { past, at, earliest, viewer, caller: { ...token, member: undefined }, decides: at };
  return {
    past,
    at,
    earliest,
    viewer: { ...viewer, now: service.store.reading(current) },
    caller: token,
    decides: current,
  };
}

function askingOf(
  { store, publicUrl, version }: Service,
  { past, at, earliest, viewer, caller, decides }: Look,
  { id: tokenId, name: tokenName, issuer }: Token,
): Asking {
  const reading = store.reading(at);
  return {
    caller,
    tokenId,
    tokenName,
    issuer,
    past,
    earliest,
    viewer,
    current: at.revision === decides.revision ? reading : store.reading(decides),
    reading,
    revisionsUpTo: (which) => revisionsUpTo(store.engine, at.organization, which),
    ruleResults: () => ruleResults(store.engine, at.organization),
    publicUrl,
    version,
  };
}
