import type { IncomingMessage } from "node:http";

/** The original methods of requests that are neither GET nor HEAD. */
const others = new WeakMap<IncomingMessage, string>();

/**
 * Presents a request to the router as a GET, so that the guard of its path answers 405. Separate routes for some thirty
 * methods would take a third of the start-up time.
 */
export function showAsRead(request: IncomingMessage): void {
  const { method = "" } = request;
  if (method === "GET" || method === "HEAD") return;
  others.set(request, method);
  request.method = "GET";
}

/** The original method of a request. */
export function methodOf(request: IncomingMessage): string {
  return others.get(request) ?? request.method ?? "";
}
