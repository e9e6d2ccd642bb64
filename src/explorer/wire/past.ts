/**
 * The explorer's requests about revisions and the differences between them. Types only, with the rules of answer.ts.
 */
import type { Effect } from "../../domain/difference.ts";
import type { ContentRef, Phrase } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Listing, Paged, Revision, Stamp } from "./answer.ts";
import type { Direction } from "./differences.ts";

/* GET /explorer/revisions: the readable revisions, latest first. Any valid token. */

export interface RevisionsQuery extends Paged {
  /** Only revisions up to this time, RFC 3339. */
  readonly until?: string;
}
export type RevisionsAnswer = Listing<RevisionNode>;

export interface RevisionNode extends Revision {
  /** `import`, `apply` or `verify`. Like the note, only for callers who see everything. */
  readonly command?: string;
  readonly note?: string;
}

/*
 * GET /explorer/changes: the revisions that changed a space, a collection, a member or a team, latest first, beginning
 * with the revision of the answer. For callers who may list the subject now.
 */

export type ChangesQuery = ThingQuery & AtRevision & { readonly before?: number };
export type ThingQuery =
  | { readonly space: string }
  | { readonly collection: string }
  | { readonly member: string }
  | { readonly team: string };
export interface ChangesAnswer extends Stamp {
  readonly changes: readonly Change[];
  /** The `before` of the next request, which returns earlier changes; absent if all revisions were checked. */
  readonly next?: number;
  /** The server checked `done` of `of` revisions. */
  readonly done: number;
  readonly of: number;
}

/** A revision that changed the subject of the request. */
export interface Change extends RevisionNode {
  /** The previous revision, with which this one is compared. */
  readonly earlier: number;
  /** Counts the people on a content, or the contents of a member; absent for a team. */
  readonly effect?: Effect;
  /** The changed records, in words; `more` counts those that are not listed. */
  readonly what: readonly Phrase[];
  readonly more: number;
}

/*
 * GET /explorer/since: counts the differences between an earlier revision and the current one. They are people on a
 * content, contents of a member or, without a subject, people on any content (only for callers who see everything).
 */

export type SinceQuery = { readonly earlier: number } & Partial<ThingQuery>;
export interface SinceAnswer extends Stamp {
  readonly effect: Effect;
  /** Present if the count is incomplete: the numbers are lower bounds. */
  readonly cut?: true;
}

/*
 * Lists of GET /explorer/access and /explorer/csv, between the revisions `earlier` and `later`:
 *
 * | list | order | rows |
 * |---|---|---|
 * | `space` or `collection`, `tab=changes` | user id | {@link ChangedRow} |
 * | `member`, `tab=changes` | kind and id of the content | {@link ChangedRow} |
 * | `team`, `tab=changes`; `list=changes` | people who joined, left or have another organization role; contents | {@link ChangedThing} |
 *
 * Filters: `q`, `role` (before or after), `change`; `guests=only` except for a member; `reason` for the first two lists.
 * A page ends early, with a next one, if a filter leaves few rows of very many.
 */

export interface ChangedRow {
  readonly content: ContentRef;
  readonly path: readonly string[];
  readonly user: Person;
  readonly direction: Direction;
  readonly before: HeldThen | null;
  readonly after: HeldThen | null;
  /** For example "gained edit, because team Docs was given edit on collection Handbook in revision 41". */
  readonly sentence: Phrase;
}

/** A role, with its reason for callers who see everything. */
export interface HeldThen {
  readonly role: Role;
  readonly because?: string;
}

export interface ChangedThing {
  /** A person who joined, left or has another organization role, with the number of contents. */
  readonly user?: Person;
  readonly contents?: number;
  /** A content on which the roles of people without such a change differ. */
  readonly content?: ContentRef;
  readonly path?: readonly string[];
  readonly effect?: Effect;
  readonly what: readonly Phrase[];
  readonly more: number;
}
