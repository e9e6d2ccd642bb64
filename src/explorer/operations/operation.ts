/** What the explorer's page may ask, declared once: routes, checks and documentation come from here. */
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Caller } from "../../operations/authorize.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { ListedRevision, revisionsUpTo } from "../../store/revisions/list.ts";
import type { RuleResults } from "../../store/rule-results.ts";
import type { Viewer } from "../queries/tree/viewer.ts";

/** Who asks, and what is read. */
export interface Asking {
  readonly caller: Caller;
  /** As `rolebook token list` has it. */
  readonly tokenId: string;
  readonly viewer: Viewer;
  /** The revision that authorization looks at: the current one, or for the past that of then where nothing is hidden. */
  readonly current: Reading;
  /** Whether the past was asked for. */
  readonly past: boolean;
  /** The revision that the answer is read from. */
  readonly reading: Reading;
  /** The earliest revision that can be read. */
  readonly earliest: Pick<Revision, "revision" | "importedAt">;
  /** When an import last said what the organization is, changed or not (ISO 8601, UTC); for what takes nothing. */
  readonly confirmedAt?: string | undefined;
  /** The address that clients use, without `/v1`. */
  readonly publicUrl: string;
  /** The organization's revisions: see {@link revisionsUpTo}. */
  readonly revisionsUpTo: (which: Parameters<typeof revisionsUpTo>[2]) => Promise<readonly ListedRevision[]>;
  /** How the organization's rules stood when they were last recorded; `undefined` where they never were. */
  readonly ruleResults: () => Promise<RuleResults | undefined>;
  /** Of the program. */
  readonly version: string;
}

/** An answer without what every answer has: one thing, or a page of a list. */
export type Answer =
  | { readonly of: "thing"; readonly fields: object }
  | { readonly of: "list"; readonly page: Page<object, string>; readonly total?: number };

/** A question that was found well-formed; `page` is for lists. */
export type Question = (asking: Asking, page: PageRequest<string>) => Promise<Answer>;

/** Rows of a file: the lines that say what it is, its columns, and the lines, in parts. */
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
  /** Beside `revision`, and `limit` and `page` of lists. */
  readonly parameters: readonly ParameterName[];
}

export interface ExplorerOperation extends Declared {
  /** Whether `revision` may be given, and `limit` and `page`. */
  readonly takes: "nothing" | "revision" | "pages";
  /** Reads the query. Throws 400 for what is wrong with it; the question throws 403 and 404 (contract, section 7). */
  ask(query: Query): Question;
}

/** An operation that answers with a file. */
export interface FileOperation extends Declared {
  /** The same; the returned question resolves when the caller may have the file. */
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
  | "user"
  | "without"
  | "within"
  | "with"
  | "from"
  | "until"
  | "before"
  | "earlier"
  | "later";
