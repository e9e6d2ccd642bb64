import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, DatabaseFileError, unavailable } from "../../domain/error.ts";
import { PAGE_HEADERS } from "../reference/style.ts";
import { asksForToken } from "../request/target.ts";
import { nothingPage, wantsPage } from "./nothing-page.ts";

/** The body of a refusal (contract, section 6). */
export function errorBody(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/**
 * Sends an {@link ApiError} as it is, or the page of a path that does not exist. Logs any other error and sends it without details: as a 503 if the database file
 * cannot be read or written, else as a 500.
 */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof ApiError ? error : unexpected(error, request);
  reply.code(refusal.status).headers(refusal.headers).header("cache-control", "no-store");
  // Outside the API, a path that does not exist is one that a person mistyped.
  if (refusal.status === 404 && !asksForToken(request.originalUrl)) {
    reply.header("vary", "Accept");
    if (wantsPage(request.headers)) return reply.headers(PAGE_HEADERS).send(nothingPage(request.originalUrl));
  }
  return reply
    .header("content-type", "application/json; charset=utf-8")
    .send(errorBody(refusal.status, refusal.message));
}

function unexpected(error: Error, request: FastifyRequest): ApiError {
  if (error instanceof DatabaseFileError) {
    request.log.error(`${error.message} Stop the server and run: rolebook verify`);
    return unavailable(error);
  }
  request.log.error({ err: error }, "unexpected error");
  return new ApiError("internal", "Something went wrong on the server.");
}
