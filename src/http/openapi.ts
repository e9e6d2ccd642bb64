import { hash } from "node:crypto";
import { PAGE_HEADERS } from "./style.ts";
import type { Service } from "./service.ts";
import { EXPLORER_OPENAPI } from "./admission.ts";
import { answer, bodyOf, type Handler, JSON_TYPE, NO_BODY, type Route } from "./exchange.ts";
import { yieldToEventLoop } from "../store/turns.ts";
import { matches } from "./revision.ts";

interface PublishedDocument {
  readonly text: string;
  readonly etag: string;
}

/**
 * Serves `/openapi.json`, the same for people as `/docs`, and `/explorer/openapi.json`. They describe only the program,
 * so they need no token, and caches may keep them for 5 minutes.
 */
export function openapiRoutes(service: Service): Route[] {
  const { version } = service;
  const json = onceFor(service, async (url) => JSON.stringify((await documents()).openapi(version, url)));
  const explorer = onceFor(service, async (url) =>
    JSON.stringify((await documents()).explorerOpenapi(version, url)),
  );
  const page = onceFor(service, async (url) =>
    (await import("./openapi/reference.ts")).referencePage((await documents()).openapi(version, url)),
  );
  return [
    { path: "/openapi.json", handler: sends(json, JSON_TYPE) },
    { path: EXPLORER_OPENAPI, handler: sends(explorer, JSON_TYPE) },
    { path: "/docs", handler: sends(page, PAGE_HEADERS) },
  ];
}

/**
 * Loaded by the first request: loading takes half of the start-up time. Others get a turn after each part, because an
 * import loads all of its modules at once, and typebox has 500.
 */
async function documents() {
  const parts = [
    () => import("typebox/schema"),
    () => import("typebox/type"),
    () => import("../operations/operations.ts"),
    () => import("../explorer/server/operations.ts"),
  ];
  for (const load of parts) {
    await load();
    await yieldToEventLoop();
  }
  return import("./openapi/document.ts");
}

/** Renders at the first request: if the server listens on port 0, its URL is not known earlier. */
function onceFor(
  service: Service,
  render: (publicUrl: string) => Promise<string>,
): () => Promise<PublishedDocument> {
  let known: PublishedDocument | undefined;
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

function sends(document: () => Promise<PublishedDocument>, type: Readonly<Record<string, string>>): Handler {
  return async ({ headers, request }) => {
    const { text, etag } = await document();
    const described = { ...headers, ...type, etag, "cache-control": "public, max-age=300" };
    return matches(request.headers["if-none-match"], etag)
      ? { status: 304, headers: described, body: NO_BODY }
      : answer(200, described, bodyOf(text));
  };
}
