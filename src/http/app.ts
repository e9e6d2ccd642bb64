import { createServer, type RequestListener, type Server } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { ResponseCache } from "./listings/response-cache.ts";
import { addAnswered } from "./request-events.ts";
import { addClient } from "./admission/client.ts";
import { sendError } from "./errors/errors.ts";
import { addExplorer } from "./explorer/explorer.ts";
import { addExplorerPage, addSpaceLink } from "./explorer/explorer-page.ts";
import { addGate, nothingHere } from "./admission/guards.ts";
import { Listings } from "./listings/listing.ts";
import { addLoad, Load } from "./admission/admission.ts";
import { showAsRead } from "./method.ts";
import { addMetrics } from "./metrics.ts";
import { addOpenapi } from "./openapi.ts";
import { addProtocol } from "./protocol.ts";
import { addRefused } from "./errors/refused.ts";
import { addRequestLog } from "./request-log.ts";
import { sendRawError } from "./errors/raw-errors.ts";
import type { Service } from "./service.ts";
import { addStatus } from "./status.ts";
import { routable } from "./target.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** How many requests have not been answered to their last byte. */
    openAnswers(): number;
  }
}

/** Below Node's limit for the whole head, so that a long URL is told from large headers. In bytes. */
const LARGEST_HEAD = 16 * 1024;

/** How long a request may take to come in, and how long a connection is kept for the next one. Milliseconds. */
const LONGEST_REQUEST = 30_000;
const LONGEST_IDLE = 72_000;
/** How long a connection may stand still in the middle of an answer, in milliseconds. */
const LONGEST_SILENCE = 60_000;
/** Connections at once; more are closed as they come, so that those that are open can be served. */
const MOST_CONNECTIONS = 10_000;

/** The whole HTTP interface, ready to listen or to be asked through `inject`. */
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
    // Only the log asks for a client's address, and nothing for a host or a protocol.
    trustProxy: service.trustedProxies?.length ? [...service.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // One line is logged for a request, so there is nothing to tie together.
    childLoggerFactory: (all) => all,
    routerOptions: {
      // No parameter is as long: the gate says what is too long, in our own words.
      maxParamLength: LARGEST_HEAD,
      // The query is read by http/query.ts, which forgives nothing.
      querystringParser: () => ({}),
    },
    // The one place before the router that requests through `inject` pass too.
    rewriteUrl: (request) => {
      showAsRead(request);
      return routable(request.url ?? "/");
    },
    clientErrorHandler: sendRawError,
    // No route has a schema of Fastify's: what compiles them takes a tenth of the start to load.
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
  addLoad(app, load);
  addAnswered(app);
  addRequestLog(app);
  addGate(app, service);
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
  // A missing Host is refused by the gate, in our own words.
  const server = createServer({ maxHeaderSize: LARGEST_HEAD, requireHostHeader: false }, listener);
  server.requestTimeout = LONGEST_REQUEST;
  server.keepAliveTimeout = LONGEST_IDLE;
  server.setTimeout(LONGEST_SILENCE);
  return server;
}
