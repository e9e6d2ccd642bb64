import type { FastifyInstance } from "fastify";
import { refuse } from "./raw-errors.ts";

/** Answers in our own words where Node would answer by itself, without the body that every refusal has. */
export function addProtocol({ server }: FastifyInstance): void {
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_, socket) =>
    refuse(socket, 405, "The method is CONNECT; accepted: GET, HEAD.", { allow: "GET, HEAD" }),
  );
}
