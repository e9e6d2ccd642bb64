/** The answers to the explorer's requests that are not lists, by path, with who may ask. See protocol.ts. */
import type { Effect } from "../../domain/difference.ts";
import type { Phrase, Titled } from "../../domain/reason.ts";
import type { Role, RoleCounts } from "../../domain/role.ts";
import type { Explanation } from "../../domain/why.ts";
import type { SearchHit, ListTab } from "./lists.ts";
import type {
  CollectionNode,
  ContentNode,
  SubjectKind,
  Listing,
  DatedRevision,
  SiteNode,
  Stamp,
  SubjectNode,
} from "./protocol.ts";

/** GET /explorer/me: the owner of the token, and what the token allows. Any valid token. */
export interface Me extends Stamp {
  readonly organization: Titled;
  readonly caller: ShownCaller;
  /** The token's id in `rolebook token list`. */
  readonly tokenId: string;
  /** The provider that signed the caller in, if the token is a session. */
  readonly issuer?: string;
  /** The time of the last import, whether or not it changed anything (ISO 8601, UTC). */
  readonly confirmedAt: string;
  readonly earliest: DatedRevision;
  /** Only for callers who see everything. */
  readonly totals?: Totals;
  /** The base URL that clients use, without `/v1`. */
  readonly publicUrl: string;
  readonly version: string;
}

export type ShownCaller =
  /** `token` is the token's name in `rolebook token list`; empty for a token without one. */
  | { readonly kind: "organization"; readonly token: string }
  | {
      readonly kind: "member";
      readonly id: string;
      readonly displayName: string;
      readonly role: Role | null;
    };

export interface Totals {
  readonly members: number;
  readonly teams: number;
  readonly spaces: number;
  readonly collections: number;
  readonly sites: number;
  readonly permissions: number;
}

/** GET /explorer/overview: the lengths of the lists with which a review begins. For callers who see everything. */
export interface OverviewAnswer extends Stamp {
  readonly admins: number;
  readonly guests: number;
  /** Contents with a closed default level of their own. */
  readonly closed: number;
  /** Contents with a default level of `edit` or stronger. */
  readonly broad: number;
  /** Deleted spaces. */
  readonly deleted: number;
}

/**
 * GET /explorer/rules: the results of the last check of the rules. For callers who see everything. `at` has no effect.
 */
export interface RulesAnswer extends Stamp {
  /** The time of the last check, and the revision that it checked; absent if the rules were never checked. */
  readonly checked?: { readonly at: string; readonly revision: number };
  /** In the order of the rules file. */
  readonly rules: readonly RuleNode[];
}

export interface RuleNode {
  readonly rule: string;
  /** The number of breaches; `null` if the rule could not be checked. */
  readonly breaches: number | null;
  /** Whether GET /explorer/breaches lists the breaches: a result of an earlier program has no definition. */
  readonly listed: boolean;
}

/**
 * GET /explorer/tree: the children of collection `parent`, or the top level without one. Collections come before
 * spaces; each kind is sorted by title (ignoring case), then id. Callers who do not see everything get visible contents
 * only; a visible content in a hidden collection is at the top level. A `parent` that does not exist or is hidden gets a
 * 404.
 */
export type LevelAnswer = Listing<ContentNode>;

/** With `kind=site`: all sites, by title, then id. Authorization as for endpoint 8. */
export type SitesAnswer = Listing<SiteNode>;

/**
 * With a subject: the subject and its ancestors. Authorization: for a content, 404 unless the caller sees it; for a site
 * as for endpoint 8, for a member or team as for endpoint 9.
 */
export interface PlaceAnswer extends Stamp {
  readonly subject: SubjectNode;
  /** Of a content: the ancestors that the caller sees, topmost first. Otherwise empty. */
  readonly ancestors: readonly CollectionNode[];
}

/**
 * GET /explorer/search: up to 12 subjects. A subject matches if
 *
 * - its id is `q`, or
 * - its title, display name or e-mail address begins with `q`, or
 * - each word of `q` is in one of them; of an e-mail address, only what is before the `@` counts.
 *
 * Texts are folded for case-insensitive comparison, as endpoint 9's `title`. Order: equal ids and texts; texts that begin
 * with `q`; for two words, texts that begin with them swapped; those in which each word of `q` begins a word; others.
 * Within each of these, content comes before sites, members and teams. Callers who do not see everything find only
 * visible contents and themselves. An empty `q` finds nothing.
 *
 * With `kind=member` and a content or site, each hit has the member's role there, for callers who may list that subject.
 */
