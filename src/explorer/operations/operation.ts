/** The interface of the explorer's requests. Routes, checks and documentation follow from these declarations. */
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Caller } from "../../operations/authorize.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { ListedRevision, revisionsUpTo } from "../../store/revisions/past/list.ts";
import type { RuleResults } from "../../store/rule-results.ts";
import type { Viewer } from "../queries/tree/viewer.ts";

/** The caller, and the revisions to read. */
export interface Asking {
  readonly caller: Caller;
  /** The token's id in `rolebook token list`. */
  readonly tokenId: string;
  readonly viewer: Viewer;
  /** The revision that decides on access: the current one or, for callers who see everything, a past one. */
  readonly current: Reading;
  /** Whether a past revision is requested. */
  readonly past: boolean;
  /** The revision from which the answer is read. */
  readonly reading: Reading;
  /** The earliest readable revision. */
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  /**
   * The time of the last import, whether or not it changed anything (ISO 8601, UTC); only for operations without
   * parameters.
   */
  readonly confirmedAt?: string | undefined;
  /** The address that clients use, without `/v1`. */
  readonly publicUrl: string;
  /** The organization's revisions: see {@link revisionsUpTo}. */
  readonly revisionsUpTo: (which: Parameters<typeof revisionsUpTo>[2]) => Promise<readonly ListedRevision[]>;
  /** The latest stored results of the organization's rules; `undefined` if there are none. */
  readonly ruleResults: () => Promise<RuleResults | undefined>;
  /** The version of the program. */
  readonly version: string;
}

/** The answer without the fields that all answers have: one object, or a page of a list. */
export type Answer =
  | { readonly of: "thing"; readonly fields: object }
  | { readonly of: "list"; readonly page: Page<object, string>; readonly total?: number };

/** A valid request; `page` is for lists. */
export type Question = (asking: Asking, page: PageRequest<string>) => Promise<Answer>;

/** A file of rows: its header lines, its column names, and its rows, which are made in parts. */
export interface File {
  readonly columns: readonly string[];
  head(reading: Reading): Promise<readonly (readonly string[])[]>;
  rows(reading: Reading): AsyncIterable<readonly (readonly string[])[]>;
}

/** The query parameters as sent, each once. */
export type Query = ReadonlyMap<string, string>;

interface Declared {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The operation's own parameters: all except `revision`, `limit` and `page`. */
  readonly parameters: readonly ParameterName[];
}

export interface ExplorerOperation extends Declared {
  /** The shared parameters that the operation accepts: none, `revision`, or also `limit` and `page`. */
  readonly takes: "nothing" | "revision" | "pages";
  /**
   * Parses the query, and throws 400 if it is invalid. The returned question throws 403 and 404 (contract, section 7).
   */
  ask(query: Query): Question;
}

/** An operation that answers with a file. */
export interface FileOperation extends Declared {
  /** Parses the query. The returned function authorizes the caller and makes the file. */
  ask(query: Query): (asking: Asking) => Promise<File>;
}

export type ParameterName =
  | "space"
  | "collection"
  | "site"
  | "member"
  | "team"
  | "list"
  | "show"
  | "parent"
  | "kind"
  | "tab"
  | "role"
  | "order"
  | "sort"
  | "q"
  | "least"
  | "reason"
  | "through"
  | "guests"
  | "deleted"
  | "since"
  | "user"
  | "without"
  | "within"
  | "with"
  | "from"
  | "until"
  | "before"
  | "earlier"
  | "later"
  | "covers";
