/**
 * GET /explorer/without: how many people lose access, fall, rise or gain without a source of access; and the lists of
 * differences. A source is written as for `rolebook why --without`.
 */
import type { Effect } from "../../domain/explanation/effect.ts";
import type { Phrase } from "../../domain/explanation/phrase.ts";
import type { Reason } from "../../domain/explanation/reason.ts";
import type { Person } from "../../domain/explanation/why.ts";
import type { Role } from "../../domain/role.ts";
import type { Stamp } from "./answer.ts";
import type { ContentNode, SpaceNode } from "./things.ts";

/**
 * With `space` or `collection`: the effect on that content, for callers who may list both this content and that of the
 * source. The effect of a whole team, and without a content the effect on all contents, require an organization token or
 * an organization admin. A caller who does not see everything may leave out a default level only if the default level
 * that then decides is one that the caller sees.
 */
export interface WithoutAnswer extends Stamp {
  /** The source in words: "team Docs’s edit on collection Handbook". */
  readonly source: Phrase;
  /** On the content asked about. */
  readonly here?: Effect;
  /**
   * Of everybody, each counted once however many contents there are, as far as they were counted: parts `done` of `of`.
   * Ask again with `from` as `done` while that is less, and add up.
   */
  readonly people?: { readonly counts: Effect; readonly done: number; readonly of: number };
  /** How many contents the source has a say on, for those who see everything. */
  readonly contents?: number;
  /** For a team on a content: its role there, and how many of its members hold each effective role. */
  readonly team?: { readonly role: Role; readonly members: Readonly<Record<Role, number>> };
  /** The command that answers the same, ready for a shell. */
  readonly command: string;
}

/*
 * Lists of GET /explorer/access and /explorer/csv:
 *
 * | list | order | rows |
 * |---|---|---|
 * | `space` or `collection`, `tab=without`, `without` | who loses, falls, rises, gains; then user id | {@link WithoutRow} |
 * | `list=contents`, `without`: what the source has a say on | collections first, by title | {@link ConcernedRow} |
 * | `list=pairs`, `without`: everybody who differs on each of them | as both above | {@link PairRow} |
 * | `space` or `collection`, `tab=within`, `within`: the members of a team | strongest role, then user id | AccessRow |
 * | `team`, `tab=reach`: the spaces that its permissions open | `createdAt`, then id | {@link OpenedRow} |
 * | `member`, `tab=compare`, `with`: two people over all spaces | differences first, by `createdAt`, then id | {@link CompareRow} |
 * | `collection` or `site`, `tab=compare`, `user`, `with`?: the spaces in it | the same | {@link CompareRow} |
 *
 * `tab=without` and `tab=within` of a content as {@link WithoutAnswer}; all others are for an organization token or an
 * organization admin. A caller who does not see everything gets neither the users who would gain access nor a reason
 * that lies on a content the caller does not see.
 */

/** A role, and why. */
export interface Held {
  readonly role: Role;
  readonly reason: Reason;
}

export type Direction = keyof Effect;

/** A user whose role would be another one; `null` for no access. */
export interface WithoutRow {
  readonly user: Person;
  readonly direction: Direction;
  readonly before: Held | null;
  readonly after: Held | null;
}

export interface ConcernedRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
  /** In files alone: the page asks for the counts of what it shows. */
  readonly counts?: Effect;
}

export interface PairRow extends WithoutRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
}

/** A space that a team opens to its members, with the role that it gives and the content that it was given on. */
export interface OpenedRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
  readonly role: Role;
  readonly reason: Reason;
}

/** A space, and what two people have there; or what one has there and the role of theirs that it is compared with. */
export interface CompareRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
  readonly differs: boolean;
  readonly one: Held | null;
  readonly other?: Held | null;
}
