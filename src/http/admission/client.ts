import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Keeps the address of each client available after its connection has ended. */
export function addClient(app: FastifyInstance): void {
  // A socket caches its address when the address is first read. After the connection has ended, an address that is not
  // cached can no longer be read.
  app.server.on("connection", (socket) => void socket.remoteAddress);
}

/**
 * The address of the client: the socket's, or the one that trusted proxies report (see `trustProxy` in app.ts). A
 * reported text that is not an address is dropped.
 */
export function clientOf({ ip, socket }: FastifyRequest): string | undefined {
  return isIP(ip) === 0 ? socket.remoteAddress : ip;
}
