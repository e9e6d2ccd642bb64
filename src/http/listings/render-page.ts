import type { Operation } from "../../operations/operation.ts";
import type { Revision } from "../../store/reading.ts";
import type { Service } from "../service.ts";
import { type Body, bytesBody } from "./body.ts";
import { type Asked, requestOf } from "./list-request.ts";
import type { Listed } from "./listing-routes.ts";
import { writePage } from "./page-identifier.ts";

/** The page as sent; `undefined` if its subject does not exist any more. */
export async function renderPage(
  service: Service,
  operation: Operation,
  path: Listed["path"],
  asked: Asked,
  at: Revision,
): Promise<Body | undefined> {
  const reading = service.store.reading(at);
  const page = await operation.list(reading, requestOf(path, asked), service);
  service.pagesRead++;
  service.rowsRead += reading.rows;
  if (page === undefined) return undefined;
  const next =
    page.next === undefined
      ? ""
      : `"next":{"page":"${writePage(asked.listing, { revision: at.revision, after: page.next })}"},`;
  // Faster than a join, which copies every entry.
  const items = page.entries.reduce((all, entry) => (all === "" ? entry : `${all},${entry}`), "");
  return bytesBody(`{${next}"count":${page.entries.length},"items":[${items}]}`);
}
