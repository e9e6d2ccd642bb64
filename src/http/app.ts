/**
 * The HTTP server: its limits, its routes, and the one order of steps of every request.
 *
 * Node reads a request, and Fastify finds its route. The request waits for its turn (load.ts), a listing's may be
 * answered again from the cache, admission refuses it or finds its caller (admission.ts), and the route's handler makes
 * the answer, which is written to Node's response (exchange.ts). What any of them throws becomes a refusal (errors.ts).
 * One route reads a body (body.ts), in its handler, after admission.
 */
import type { RequestListener, Server } from "node:http";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from "fastify";
import { OPERATIONS } from "../operations/operations.ts";
import { THINGS } from "../operations/things.ts";
import { admit, nothingHere, routable } from "./admission.ts";
import { callerAt, Callers } from "./callers.ts";
import { Downloads } from "./download.ts";
import { answerUnderWay, errorHandler, refuse, sendRawError, statusOf } from "./errors.ts";
import { Exchange, methodsOf, type Request, type Route, type Shape } from "./exchange.ts";
import { exportRoutes } from "./export.ts";
import { explorerRoutes, pageRoutes, SPACE_LINK } from "./explorer.ts";
import { listingRoutes, repeated } from "./listings.ts";
import { type Caller, entriesOf, LONGEST_SILENCE, overloaded } from "./load.ts";
import { Metrics } from "./metrics.ts";
import { openapiRoutes } from "./openapi.ts";
import { logAnswered } from "./request-log.ts";
import { workFor } from "../store/turns.ts";
import type { Service } from "./service.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { statusRoutes } from "./status.ts";

/** The limit for all headers together, in bytes. */
const LARGEST_HEAD = 16 * 1024;

/** Time limits for receiving a request and for an idle connection, in milliseconds. */
const LONGEST_REQUEST = 30_000;
const LONGEST_IDLE = 72_000;

/** The route of a path without a route. Admission refuses its requests. */
const NOTHING: Route = {
  path: "none",
  handler() {
    throw nothingHere();
  },
};

/** The HTTP server, ready to listen, or to be called with `inject`. Only tests pass `only`, the routes to have instead of all. */
export function buildApp(
  service: Service,
  logger: FastifyBaseLogger | false,
  only?: readonly Route[],
): FastifyInstance {
  const { load } = service;
  const callers = new Callers(service.sessions);
  const app = Fastify({
    serverFactory: serverFor,
    // The log, callers (callers.ts) and the limits of signing in use a client's address. Nothing uses the host or protocol that a proxy reports.
    trustProxy: service.trustedProxies?.length ? [...service.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Never reached, because admission refuses a long URL earlier, with a message of its own.
    routerOptions: {
      maxParamLength: LARGEST_HEAD,
      // The handler parses the query (query.ts), and refuses what other parsers accept.
      querystringParser: (text) => ({ text }),
    },
    rewriteUrl: ({ url = "/" }) => routable(url),
    clientErrorHandler: sendRawError,
    // No route has a Fastify schema. Leaving out the schema compilers makes the start a tenth faster.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  app.server.on("connection", (socket) =>
    load.connect(callerAt(socket.remoteAddress), socket, (other) => answerUnderWay(other) === undefined),
  );
  // Fastify itself logs nothing, and makes no logger for each request: a request has one line in the log.
  const log = logger === false ? app.log : logger;
  const metrics = new Metrics(service, app.server);
  app.addHook("onClose", async () => metrics.close());

  const tell = (exchange: Exchange) => {
    const answered = exchange.answered();
    metrics.count(answered);
    logAnswered(log, answered, exchange, service.logAccess === true);
    service.onAnswered?.(answered);
  };

  /** The steps of a request, in their order. */
  function serve(request: Request, reply: FastifyReply, route: Route, parameters: object | null): void {
    const { kind } = route;
    const entries = entriesOf(request.url);
    const caller = callers.of(request);
    if (kind === "probe") begin(load.caller(caller), false);
    else load.take(caller, request.raw, kind === "page" ? entries : undefined, begin);

    function begin(found: Caller, isRefused: boolean): void {
      const exchange = new Exchange(request, reply, route, load, found, entries, tell);
      const again = kind === "page" && !isRefused ? repeated(service, exchange) : undefined;
      if (again !== undefined) exchange.write(again);
      else {
        // Fastify would send anything but an Error as an answer.
        answer(exchange, isRefused).catch((thrown: unknown) => {
          reply.send(thrown instanceof Error ? thrown : new Error(String(thrown)));
        });
      }
    }

    async function answer(exchange: Exchange, isRefused: boolean): Promise<void> {
      if (isRefused) throw overloaded();
      await admit(service, callers, exchange, parameters);
      const work = () => route.handler(exchange);
      exchange.write(await workFor(exchange.counted, work, (isWaiting) => exchange.wait(isWaiting)));
    }
  }

  const downloads = new Downloads();
  const routes = only ?? [
    ...[...OPERATIONS, ...THINGS].flatMap((operation) => listingRoutes(service, operation)),
    ...exportRoutes(service, downloads),
    ...explorerRoutes(service, downloads),
    ...signInRoutes(service, log),
    ...pageRoutes(log, { signIn: service.sessions?.setup }),
    SPACE_LINK,
    ...statusRoutes(service),
    metrics.route,
    ...openapiRoutes(service),
  ];
  for (const route of routes) {
    app.route<Shape>({
      method: methodsOf(route),
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      handler: (request, reply) => serve(request, reply, route, request.params),
    });
  }
  // Without this, Fastify would parse bodies, also those of requests that admission refuses.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { overrideExisting: true });
  app.setNotFoundHandler<Shape>((request, reply) => {
    // A path that exists for another method is refused by its method, with a 405, and not as a missing path.
    const { url } = request;
    const read = app.findRoute({ method: "GET", url });
    const posted = read ?? app.findRoute({ method: "POST", url });
    serve(request, reply, posted === read ? NOTHING : { ...NOTHING, method: "POST" }, posted?.params ?? null);
  });
  app.setErrorHandler(errorHandler(log));
  answerOddRequests(app.server, log);
  return app;
}

/** Answers and logs what Node does not take for an ordinary request. */
function answerOddRequests(server: Server, log: FastifyBaseLogger): void {
  // Node reads a socket's address when it is first used, and cannot read it after the connection has ended.
  server.on("connection", (socket) => void socket.remoteAddress);
  server.on("clientError", (error: Error & { code?: string }, socket: { remoteAddress?: string }) => {
    if (error.code === "ECONNRESET") return;
    log.info({ status: statusOf(error), client: socket.remoteAddress }, "no request that can be read");
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_, socket) =>
    refuse(socket, 405, "The method is CONNECT; accepted: GET, HEAD.", { allow: "GET, HEAD" }),
  );
}

function noSchemas(): never {
  throw new Error("Routes have no schemas: listings.ts reads requests, and operations write answers.");
}

function serverFor(listener: RequestListener): Server {
  const server = process.getBuiltinModule("node:http").createServer(
    {
      maxHeaderSize: LARGEST_HEAD,
      // Admission refuses a missing Host header, with a message of its own.
      requireHostHeader: false,
      // Most requests have no body and need no stream for one.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.requestTimeout = LONGEST_REQUEST;
  server.keepAliveTimeout = LONGEST_IDLE;
  server.setTimeout(LONGEST_SILENCE, (socket) => {
    // While a request is answered and nothing is unsent, the server works or waits for the database.
    if (socket.writableLength > 0 || answerUnderWay(socket) === undefined) socket.destroy();
  });
  return server;
}
