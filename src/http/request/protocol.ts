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
 * Whether a request asks for another protocol, so that its connection must end: Node's parser would discard all later
 * input without an answer. A request for HTTP/2, which some libraries send on each connection, leaves the connection
 * open. A time limit closes it if something other than HTTP follows.
 */
export function asksForOther({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== "h2c";
}
