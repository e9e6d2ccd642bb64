import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { refuse } from "../errors/raw-errors.ts";

/** Sends the contract's error body where Node's own answer would have none. */
export function addProtocol(app: FastifyInstance): void {
  const { server } = app;
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1).
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
 * Whether a request asks for another protocol, so that its connection must end: Node's parser would discard all that
 * follows, unanswered. Some libraries ask for HTTP/2 on each connection; their connections stay open, and a time limit
 * closes them if something other than HTTP follows.
 */
export function asksForOther({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== "h2c";
}
