import type { FastifyInstance } from "fastify";

/**
 * Logs each answered request. Of the URL only the route template is told: what was typed into a URL may be a
 * token, and ids are people.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.onAnswered(({ method, route = "none", status, milliseconds, token }) => {
    app.log.info(
      {
        method,
        route,
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        ...(token === null ? {} : { token: token.id, organization: token.organization }),
      },
      "request",
    );
  });
}
