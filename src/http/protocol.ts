import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { refuse } from "./errors/raw-errors.ts";

/** Answers in our own words where Node would answer by itself, without the body that every refusal has. */
export function addProtocol(app: FastifyInstance): void {
  const { server } = app;
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
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
 * Whether a request asks for another protocol, so that its connection is to end: behind it Node's parser swallows what is
 * no HTTP, and nobody would be answered. Some libraries ask for HTTP/2 with each connection; those are left theirs, and
 * what they send is closed by time.
 */
export function asksForOther({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== "h2c";
}
