import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { refuse } from "../errors/raw-errors.ts";

/** Sends the contract's error body where Node would answer without one. */
export function addProtocol(app: FastifyInstance): void {
  const { server } = app;
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_, socket) =>
    refuse(socket, 405, "The method is CONNECT; accepted: GET, HEAD.", { allow: "GET, HEAD" }),
  );
  app.addHook("onRequest", (request, reply, done) => {
    if (asksForOther(request.raw)) reply.header("connection", "close");
    done();
  });
}

/**
 * Whether a request asks for another protocol. Its connection must be closed, because Node's parser would drop all
 * later input without an answer. A request for HTTP/2 (`h2c`), which some libraries send on every connection, leaves it
 * open; if no HTTP/1.1 request follows, a time limit closes it.
 */
export function asksForOther({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== "h2c";
}