export interface SearchAnswer extends Stamp {
  readonly items: readonly SearchHit[];
  /** Whether there may be more matches than items. Also true if a search for several common words was incomplete. */
  readonly more: boolean;
}

/**
 * GET /explorer/counts: the counts of one subject, or of a list with its filters. Authorization as for GET
 * /explorer/access.
 */
export interface CountsAnswer extends Stamp {
  /**
   * The number of a member's spaces, or of people on a content or site, with each of the six effective roles. Absent
   * for a team.
   */
  readonly roles?: RoleCounts;
  /** The length of the list of each tab that the subject has. */
  readonly tabs: Readonly<Partial<Record<ListTab, number>>>;
  /** With the parameter `contents`: the counts of each of them that the caller may list, by key, such as "space/ID". */
  readonly contents?: Readonly<Record<string, Pick<CountsAnswer, "roles" | "tabs">>>;
  /**
   * The number of rows that pass the filters, if there are any. `roles` has the number with each effective role if the
   * rows have one; these numbers ignore the filters `role` and `least`.
   */
  readonly filtered?: {
    readonly total: number;
    readonly roles?: RoleCounts;
    /** For `list=found`: the number of results of each kind. These numbers ignore the filter `kind`. */
    readonly kinds?: Readonly<Record<SubjectKind, number>>;
  };
}

/**
 * GET /explorer/why: the {@link Explanation} of `rolebook why`. Callers may ask about contents as for endpoint 3, about
 * sites as for endpoint 8, and about themselves on every visible content. For a user without a role there, callers who
 * may list the content but do not see everything get a 404, whether or not that user exists. All other callers get an
 * explanation, also for a user who is not a member.
 */
export interface WhyAnswer extends Stamp, Explanation {
  /** The equivalent command, ready for a shell. */
  readonly command: string;
  /** On a site: the user's role on each of its spaces, strongest first, then by title. */
  readonly spaces?: readonly SpaceRole[];
}

/** A role on a space of a site; `null` for none. */
export interface SpaceRole extends Titled {
  readonly role: Role | null;
}

/**
 * GET /explorer/without: how many people lose access, get a lower or higher role, or gain access when a source of access
 * is removed: on one content if the request names a `space` or `collection`, else on all contents. A source is written
 * as for `rolebook without`.
 *
 * Authorization: for one content, callers who may list it and the content of the source; for all contents, and if the
 * source is a whole team, callers who see everything. Other callers may remove a default level only if they see the
 * content whose default level then decides.
 */
export interface WithoutAnswer extends Stamp {
  /** The source in words, for example "team Docs’s edit on collection Handbook". */
  readonly source: Phrase;
  readonly here?: Effect;
  /** With the parameter `contents`: the effect on each of them, by key, such as "space/ID". */
  readonly effects?: Readonly<Record<string, Effect>>;
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

/** GET /explorer/revisions: the readable revisions, latest first. Any valid token. */
export type RevisionsAnswer = Listing<RevisionNode>;

export interface RevisionNode extends DatedRevision {
  /** `import` or `apply`. Like the note, only for callers who see everything. */
  readonly command?: string;
  readonly note?: string;
  /** With `show=counts`: the numbers that the import or change stored. */
  readonly counts?: Totals;
}

/**
 * GET /explorer/changes: the revisions that changed a space, a collection, a member or a team, latest first, beginning
 * with the revision of the answer. For callers who may list the subject now.
 */
export interface ChangesAnswer extends Stamp {
  readonly changes: readonly RevisionChange[];
  /** The `before` of the next request, which returns earlier changes; absent if all revisions were checked. */
  readonly next?: number;
  /** The server checked `done` of `of` revisions. */
  readonly done: number;
  readonly of: number;
}

/** A revision that changed the subject of the request. */
export interface RevisionChange extends RevisionNode {
  /** The previous revision, with which this one is compared. */
  readonly earlier: number;
  /** Counts the people on a content, or the contents of a member; absent for a team. */
  readonly effect?: Effect;
  /** The changed records, in words; `more` counts those that are not listed. */
  readonly what: readonly Phrase[];
  readonly more: number;
}

/**
 * GET /explorer/since: counts the differences between an earlier revision and the current one. They are people on a
 * content, contents of a member or, without a subject, people on any content (only for callers who see everything).
 */
export interface SinceAnswer extends Stamp {
  readonly effect: Effect;
  /** Present if the count is incomplete: the numbers are lower bounds. */
  readonly cut?: true;
}
