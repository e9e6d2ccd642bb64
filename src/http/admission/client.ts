import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Keeps the address of each client known after its connection has ended. */
export function addClient(app: FastifyInstance): void {
  // A socket that was asked once remembers it; later it has nobody to ask.
  app.server.on("connection", (socket) => void socket.remoteAddress);
}

/**
 * The address that a request came from: the socket's, or the one that proxies tell of that are trusted (see
 * `trustProxy` in app.ts). What a proxy says and is no address is not repeated.
 */
export function clientOf({ ip, socket }: FastifyRequest): string | undefined {
  return isIP(ip) === 0 ? socket.remoteAddress : ip;
}
