import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PAGE_HEADERS } from "./reference/style.ts";
import type { Service } from "./service.ts";
import { EXPLORER_OPENAPI } from "./request/target.ts";
import { matches } from "./listings/validators.ts";

interface Published {
  readonly text: string;
  readonly etag: string;
}

/**
 * Serves `/openapi.json`, the same for people as `/docs`, and `/explorer/openapi.json`. They describe only the program,
 * so they need no token, and caches may keep them for 5 minutes.
 */
export function addOpenapi(app: FastifyInstance, service: Service): void {
  // Loaded by the first request: loading takes half of the start-up time.
  const documents = () => import("./openapi/document.ts");
  const { version } = service;
  const json = onceFor(service, async (url) => JSON.stringify((await documents()).openapi(version, url)));
  const explorer = onceFor(service, async (url) =>
    JSON.stringify((await documents()).explorerOpenapi(version, url)),
  );
  const page = onceFor(service, async (url) =>
    (await import("./reference/page.ts")).referencePage((await documents()).openapi(version, url)),
  );
  for (const [path, document] of [
    ["/openapi.json", json],
    [EXPLORER_OPENAPI, explorer],
  ] as const) {
    app.get(path, async (request, reply) =>
      send(await document(), request, reply.header("content-type", "application/json; charset=utf-8")),
    );
  }
  app.get("/docs", async (request, reply) => send(await page(), request, reply.headers(PAGE_HEADERS)));
}

/** Renders at the first request: if the server listens on port 0, its URL is not known earlier. */
function onceFor(service: Service, render: (publicUrl: string) => Promise<string>): () => Promise<Published> {
  let known: Published | undefined;
  let url: string | undefined;
  return async () => {
    if (known === undefined || url !== service.publicUrl) {
      url = service.publicUrl;
      const text = await render(url);
      known = { text, etag: `"${hash("sha256", text, "base64url").slice(0, 22)}"` };
    }
    return known;
  };
}

function send({ text, etag }: Published, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag, "cache-control": "public, max-age=300" });
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.send(text);
}
