import type { ContentKind } from "../domain/content.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Column } from "./columns.ts";
import type { Documents } from "../store/memory/documents.ts";
import type { Reading } from "../store/reading.ts";
import type { FilterName, Filters } from "./parameters.ts";
import type { SchemaName } from "./schemas.ts";

export interface ListRequest {
  /** The decoded path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly filters: Filters;
  readonly page: PageRequest<string>;
}

/**
 * What a listing is about. It decides who may list (contract, section 7).
 */
export type Subject =
  | { readonly of: "content"; readonly kind: ContentKind; readonly parameter: string }
  | { readonly of: "member"; readonly parameter: string }
  | { readonly of: "site"; readonly parameter: string };

/** What a page is written with. */
export interface Sending {
  readonly publicUrl: string;
  readonly documents: Documents;
}

/**
 * Declares an endpoint. Its route, checks, answer, OpenAPI object, its command of `rolebook list` and its rows in the
 * documents' tables (`npm run generate`) follow from this object.
 */
export interface Operation {
  /** The name of the operation in the OpenAPI document of the official client. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly subject: Subject;
  readonly filters: readonly FilterName[];
  readonly entry: SchemaName;
  readonly sortedBy: string;
  /** The columns of `rolebook list`, as a table or CSV. */
  readonly columns: readonly Column[];
  /**
   * The page, with its entries as JSON in UTF-8, one character for each byte; `undefined` if the subject does not exist
   * at the revision of `reading`: the current one, or the one on which the walk began. The caller must be authorized.
   */
  list(reading: Reading, request: ListRequest, sending: Sending): Promise<Page<string, string> | undefined>;
}

export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}
