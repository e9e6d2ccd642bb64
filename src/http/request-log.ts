import type { FastifyInstance } from "fastify";

/**
 * Logs each answered request. Of the URL only the route template is told: what was typed into a URL may be a
 * token, and ids are people.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 1000) / 1000,
        ...(request.token === null
          ? {}
          : { token: request.token.id, organization: request.token.organization }),
      },
      "request",
    );
  });
}
