import { METHODS, ServerResponse } from "../node-http.ts";
import type { Duplex } from "node:stream";
import { LONGEST_URL } from "../admission/guards.ts";
import { errorBody } from "./errors.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  414: "URI Too Long",
  431: "Request Header Fields Too Large",
};

type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Refuses input that is too large or malformed to be a request, and closes the connection. */
export function sendRawError(error: ParserError, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = answerUnderWay(socket);
  if (answer !== undefined) {
    // An earlier request on the connection is still being answered. That answer is completed first.
    answer.once("close", () => sendRawError(error, socket));
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
    `HTTP/1.1 ${code} ${REASONS[code]}\r\ncontent-type: application/json; charset=utf-8\r\n${more.join("")}` +
      `cache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${head ? "" : body}`,
  );
}

/** The answer that Node is sending on a connection. Node has no public property for it. */
function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const answer: unknown = Reflect.get(socket, "_httpMessage");
  return answer instanceof ServerResponse && !answer.writableFinished ? answer : undefined;
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
