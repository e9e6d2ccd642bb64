import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

export function addClient(app: FastifyInstance): void {
  // Node reads a socket's address when it is first used, and cannot read it after the connection has ended.
  app.server.on("connection", (socket) => void socket.remoteAddress);
}

/**
 * The address of the client: the socket's, or the one that a trusted proxy reports (`trustProxy` in app.ts). A reported
 * text that is not an address is ignored.
 */
export function clientOf({ ip, socket }: FastifyRequest): string | undefined {
  return isIP(ip) === 0 ? socket.remoteAddress : ip;
}
