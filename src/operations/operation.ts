import type { ContentKind } from "../domain/content.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Column } from "./columns.ts";
import type { Reading } from "../store/reading.ts";
import type { FilterName, Filters } from "./parameters.ts";
import type { SchemaName } from "./schemas.ts";

/** A validated request for a page. */
export interface ListRequest {
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly filters: Filters;
  readonly page: PageRequest<string>;
}

/**
 * What a listing is about; it decides who may see the listing (contract, section 7). If the listing reads its subject
 * (`isRead`), authorization caches it; otherwise authorization only checks that it exists.
 */
export type Subject =
  | { readonly of: "content"; readonly kind: ContentKind; readonly parameter: string; readonly isRead?: true }
  | { readonly of: "member"; readonly parameter: string; readonly isRead?: true }
  | { readonly of: "site"; readonly parameter: string };

/**
 * An endpoint, declared once. Its route, checks, answer and OpenAPI object, its command of `rolebook list`, and its
 * rows in the documents' tables (`npm run generate`) all follow from this.
 */
export interface Operation {
  /** The operation's name in the OpenAPI document of the official client. */
  readonly id: string;
  /** The path, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly subject: Subject;
  readonly filters: readonly FilterName[];
  readonly entry: SchemaName;
  /** The sort key of the list, in words. */
  readonly sortedBy: string;
  /** What `rolebook list` prints of an entry as a table or a CSV. */
  readonly columns: readonly Column[];
  /**
   * Reads into the cache what the page needs. If the database is remote, this runs while the caller is authorized,
   * which takes one wait instead of two.
   */
  prepare?(reading: Reading, request: ListRequest): Promise<unknown>;
  /**
   * The page, its entries as JSON text. The caller is authorized, and the subject exists at `reading`: the current
   * revision, or the one on which the walk began. `undefined` if the subject exists at only one of these two revisions.
   */
  list(reading: Reading, request: ListRequest, publicUrl: string): Promise<Page<string, string> | undefined>;
}

/** The path parameters of a template, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
