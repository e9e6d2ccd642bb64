import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ID } from "../../domain/id.ts";
import { nothingHere } from "../admission/guards.ts";
import { matches } from "../listings/validators.ts";

/** Allows only what the page needs: its own script, style and requests, and images inside the style. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page's icon, as the build names it. */
const ICON = /^favicon-.*\.svg$/;
/** Where the build puts the page. */
const BUILT = dirname(fileURLToPath(import.meta.resolve("#root/dist/explorer/index.html")));

/** A file of the built page, kept in memory: there are few, and they are small. */
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
 * The explorer's page at `/` and its files under `/assets/`, read when the server starts. They contain no data, so
 * they need no token.
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
    // Browsers request /favicon.ico for every answer that they display, even one in JSON.
    if (ICON.test(name)) {
      app.get("/favicon.ico", async (request, reply) => send(asset, "max-age=86400", request, guard(reply)));
    }
    // The name contains a hash of the content, so the content never changes.
    app.get(`/assets/${name}`, async (request, reply) =>
      send(asset, "public, max-age=31536000, immutable", request, guard(reply)),
    );
  }
}

/**
 * `/s/ID`, the `urls.app` of a space, redirects to the space's view on the page. The space is not looked up, so the
 * answer does not reveal whether the space exists. The address is relative and therefore works below any prefix; an id
 * has no character that needs encoding.
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
