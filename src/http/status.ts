import type { FastifyInstance } from "fastify";
import { ApiError } from "../domain/error.ts";
import { statement } from "../store/engine/engine.ts";
import type { Service } from "./service.ts";

const PING = statement<[one: number]>(() => "SELECT 1 FROM counter WHERE name = 'revision'");

/** `/healthz`: the process is alive. `/readyz`: the database answers and the server accepts requests. */
export function addStatus(app: FastifyInstance, service: Service): void {
  app.get("/healthz", async (_, reply) =>
    reply.header("cache-control", "no-store").send({ status: "alive" }),
  );
  app.get("/readyz", async (_, reply) => {
    if (service.draining) {
      throw new ApiError("unavailable", "The server is stopping.", { "retry-after": "1" });
    }
    const [row] = await service.store.engine.read(PING);
    if (row === undefined) {
      throw new ApiError("unavailable", "The database does not answer.", { "retry-after": "1" });
    }
    return reply.header("cache-control", "no-store").send({ status: "ready" });
  });
}
