/**
 * What every request of the explorer implements. Routes, the checks of parameters and the documentation follow from
 * these declarations.
 */
import type { TSchema } from "typebox";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { ListedRevision, revisionsUpTo } from "../../store/revisions/past.ts";
import type { RuleResults } from "../../store/rule-results.ts";
import type { ParameterName, Query } from "./query.ts";
import type { Asker } from "./viewer.ts";
import type { ExplorerPath } from "../wire/protocol.ts";

/** The caller, and the revisions that a request reads. */
export interface Asking extends Asker {
  /** The token's id in `rolebook token list`. */
  readonly tokenId: string;
  /** The token's name there; empty for a token without one. */
  readonly tokenName: string;
  /** The provider that signed the caller in; `undefined` for a token. */
  readonly issuer: string | undefined;
  readonly past: boolean;
  /** Reads the answer, from the requested revision. */
  readonly reading: Reading;
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  /**
   * The time of the last import, whether or not it changed anything (ISO 8601, UTC); only for operations without
   * parameters.
   */
  readonly confirmedAt?: string | undefined;
  /** The base URL that clients use, without `/v1`. */
  readonly publicUrl: string;
  readonly revisionsUpTo: (which: Parameters<typeof revisionsUpTo>[2]) => Promise<readonly ListedRevision[]>;
  /** The results of the last check of the rules; `undefined` if they were never checked. */
  readonly ruleResults: () => Promise<RuleResults | undefined>;
  readonly version: string;
}

/** An answer without the fields of `Stamp`, which every answer has: one object, or a page of a list. */
export type UnstampedAnswer =
  | { readonly of: "thing"; readonly fields: object }
  | { readonly of: "list"; readonly page: Page<object, string>; readonly total?: number };

/** A parsed request. Only lists use `page`. */
export type ParsedRequest = (asking: Asking, page: PageRequest<string>) => Promise<UnstampedAnswer>;

/** A file that is a table: CSV with a head. */
export interface TableFile {
  readonly columns: readonly string[];
  head(reading: Reading): Promise<readonly (readonly string[])[]>;
  rows(reading: Reading): AsyncIterable<readonly (readonly string[])[]>;
}

/** A file of any other kind, as text in parts. */
interface TextFile {
  readonly headers: Readonly<Record<string, string>>;
  texts(reading: Reading): AsyncIterable<string>;
}

export type File = TableFile | TextFile;

interface Declared {
  readonly id: string;
  readonly path: ExplorerPath;
  readonly summary: string;
  readonly description: string;
  /** All parameters except `revision`, `limit` and `page`. */
  readonly parameters: readonly ParameterName[];
}

export interface ExplorerOperation extends Declared {
  /** Which of the other parameters the operation accepts: none, `revision`, or `revision`, `limit` and `page`. */
  readonly takes: "nothing" | "revision" | "pages";
  /**
   * Parses the query, and throws 400 if it is invalid. The returned question throws 403 and 404 (docs/api.md).
   */
  ask(query: Query): ParsedRequest;
}

export interface FileOperation extends Declared {
  /** Parses the query. The returned function authorizes the caller and makes the file. */
  ask(query: Query): (asking: Asking) => Promise<File>;
}

/** A file that is made from the JSON in the body of a POST. It is always of the current revision. */
export interface BodyOperation extends Declared {
  readonly body: TSchema;
  /** The content type and the description of each answer. */
  readonly answers: Readonly<Record<string, string>>;
  /** Parses the query. The returned function authorizes the caller, then reads the body and makes the file. */
  ask(query: Query): (asking: Asking, body: () => Promise<unknown>) => Promise<File>;
}
