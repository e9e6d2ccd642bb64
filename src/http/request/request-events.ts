import type { FastifyInstance } from "fastify";
import type { Token } from "../../store/revisions/registry.ts";
import { clientOf } from "../admission/client.ts";
import { methodOf } from "./method.ts";
import { refusalOf } from "../errors/refused.ts";

export interface Answered {
  readonly method: string;
  /** An OpenAPI template such as `/v1/spaces/{spaceId}`; absent if no route matches. */
  readonly route: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly token: Token | null;
  /** The client's address, only if the request was refused. */
  readonly client?: string | undefined;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Calls `listener` for each request when its answer is sent. */
    onAnswered(listener: (answered: Answered) => void): void;
    /** Reports a request that was answered without the router. */
    tellAnswered(answered: Answered): void;
  }
}

export function addAnswered(app: FastifyInstance): void {
  const listeners: ((answered: Answered) => void)[] = [];
  app.decorate("onAnswered", (listener: (answered: Answered) => void) => void listeners.push(listener));
  app.decorate("tellAnswered", (answered: Answered) => {
    for (const listener of listeners) listener(answered);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const refusal = refusalOf(request.raw);
    app.tellAnswered({
      method: methodOf(request.raw),
      route: refusal?.route ?? templateOf(request.routeOptions.url),
      status: reply.statusCode,
      milliseconds: refusal === undefined ? reply.elapsedTime : performance.now() - refusal.began,
      token: request.token,
      client: reply.statusCode < 400 ? undefined : clientOf(request),
    });
    done();
  });
}

const templates = new Map<string, string>();

/** `/v1/spaces/:spaceId` as an OpenAPI template. */
function templateOf(route: string | undefined): string | undefined {
  if (route === undefined) return undefined;
  let template = templates.get(route);
  if (template === undefined) {
    template = route.replaceAll(/:(\w+)/g, "{$1}");
    templates.set(route, template);
  }
  return template;
}
