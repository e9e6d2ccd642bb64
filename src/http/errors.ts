/**
 * Refusals and errors, as they are sent (docs/errors.md): a body in JSON, or a page for a person who mistyped an
 * address; as raw text before there is a request.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { ApiError, DatabaseFileError, unavailable } from "../domain/error.ts";
import { html } from "../domain/markup.ts";
import { SIGN_IN_PATHS } from "../explorer/wire/protocol.ts";
import { asksForToken, LONGEST_URL } from "./admission.ts";
import { answer, bodyOf, JSON_TYPE, NOSNIFF, weightsIn } from "./exchange.ts";
import { PAGE_HEADERS, STYLE_ELEMENT } from "./style.ts";

/**
 * An `import` of this module also compiles Node's `fetch` and WebSocket, which takes twice as long as Node itself needs
 * to start (docs/decisions/0014-sources-without-types.md).
 */
const { METHODS, ServerResponse, STATUS_CODES } = process.getBuiltinModule("node:http");

/**
 * Answers a request whose handler throws: an {@link ApiError} as it is, or with the page of a path that does not exist.
 * Any other error is logged and sent without details: as a 503 if the database file cannot be read or written, else as
 * a 500.
 */
export function errorHandler(logger: FastifyBaseLogger) {
  return (thrown: Error, { exchange, originalUrl, headers: sent }: FastifyRequest): void => {
    // The exchange begins before any step of a request can throw (app.ts).
    if (exchange === undefined) throw thrown;
    const refusal = thrown instanceof ApiError ? thrown : unexpected(thrown, logger);
    const { status, message } = refusal;
    // Outside the API, a path that does not exist is one that a person mistyped; and it is people who sign in.
    const isMistyped = status === 404 && !asksForToken(originalUrl);
    const isForPeople = isMistyped || originalUrl.startsWith(SIGN_IN_PATHS.begin);
    const headers = {
      ...exchange.headers,
      ...refusal.headers,
      "cache-control": "no-store",
      ...(isForPeople ? { vary: "Accept" } : {}),
    };
    if (isForPeople && wantsPage(sent)) {
      const said = isMistyped ? "There is nothing at this address" : message;
      exchange.write(answer(status, { ...headers, ...PAGE_HEADERS }, bodyOf(refusalPage(originalUrl, said))));
    } else {
      exchange.write(answer(status, { ...headers, ...JSON_TYPE }, bodyOf(errorBody(status, message))));
    }
  };
}

function unexpected(thrown: Error, logger: FastifyBaseLogger): ApiError {
  if (thrown instanceof DatabaseFileError) {
    logger.error(`${thrown.message} Stop the server and run: rolebook verify`);
    return unavailable(thrown);
  }
  logger.error({ err: thrown }, "unexpected error");
  return new ApiError("internal", "Something went wrong on the server.");
}

function errorBody(code: number, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

/** What a browser shows of a refusal that a person meets. `path` is used only to link to the start page. */
function refusalPage(path: string, said: string): string {
  // Relative, so that it holds behind any prefix of a proxy.
  const [, depth = ""] = /^\/([^?]*)/.exec(path) ?? [];
  const start = `./${depth.replaceAll(/[^/]/g, "").replaceAll("/", "../")}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Rolebook: ${said}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <nav>
          <p class="name"><a href="${start}">Rolebook</a></p>
        </nav>
        <main>
          <header>
            <h1>${said}</h1>
            <p>
              Go to the <a href="${start}">start page</a>, or see the
              <a href="${start}docs">API reference</a>.
            </p>
          </header>
        </main>
      </body>
    </html>`;
  return page.text;
}

/** Whether a client names `text/html`, as browsers do for an address that a person opens, and not JSON before it. */
function wantsPage({ accept = "" }: IncomingHttpHeaders): boolean {
  const weights = weightsIn(accept);
  return (weights.get("text/html") ?? 0) > (weights.get("application/json") ?? 0);
}

type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Refuses input that is too large or malformed to be a request, and closes the connection. */
export function sendRawError(error: ParserError, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const earlier = answerUnderWay(socket);
  // The body of a request that is not answered yet may be what is malformed or cut. Then no answer is waited for, since
  // it waits for the body.
  if (earlier !== undefined && (earlier.req.complete || earlier.headersSent)) {
    // An earlier request on the connection is still being answered. That answer is completed first.
    earlier.once("close", () => sendRawError(error, socket));
    return;
  }
  const [code, message, headers] = refusalOf(error);
  refuse(socket, code, message, headers, firstLineOf(error).startsWith("HEAD "));
}

export function statusOf(error: ParserError): number {
  return refusalOf(error)[0];
}

/** Writes a refusal to a connection without a further request, and closes it. `head` omits the body. */
export function refuse(
  socket: Duplex,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  head = false,
): void {
  const body = errorBody(code, message);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\ncontent-type: application/json; charset=utf-8\r\n${more.join("")}` +
      `${NOSNIFF.join(": ")}\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${head ? "" : body}`,
  );
}

/** The answer that Node is sending on a connection. Node has no public property for it. */
export function answerUnderWay(socket: Duplex): InstanceType<typeof ServerResponse> | undefined {
  const found: unknown = Reflect.get(socket, "_httpMessage");
  return found instanceof ServerResponse && !found.writableFinished ? found : undefined;
}

/** The first line of the last packet. */
function firstLineOf({ rawPacket }: ParserError): string {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString("latin1") : "";
  return packet.split("\r\n", 1)[0] ?? "";
}

function refusalOf(error: ParserError): [number, string, Record<string, string>?] {
  const { code } = error;
  const line = firstLineOf(error);
  if (code === "HPE_HEADER_OVERFLOW") {
    if (line.length > LONGEST_URL) return [414, `The URL is longer than ${LONGEST_URL} characters.`];
    return [431, "The headers are larger than 16 KiB."];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request did not arrive in time."];
  // Node does not know this method. The refusal is the one for every method other than GET and HEAD.
  const [, method] = /^([!#$%&'*+.^_`|~\w-]+) \S+ HTTP\/1\.[01]$/.exec(line) ?? [];
  if (code === "HPE_INVALID_METHOD" && method !== undefined && !METHODS.includes(method)) {
    return [405, "The method is not known; accepted: GET, HEAD.", { allow: "GET, HEAD" }];
  }
  return [400, "This is not an HTTP request."];
}
