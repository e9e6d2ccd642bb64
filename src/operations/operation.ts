/** What an endpoint is: {@link Operation} declares one, and operations.ts has all of them. */
import type { ContentKind } from "../domain/content.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Model } from "../model/model.ts";
import type { FilterName, Filters } from "./parameters.ts";
import type { SchemaName } from "./schemas.ts";

interface ListRequest {
  /** The decoded path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly filters: Filters;
  readonly page: PageRequest<string>;
}

/**
 * What a listing is about. It decides who may list (docs/api.md).
 */
export type ListingSubject =
  | { readonly of: "content"; readonly kind: ContentKind; readonly parameter: string }
  | { readonly of: "member"; readonly parameter: string }
  | { readonly of: "site"; readonly parameter: string }
  | { readonly of: "organization"; readonly parameter: string };

/** What a page is written with. */
interface Sending {
  readonly publicUrl: string;
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
  readonly subject: ListingSubject;
  readonly filters: readonly FilterName[];
  readonly entry: SchemaName;
  readonly sortedBy: string;
  /** The columns of `rolebook list`, as a table or CSV. */
  readonly columns: readonly EntryColumn[];
  /**
   * The page, with its entries as JSON in UTF-8, one character for each byte; `undefined` if the model does not have the
   * subject. The model is that of the current revision, or of the one on which the walk began. The caller must be
   * authorized.
   */
  list(model: Model, request: ListRequest, sending: Sending): Page<string, string> | undefined;
}

export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** A column of a table or CSV file: its name, and the path to its value in an entry. */
export type EntryColumn = readonly [name: string, ...path: string[]];

/** The cells of an entry. A cell without a value is empty. */
export function cellsOf(entry: unknown, columns: readonly EntryColumn[]): (string | number)[] {
  return columns.map(([, ...path]) => {
    let value = entry;
    for (const name of path) value = new Map(Object.entries(value ?? {})).get(name);
    return typeof value === "number" ? value : String(value ?? "");
  });
}
