import type { Socket } from "node:net";
import { LONGEST_URL } from "./gate.ts";
import { errorBody } from "./errors.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  414: "URI Too Long",
  431: "Request Header Fields Too Large",
};

/** Answers what is so far from HTTP, or so large, that no request came of it; then closes the connection. */
export function sendRawError(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, message] = refusalOf(error);
  const body = errorBody(code, message);
  socket.end(
    `HTTP/1.1 ${code} ${REASONS[code]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `cache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function refusalOf(error: Error & { code?: string; rawPacket?: unknown }): [code: number, message: string] {
  if (error.code === "HPE_HEADER_OVERFLOW") {
    const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString("latin1") : "";
    const line = packet.slice(0, packet.includes("\r\n") ? packet.indexOf("\r\n") : undefined);
    if (line.length > LONGEST_URL) return [414, `The URL is longer than ${LONGEST_URL} characters.`];
    return [431, "The headers are larger than 16 KiB."];
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "The request did not come in time."];
  return [400, "This is not an HTTP request."];
}
