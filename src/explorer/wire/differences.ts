/**
 * GET /explorer/without: how many people lose access, get a lower or higher role, or gain access when a source of
 * access is removed. Also the rows of lists of such differences. A source is written as for `rolebook why --without`.
 */
import type { Effect } from "../../domain/difference.ts";
import type { Phrase, Reason } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import type { Stamp } from "./answer.ts";
import type { ContentNode, SpaceNode } from "./subjects.ts";

/**
 * The effect of removing a source: on one content if the query names a `space` or `collection`, else on all contents.
 * Authorization: for one content, callers who may list it and the content of the source; for all contents, and if the
 * source is a whole team, callers who see everything. Other callers may remove a default level only if they see the
 * content whose default level then decides.
 */
export interface WithoutAnswer extends Stamp {
  /** The source in words, for example "team Docs’s edit on collection Handbook". */
  readonly source: Phrase;
  readonly here?: Effect;
  /**
   * The effect on all contents, each person counted once per direction. Of the `of` parts of the organization, `done`
   * are counted. While `done` is less than `of`, repeat the request with `from` set to `done`, and add the counts.
   */
  readonly people?: { readonly counts: Effect; readonly done: number; readonly of: number };
  /** The number of contents that the source affects, for callers who see everything. */
  readonly contents?: number;
  /** For a team on a content: its role there, and the number of its members with each effective role. */
  readonly team?: { readonly role: Role; readonly members: Readonly<Record<Role, number>> };
  /** The equivalent command, ready for a shell. */
  readonly command: string;
}

/*
 * Lists of GET /explorer/access and /explorer/csv:
 *
 * | list | order | rows |
 * |---|---|---|
 * | `space` or `collection`, `tab=without`, `without` | losses, lower roles, higher roles, gains; then user id | {@link WithoutRow} |
 * | `list=contents`, `without`: the contents that the source affects | collections first, by title | {@link ConcernedRow} |
 * | `list=pairs`, `without`: the affected users on each of these contents | as in the two lists above | {@link PairRow} |
 * | `space` or `collection`, `tab=within`, `within`: the members of a team | strongest role, then user id | AccessRow |
 * | `team`, `tab=reach`: the spaces that its permissions open | `createdAt`, then id | {@link OpenedRow} |
 * | `member`, `tab=compare`, `with`: two people over all spaces | differences first, by `createdAt`, then id | {@link CompareRow} |
 * | `collection` or `site`, `tab=compare`, `user`, `with`?: the spaces in it | as above | {@link CompareRow} |
 *
 * Filters ({@link Filters}): of people, `q`, `role`, `least`, `reason`, `through`, `guests` and, without a source,
 * `change`; of spaces, `q`, `role`, `least`, `deleted` and, in comparisons, `reason`, `through` and `differs`;
 * `list=contents` has `q`. The role, the reason and the team must be those of one side, before or after. A page of
 * `list=pairs` ends early, with a next one, if a filter leaves few rows on very many contents.
 *
 * Authorization: `tab=without` and `tab=within` of a content as for {@link WithoutAnswer}; all other lists require an
 * organization token or an organization admin. Callers who do not see everything get neither users who would gain
 * access nor reasons on contents that they do not see.
 */

export interface Held {
  readonly role: Role;
  readonly reason: Reason;
}

export type Direction = keyof Effect;

/** A user whose role differs; `null` is no access. */
export interface WithoutRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: Held | null;
  readonly after: Held | null;
}

export interface ConcernedRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
  /** Only in CSV files. The page requests the counts of the rows on the screen separately. */
  readonly counts?: Effect;
}

export interface PairRow extends WithoutRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
}

/** A space to which a team gives its members access. `role` and `reason` are those of the permission that decides. */
export interface OpenedRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
  readonly role: Role;
  readonly reason: Reason;
}

/** A space with the roles of two people, or of one person and a fixed role; `null` is no access. */
export interface CompareRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
  readonly differs: boolean;
  readonly one: Held | null;
  readonly other?: Held | null;
}
