/** The explorer: its page, the links to it, and the requests that the page sends. */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger } from "fastify";
import { ID } from "../domain/id.ts";
import { html } from "../domain/markup.ts";
import { EXPLORER_PATHS, REVIEW_PATH, SIGN_IN_META } from "../explorer/wire/protocol.ts";
import { nothingHere } from "./admission.ts";
import {
  type Answer,
  answer,
  type Body,
  bodyOf,
  type Exchange,
  type Handler,
  NO_BODY,
  type Route,
  weightsIn,
} from "./exchange.ts";
import type { Downloads } from "./download.ts";
import type { explorerAnswers } from "./explorer-answers.ts";
import { matches } from "./revision.ts";
import type { Service } from "./service.ts";
import type { Setup } from "./sign-in/setup.ts";

const GUARD = {
  // Allows the page only its own script, style and requests, and images in the style.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

const HTML = "text/html; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
  ".html": HTML,
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The name that the build gives to the page's icon. */
const ICON = /^favicon-.*\.svg$/;
const BUILT = dirname(fileURLToPath(import.meta.resolve("#root/dist/explorer/index.html")));

/** A file of the page. All are small, and kept in memory. */
interface Asset {
  readonly body: Body;
  readonly type: string;
  readonly etag: string;
  /** The file in gzip, if the build made that. */
  readonly compressed?: Body;
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
 * The explorer's page at `/` and its files under `/assets/`, all read at the start. They have no data of any
 * organization, so they need no token. The page says with whom people can sign in.
 */
export function pageRoutes(
  logger: Pick<FastifyBaseLogger, "warn">,
  { signIn, folder = BUILT }: { signIn?: Pick<Setup, "issuer"> | undefined; folder?: string } = {},
): Route[] {
  const meta = signIn && html`<meta name="${SIGN_IN_META}" content="${new URL(signIn.issuer).host}" />`.text;
  const index = read(join(folder, "index.html"), meta);
  if (index === undefined) logger.warn("The explorer is not built: run npm ci to have it at /.");
  const page: Route = { path: "/", handler: index === undefined ? notBuilt : sends(index, "no-cache") };
  const assets = join(folder, "assets");
  const files = (existsSync(assets) ? readdirSync(assets) : []).flatMap((name): Route[] => {
    const asset = read(join(assets, name));
    if (asset === undefined) return [];
    // Cached for ever: the name contains a hash of the file.
    const file = { path: `/assets/${name}`, handler: sends(asset, "public, max-age=31536000, immutable") };
    // Browsers ask for /favicon.ico with every answer that they show, even a JSON one.
    return ICON.test(name)
      ? [file, { path: "/favicon.ico", handler: sends(asset, "max-age=86400") }]
      : [file];
  });
  return [page, ...files];
}

/**
 * Redirects `/s/ID`, the `urls.app` of a space, to the space on the page. The space is not looked up, so the answer
 * does not reveal whether it exists. The location is relative, so that it holds behind any prefix of a proxy.
 */
export const SPACE_LINK: Route = {
  path: "/s/{spaceId}",
  handler({ parameters: { spaceId = "" }, headers }) {
    if (!ID.test(spaceId)) throw nothingHere();
    return answer(302, { ...headers, location: `../?space=${spaceId}` }, NO_BODY);
  },
};

/** The explorer's requests. The first of them loads what answers them, which is half of the program. */
export function explorerRoutes(service: Service, downloads: Downloads): Route[] {
  let loaded: Promise<ReturnType<typeof explorerAnswers>> | undefined;
  const load = () => {
    loaded ??= import("./explorer-answers.ts").then(({ explorerAnswers }) =>
      explorerAnswers(service, downloads),
    );
    // The next request tries again, for example after too many files were open.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  return EXPLORER_PATHS.map((path) => ({
    path,
    ...(path === REVIEW_PATH && { method: "POST" }),
    handler: async (exchange) => {
      const handler = (await load()).get(path);
      if (handler === undefined) throw nothingHere();
      return handler(exchange);
    },
  }));
}

function notBuilt({ headers }: Exchange): Answer {
  const described = { ...headers, ...GUARD, "content-type": HTML, "cache-control": "no-store" };
  return answer(404, described, bodyOf(NOT_BUILT));
}

function sends({ body, type, etag, compressed }: Asset, cacheControl: string): Handler {
  return ({ headers, request }) => {
    const { "if-none-match": known, "accept-encoding": accepted } = request.headers;
    const inGzip = acceptsGzip(accepted) ? compressed : undefined;
    const described = {
      ...headers,
      ...GUARD,
      etag: inGzip ? etag.replace(/"$/, '-gzip"') : etag,
      "cache-control": cacheControl,
      "content-type": type,
      ...(compressed && { vary: "Accept-Encoding" }),
    };
    if (matches(known, described.etag)) return { status: 304, headers: described, body: NO_BODY };
    return inGzip
      ? answer(200, { ...described, "content-encoding": "gzip" }, inGzip)
      : answer(200, described, body);
  };
}

/** Whether an `Accept-Encoding` header accepts gzip (RFC 9110). Without a header, the bytes are sent as they are. */
function acceptsGzip(header: string | string[] = ""): boolean {
  const weights = weightsIn(String(header));
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Reads a file of the page; `meta` is put at the end of its head. */
function read(path: string, meta = ""): Asset | undefined {
  const type = TYPES[extname(path)];
  if (type === undefined || !existsSync(path)) return undefined;
  const found = readFileSync(path);
  const bytes = meta === "" ? found : Buffer.from(found.toString().replace("</head>", `${meta}</head>`));
  return {
    body: bodyIn(bytes),
    type,
    etag: `"${hash("sha256", bytes, "base64url").slice(0, 22)}"`,
    ...(existsSync(`${path}.gz`) && { compressed: bodyIn(readFileSync(`${path}.gz`)) }),
  };
}

function bodyIn(data: Buffer): Body {
  return { data, encoding: "latin1", length: data.length };
}
