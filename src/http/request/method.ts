import type { IncomingMessage } from "node:http";

/** The original methods of the requests that {@link showAsRead} changed. */
const others = new WeakMap<IncomingMessage, string>();

/**
 * Shows a request to the router as a GET, whose guard then refuses the original method with a 405. Routes for about
 * thirty methods would take a third of the start-up time.
 */
export function showAsRead(request: IncomingMessage): void {
  const { method = "" } = request;
  if (method === "GET" || method === "HEAD") return;
  others.set(request, method);
  request.method = "GET";
}

export function methodOf(request: IncomingMessage): string {
  return others.get(request) ?? request.method ?? "";
}
