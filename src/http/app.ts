import type { RequestListener, Server } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
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
import { createServer } from "./node-http.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The number of requests whose answer is not sent completely yet. */
    openAnswers(): number;
  }
}

/** The limit for all headers together, in bytes. */
const LARGEST_HEAD = 16 * 1024;

/** Time limits for receiving a request and for an idle connection, in milliseconds. */
const LONGEST_REQUEST = 30_000;
const LONGEST_IDLE = 72_000;
/** The time limit for a connection on which no byte is sent or received, in milliseconds. */
const LONGEST_SILENCE = 60_000;
/** Connections beyond this number are closed at once, to bound memory. */
const MOST_CONNECTIONS = 10_000;

/** The HTTP server, ready to listen, or to be called with `inject`. */
export function buildApp(service: Service, logger: FastifyBaseLogger | false): FastifyInstance {
  const load = new Load();
  const listings = new Listings(service, load);
  const app = Fastify({
    serverFactory: (route) =>
      serverFor((request, response) =>
        load.turns.take(request, () => {
          if (listings.again(request, response, app.tellAnswered)) return;
          if (!listings.take(request, response, app.tellAnswered, route)) route(request, response);
        }),
      ),
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    // Only the log uses a client's address. Nothing uses the host or protocol that a proxy reports.
    trustProxy: service.trustedProxies?.length ? [...service.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // No child logger for each request: a request has one line in the log, so it needs no id.
    childLoggerFactory: (all) => all,
    routerOptions: {
      // Never reached, because the guards refuse a long URL earlier, with the contract's message.
      maxParamLength: LARGEST_HEAD,
      // The query is parsed by http/request/query.ts, which refuses what Fastify's parser accepts.
      querystringParser: () => ({}),
    },
    // Runs before the router, also for requests through `inject`. No hook does both.
    rewriteUrl: (request) => {
      showAsRead(request);
      return routable(request.url ?? "/");
    },
    clientErrorHandler: sendRawError,
    // No route has a Fastify schema. Leaving out the schema compilers makes the start a tenth faster.
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
      // Most requests have no body and need no stream for one.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.requestTimeout = LONGEST_REQUEST;
  server.keepAliveTimeout = LONGEST_IDLE;
  server.setTimeout(LONGEST_SILENCE);
  return server;
}
