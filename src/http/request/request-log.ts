import type { FastifyInstance } from "fastify";
import { PROBES } from "./probes.ts";
import { statusOf } from "../errors/raw-errors.ts";

/**
 * Logs each answered request. The log has route templates but no URLs: a URL may have a mistyped token, and ids are
 * personal data. It has a client's address only with a refusal.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.onAnswered(({ method, route = "none", status, milliseconds, token, client }) => {
    const level = PROBES.has(route) && status < 400 ? "debug" : "info";
    app.log[level](
      {
        method,
        route,
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        token: token?.id,
        organization: token?.organization,
        client,
      },
      "request",
    );
  });
  app.server.on("clientError", (error: Error & { code?: string }, socket: { remoteAddress?: string }) => {
    if (error.code === "ECONNRESET") return;
    app.log.info({ status: statusOf(error), client: socket.remoteAddress }, "no request that can be read");
  });
}
