import { hash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ID } from "../../domain/id.ts";
import { nothingHere } from "../admission/guards.ts";
import { matches } from "../listings/validators.ts";

/** Allows the page only its own script, style and requests, and images in the style. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The name that the build gives to the page's icon. */
const ICON = /^favicon-.*\.svg$/;
const BUILT = dirname(fileURLToPath(import.meta.resolve("#root/dist/explorer/index.html")));

/** A file of the page. All are small, and kept in memory. */
interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Rolebook</title>
<h1>The explorer is not built</h1>
<p>Run <code>npm ci</code> where Rolebook was checked out, and start it again.
<p>The interface works without it: see <a href="docs">the reference</a>.
`;

/**
 * Serves the explorer's page at `/` and its files under `/assets/`, all read at the start. They have no data of any
 * organization, so they need no token.
 */
export function addExplorerPage(app: FastifyInstance, folder = BUILT): void {
  const index = read(join(folder, "index.html"));
  if (index === undefined) app.log.warn("The explorer is not built: run npm ci to have it at /.");
  app.get("/", async (request, reply) => {
    guard(reply);
    if (index === undefined) {
      return reply
        .code(404)
        .headers({ "content-type": TYPES[".html"], "cache-control": "no-store" })
        .send(NOT_BUILT);
    }
    return send(index, "no-cache", request, reply);
  });
  const assets = join(folder, "assets");
  for (const name of existsSync(assets) ? readdirSync(assets) : []) {
    const asset = read(join(assets, name));
    if (asset === undefined) continue;
    // Browsers ask for /favicon.ico with every answer that they show, even a JSON one.
    if (ICON.test(name)) {
      app.get("/favicon.ico", async (request, reply) => send(asset, "max-age=86400", request, guard(reply)));
    }
    // Cached for ever: the name contains a hash of the file.
    app.get(`/assets/${name}`, async (request, reply) =>
      send(asset, "public, max-age=31536000, immutable", request, guard(reply)),
    );
  }
}

/**
 * Redirects `/s/ID`, the `urls.app` of a space, to the space on the page. The space is not looked up, so the answer
 * does not reveal whether it exists. The location is relative, so that it holds behind any prefix of a proxy.
 */
export function addSpaceLink(app: FastifyInstance): void {
  app.get<{ Params: { spaceId: string } }>("/s/:spaceId", async ({ params: { spaceId } }, reply) => {
    if (!ID.test(spaceId)) throw nothingHere();
    return reply.code(302).header("location", `../?space=${spaceId}`).send();
  });
}

function read(path: string): Asset | undefined {
  const type = TYPES[extname(path)];
  if (type === undefined || !existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  return { bytes, type, etag: `"${hash("sha256", bytes, "base64url").slice(0, 22)}"` };
}

function guard(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}

function send(
  { bytes, type, etag }: Asset,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ etag, "cache-control": cacheControl, "content-type": type });
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.send(bytes);
}
