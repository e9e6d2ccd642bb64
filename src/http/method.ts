import type { IncomingMessage } from "node:http";

/** Methods other than GET and HEAD that requests came with. */
const others = new WeakMap<IncomingMessage, string>();

/**
 * Shows a request to the router as a GET, whatever its method, so that the gate finds the path's route and answers 405
 * there. Routes of their own for some thirty methods would take a third of a server's start.
 */
export function showAsRead(request: IncomingMessage): void {
  const { method = "" } = request;
  if (method === "GET" || method === "HEAD") return;
  others.set(request, method);
  request.method = "GET";
}

/** The method that a request came with. */
export function methodOf(request: IncomingMessage): string {
  return others.get(request) ?? request.method ?? "";
}
