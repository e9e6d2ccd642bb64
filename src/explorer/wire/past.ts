/**
 * What the explorer page and its server say about the past: which revisions there are, and what changed between them. Types
 * only, as answer.ts, whose rules hold here too.
 */
import type { Listing, Paged, Revision } from "./answer.ts";

/* GET /explorer/revisions: those that can be read, the latest first. Any valid token. */

export interface RevisionsQuery extends Paged {
  /** Those that were there at this time, RFC 3339. */
  readonly until?: string;
}
export type RevisionsAnswer = Listing<RevisionNode>;

export interface RevisionNode extends Revision {
  /** `import`, `apply` or `verify`; for those who see everything, as is the note. */
  readonly command?: string;
  readonly note?: string;
}
