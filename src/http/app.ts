import { createServer, type RequestListener, type Server } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { ResponseCache } from "./listings/response-cache.ts";
import { addAnswered } from "./request/request-events.ts";
import { addClient } from "./admission/client.ts";
import { sendError } from "./errors/errors.ts";
import { addExplorer } from "./explorer/explorer.ts";
import { addExplorerPage, addSpaceLink } from "./explorer/explorer-page.ts";
import { addGuards, nothingHere } from "./admission/guards.ts";
import { Listings } from "./listings/listing.ts";
import { addAdmission, Load } from "./admission/admission.ts";
import { showAsRead } from "./request/method.ts";
import { addMetrics } from "./metrics.ts";
import { addOpenapi } from "./openapi.ts";
import { addProtocol } from "./request/protocol.ts";
import { addRefused } from "./errors/refused.ts";
import { addRequestLog } from "./request/request-log.ts";
import { sendRawError } from "./errors/raw-errors.ts";
import type { Service } from "./service.ts";
import { addStatus } from "./status.ts";
import { routable } from "./request/target.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The number of requests whose answer has not been sent completely. */
    openAnswers(): number;
  }
}

/**
 * The largest size of all headers together, in bytes. Node allows more for headers and URL together, so that a long URL
 * gets its own refusal (414).
 */
const LARGEST_HEAD = 16 * 1024;

/** The time limit for receiving a request, and for an idle connection, in milliseconds. */
const LONGEST_REQUEST = 30_000;
const LONGEST_IDLE = 72_000;
/** The time limit for a connection that makes no progress while an answer is sent, in milliseconds. */
const LONGEST_SILENCE = 60_000;
/** The largest number of open connections. Further ones are closed at once, to keep memory bounded. */
const MOST_CONNECTIONS = 10_000;

/** The complete HTTP interface, ready to listen or to be called with `inject`. */
export function buildApp(service: Service, logger: FastifyBaseLogger | false): FastifyInstance {
  const load = new Load();
  const again = new ResponseCache(service, load);
  const listings = new Listings(service, load, again);
  const app = Fastify({
    serverFactory: (route) =>
      serverFor((request, response) =>
        load.turns.take(request, () => {
          if (again.answer(request, response, app.tellAnswered)) return;
          if (!listings.take(request, response, app.tellAnswered, route)) route(request, response);
        }),
      ),
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    // Only the log uses a client's address; nothing uses the host or protocol that a proxy reports.
    trustProxy: service.trustedProxies?.length ? [...service.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Each request has one line in the log, so no request id is needed.
    childLoggerFactory: (all) => all,
    routerOptions: {
      // Never reached: the guards refuse long URLs first, with the contract's message.
      maxParamLength: LARGEST_HEAD,
      // http/request/query.ts parses the query, strictly.
      querystringParser: () => ({}),
    },
    // Runs before the router, as no other hook does for requests through `inject`.
    rewriteUrl: (request) => {
      showAsRead(request);
      return routable(request.url ?? "/");
    },
    clientErrorHandler: sendRawError,
    // No route has a Fastify schema. Without the schema compilers, the server starts a tenth faster.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw nothingHere();
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.decorate("openAnswers", () => load.turns.length + load.answers);
  addClient(app);
  addProtocol(app);
  addRefused(app);
  addAdmission(app, load);
  addAnswered(app);
  addRequestLog(app);
  addGuards(app, service);
  addExplorer(app, service);
  addExplorerPage(app);
  addSpaceLink(app);
  addStatus(app, service);
  addMetrics(app, service);
  addOpenapi(app, service);
  return app;
}

function noSchemas(): never {
  throw new Error("Routes have no schemas: list-request.ts reads requests, send.ts writes answers.");
}

function serverFor(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: LARGEST_HEAD,
      // The guards refuse a missing Host header, with the contract's message.
      requireHostHeader: false,
      // A request without a body needs no stream that ends and closes.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.requestTimeout = LONGEST_REQUEST;
  server.keepAliveTimeout = LONGEST_IDLE;
  server.setTimeout(LONGEST_SILENCE);
  return server;
}
