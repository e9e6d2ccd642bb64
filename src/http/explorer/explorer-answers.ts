import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../domain/error.ts";
import type { Answer, Asking, ExplorerOperation, Question } from "../../explorer/server/operation.ts";
import type { ExplorerPath } from "../../explorer/wire/protocol.ts";
import { EXPLORER_FILES, EXPLORER_OPERATIONS } from "../../explorer/server/operations.ts";
import { confirmedAt } from "../../store/revisions/organizations.ts";
import type { Revision } from "../../store/reading.ts";
import type { Organization } from "../../store/revisions/past.ts";
import { withoutUnseen } from "../../explorer/server/viewer.ts";
import { READ_FROM, askingOf, lookOf, organizationOf, wantedBy } from "./explorer-asking.ts";
import { sendFile } from "./explorer-file.ts";
import { Downloads } from "./explorer-downloads.ts";
import { callerOf, queryOf } from "../admission/guards.ts";
import { isKept } from "../listings/is-kept.ts";
import { readLimit } from "../../operations/parameters.ts";
import { readPage, writePage } from "../listings/page-identifier.ts";
import { parseQuery } from "../request/query.ts";
import type { Service } from "../service.ts";
import { etagOf, headersOf, matches } from "../listings/validators.ts";

/** How often an answer is read if its revision is deleted each time during the read. */
const TRIES = 3;

type Answerer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What answers each path of the explorer. */
export function explorerAnswers(service: Service): ReadonlyMap<ExplorerPath, Answerer> {
  const downloads = new Downloads();
  return new Map<ExplorerPath, Answerer>([
    ...EXPLORER_OPERATIONS.map((operation): [ExplorerPath, Answerer] => [
      operation.path,
      (request, reply) => answer(service, operation, request, reply),
    ]),
    ...EXPLORER_FILES.map((file): [ExplorerPath, Answerer] => [
      file.path,
      (request, reply) => sendFile(service, file, downloads, request, reply),
    ]),
  ]);
}

const COMMON = { nothing: ["at"], revision: READ_FROM, pages: [...READ_FROM, "limit", "page"] } as const;

/**
 * Answers a request in the order of the contract, section 6: checks the query (400), authorizes the caller (section 7),
 * and sends a 304 or the answer.
 */
async function answer(
  service: Service,
  operation: ExplorerOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const query = parseQuery(queryOf(request.originalUrl), [
    ...operation.parameters,
    ...COMMON[operation.takes],
  ]);
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
    );
    const key = [
      // This answer also depends on the time and on the last check of rules, so its ETag covers the body.
      operation.takes === "nothing" ? body : "",
      viewer.all ? "" : viewer.member.id,
      viewer.member?.id ?? "",
      organization.current.revision,
      limit,
    ];
    const etag = etagOf(at, JSON.stringify([service.version, ...key]), service.publicUrl);
    service.rowsRead += asking.reading.rows;
    if (!(await isKept(service, at))) continue;
    reply.headers(headersOf(at, etag));
    if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .send(JSON.stringify({ ...stampOf(at, organization), ...body }));
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
  question: Question,
  asking: Asking,
  request: { after: string | undefined; limit: number },
  write: (next: string) => string,
): Promise<object> {
  const found: Answer = await question(asking, request);
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
