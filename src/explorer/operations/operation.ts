/** The explorer's requests, as data: routes, checks and documentation follow from it. */
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Caller } from "../../operations/authorize.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { ListedRevision, revisionsUpTo } from "../../store/revisions/list.ts";
import type { RuleResults } from "../../store/rule-results.ts";
import type { Viewer } from "../queries/tree/viewer.ts";

/** The caller, and the revisions to read. */
export interface Asking {
  readonly caller: Caller;
  /** The id in `rolebook token list`. */
  readonly tokenId: string;
  readonly viewer: Viewer;
  /** The revision that decides on access: the current one, or the past one for callers who see everything. */
  readonly current: Reading;
  /** Whether a past revision is requested. */
  readonly past: boolean;
  /** The revision from which the answer is read. */
  readonly reading: Reading;
  /** The earliest readable revision. */
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  /**
   * When an import last confirmed the organization, whether or not it changed anything (ISO 8601, UTC); only for
   * operations without parameters.
   */
  readonly confirmedAt?: string | undefined;
  /** The address that clients use, without `/v1`. */
  readonly publicUrl: string;
  /** The organization's revisions: see {@link revisionsUpTo}. */
  readonly revisionsUpTo: (which: Parameters<typeof revisionsUpTo>[2]) => Promise<readonly ListedRevision[]>;
  /** The last recorded results of the organization's rules; `undefined` if there are none. */
  readonly ruleResults: () => Promise<RuleResults | undefined>;
  /** The version of the program. */
  readonly version: string;
}

/** The answer without the fields that every answer has: one object, or a page of a list. */
export type Answer =
  | { readonly of: "thing"; readonly fields: object }
  | { readonly of: "list"; readonly page: Page<object, string>; readonly total?: number };

/** A well-formed request; `page` is for lists. */
export type Question = (asking: Asking, page: PageRequest<string>) => Promise<Answer>;

/** The rows of a file: the lines of its head, its columns, and its lines in parts. */
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
  /** Without `revision`, and `limit` and `page` of lists. */
  readonly parameters: readonly ParameterName[];
}

export interface ExplorerOperation extends Declared {
  /** Whether `revision` is accepted, and `limit` and `page`. */
  readonly takes: "nothing" | "revision" | "pages";
  /** Parses the query. Throws 400 for an invalid one; the result throws 403 and 404 (contract, section 7). */
  ask(query: Query): Question;
}

/** An operation that answers with a file. */
export interface FileOperation extends Declared {
  /** Parses the query. The result resolves if the caller may have the file. */
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
  | "later";
