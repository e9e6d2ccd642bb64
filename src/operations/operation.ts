/** What an endpoint is: {@link Listing} and {@link Thing} declare one; operations.ts and things.ts have all of them. */
import type { ContentKind } from "../domain/content.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import type { Model } from "../model/model.ts";
import type { Narrowed } from "../model/narrowed.ts";
import type { FilterName, Filters } from "./parameters.ts";
import type { SchemaName } from "./schemas.ts";

/** Whoever sends a request: the organization itself, which may ask for everything it has, or one `member`. */
export interface Caller {
  readonly organization: string;
  readonly member: string | undefined;
}

/** The decoded path parameters, by name. */
type Path = Readonly<Record<string, string>>;

interface ListRequest {
  readonly path: Path;
  readonly filters: Filters;
  readonly page: PageRequest<string>;
  /** What {@link Listing.narrow} found. */
  readonly narrowed?: Narrowed | undefined;
}

/** What an operation is about. */
export type Subject =
  | { readonly of: "content"; readonly kind: ContentKind; readonly parameter: string }
  | { readonly of: "member" | "team" | "site" | "organization"; readonly parameter: string }
  /** The member as whom the caller acts. */
  | { readonly of: "caller" };

/**
 * Who may ask beside organization tokens and organization admins (docs/api.md): who may list a content's users, who has a
 * role on the content, the member itself, every member, or nobody.
 */
export type Asker = "lister" | "holder" | "self" | "everyone" | "nobody";

/** What an answer is written with. */
interface Sending {
  readonly publicUrl: string;
}

/**
 * Declares an endpoint. Its route, checks, answer, OpenAPI object and its rows in the documents' tables (`npm run
 * generate`) follow from this object.
 */
export interface Operation {
  /** The name of the operation in the OpenAPI document of the official client. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly subject: Subject;
  readonly asker: Asker;
  /** Whether it came after the first 13: a caller who may not ask is refused before any id is looked at. */
  readonly further?: true;
}

/** A list. Its command of `rolebook list` follows from this object, too. */
export interface Listing extends Operation {
  readonly filters: readonly FilterName[];
  readonly entry: SchemaName;
  readonly sortedBy: string;
  /** The columns of `rolebook list`, as a table or CSV. */
  readonly columns: readonly EntryColumn[];
  /** Finds, in turns, what passes the filters and their order; `undefined` if they select nothing and order nothing. */
  narrow?(
    model: Model,
    request: Pick<ListRequest, "path" | "filters">,
  ): Generator<void, Narrowed | undefined>;
  /**
   * The page, with its entries as JSON in UTF-8, one character for each byte; `undefined` if the model does not have the
   * subject. The model is that of the current revision, or of the one on which the walk began. The caller must be
   * authorized.
   */
  list(model: Model, request: ListRequest, sending: Sending): Page<string, string> | undefined;
}

/** One thing, without parameters. */
export interface Thing extends Operation {
  readonly answer: SchemaName;
  /** The thing as JSON, otherwise as {@link Listing.list}. */
  find(
    model: Model,
    request: { readonly path: Path; readonly caller: Caller },
    sending: Sending,
  ): string | undefined;
}

export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** A column of a table or CSV file: its name, and the path to its value in an entry. */
export type EntryColumn = readonly [name: string, ...path: string[]];

/** Tables and CSV files show these fields of a user; NDJSON has every field. */
export const USER_COLUMNS: readonly EntryColumn[] = [
  ["id", "user", "id"],
  ["name", "user", "displayName"],
  ["email", "user", "email"],
  ["role", "permission"],
];

/** The cells of an entry. A cell without a value is empty. */
export function cellsOf(entry: unknown, columns: readonly EntryColumn[]): (string | number)[] {
  return columns.map(([, ...path]) => {
    let value = entry;
    for (const name of path) value = new Map(Object.entries(value ?? {})).get(name);
    return typeof value === "number" ? value : String(value ?? "");
  });
}
