/** `GET /export`: the snapshot file of the caller's organization, as `rolebook export` prints it (docs/api.md). */
import { ApiError } from "../domain/error.ts";
import { absent } from "../operations/authorize.ts";
import { exportLines, inPieces, withEnd } from "../snapshot/export.ts";
import { modelOf } from "../store/models.ts";
import type { Reading } from "../store/reading.ts";
import { type Downloads, openFile } from "./download.ts";
import { type Answer, type Exchange, NO_BODY, type Route } from "./exchange.ts";
import { parseQuery } from "./query.ts";
import { AT, revisionAsked, whenOf } from "./revision.ts";
import type { Service } from "./service.ts";

export const EXPORT = "/export";

export function exportRoutes(service: Service, downloads: Downloads): Route[] {
  return [EXPORT, AT + EXPORT].map((path) => ({
    path,
    handler: (exchange) => exported(service, downloads, exchange),
  }));
}

async function exported({ store }: Service, downloads: Downloads, exchange: Exchange): Promise<Answer> {
  const { caller, headers, parameters, query, request } = exchange;
  const when = whenOf(parameters.when);
  parseQuery(query, []);
  const organization = await store.registry.organizationOf(caller);
  if (organization === undefined) throw absent("organization", caller.organization);
  const at = await revisionAsked(store.registry, organization, when, undefined);
  if (caller.member !== undefined) {
    throw new ApiError(
      "forbidden",
      "This token may not export its organization; that takes an organization token.",
    );
  }
  exchange.revision = at.revision;
  const described = {
    ...headers,
    "content-type": "application/x-ndjson",
    "x-rolebook-revision": String(at.revision),
    "last-modified": new Date(at.importedAt).toUTCString(),
    "cache-control": "no-store",
    vary: "Authorization",
  };
  if (request.method === "HEAD") return { status: 200, headers: described, body: NO_BODY };
  const file = { headers: described, texts: (reading: Reading) => texts(reading, exchange) };
  const body = await openFile(store, file, at, exchange, downloads.begin(caller));
  return { status: 200, headers: described, body };
}

async function* texts(reading: Reading, exchange: Exchange): AsyncGenerator<string> {
  exchange.rows = 0;
  for await (const { text, lines } of inPieces(withEnd(exportLines(await modelOf(reading))))) {
    exchange.rows += lines;
    yield text;
  }
}
