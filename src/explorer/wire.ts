/**
 * What the explorer page and its server say to each other: the queries and answers of `GET /explorer/{me,tree,
 * search,counts,access,why,csv}`. Types only, imported by both sides.
 *
 * - GET alone; ids are given in the query, since a user's id may be any text. A parameter that an endpoint does
 *   not have, one given twice and an empty `kind`, `tab`, `role`, `order`, `limit`, `page` or `revision` are a
 *   400, as in `/v1` (contract, section 6); an empty `q` is no filter.
 * - Authorization is that of `/v1` (contract, section 7); each query below says which rule it falls under.
 *   "See" means: an organization token, an organization admin, or an effective role on the content.
 * - Errors are those of `/v1`: `{"error": {"code", "message"}}` and their headers.
 * - Optional fields without a value are left out. Dates are UTC with three fraction digits.
 */
import type { DefaultLevel } from "../domain/content.ts";
import type { Reason, Titled } from "../domain/explanation/reason.ts";
import type { Role } from "../domain/role.ts";
import type { Explanation, Person } from "../domain/explanation/why.ts";

export type { Name, Phrase, Ref, Verdict } from "../domain/explanation/phrase.ts";
export type { ContentRef, Reason, Titled } from "../domain/explanation/reason.ts";
export type { Person, WhyLevel, WhyStep } from "../domain/explanation/why.ts";

/* What every answer has. */

/** A revision: its number and when it was imported. */
export interface Revision {
  readonly revision: number;
  readonly importedAt: string;
}

/**
 * Leads every answer: the revision it was read from, and the current one where that is another. The page shows
 * one revision at a time and uses no answer read from a different one.
 */
export interface Stamp extends Revision {
  readonly newer?: Revision;
}

/**
 * On every query but `me`: the revision to read from, while it is kept (contract, section 5); later, without it, and
 * for callers who do not see everything, the current one. Which it was is told by the answer's `revision`. Authorization looks at the current one.
 */
export interface AtRevision {
  readonly revision?: number;
  /**
   * Instead of it, and on `me` too: WHEN, as under `/at/WHEN` (contract, section 10). Everything is of then, but for who may
   * have it: organization tokens and organization admins have what was there then, everybody else what they may list now.
   */
  readonly at?: string;
}

/** Pages as in `/v1`: `limit` from 1 to 1000, by default 100; `page` from the answer before. */
export interface Paged extends AtRevision {
  readonly limit?: number;
  readonly page?: string;
}

/** A page of a list, flat as in `/v1`: no `next` on the last page. */
export interface Listing<Item> extends Stamp {
  readonly next?: { readonly page: string };
  readonly count: number;
  readonly items: readonly Item[];
  /** How many the whole list has, where that is known without walking it. */
  readonly total?: number;
}

/* Things that have a view of their own; `kind` is also the name of the parameter that chooses them. */

export interface SpaceNode extends Titled {
  readonly kind: "space";
  /** As in `/v1`; left out when empty. */
  readonly emoji?: string;
  readonly visibility: string;
  readonly defaultLevel: DefaultLevel;
  /** How many permissions were given on that very space, to users and teams together. */
  readonly given: number;
  /** Left out for those that were not deleted. */
  readonly deletedAt?: string;
}

export interface CollectionNode extends Titled {
  readonly kind: "collection";
  readonly defaultLevel: DefaultLevel;
  readonly given: number;
  /** How many contents lie directly in it that the caller can see. */
  readonly children: number;
}

export interface SiteNode extends Titled {
  readonly kind: "site";
  readonly spaces: number;
}

export interface MemberNode {
  readonly kind: "member";
  readonly id: string;
  readonly displayName: string;
  readonly email?: string;
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
}

export interface TeamNode extends Titled {
  readonly kind: "team";
  readonly createdAt: string;
  readonly members: number;
  /** As `team.spaces` of `/v1`. */
  readonly spaces: number;
}

export type ContentNode = SpaceNode | CollectionNode;
export type Subject = ContentNode | SiteNode | MemberNode | TeamNode;

/** Exactly one thing, by its id. Ids are unique per kind only, so the parameter's name carries the kind. */
export type ContentQuery = { readonly space: string } | { readonly collection: string };
export type SubjectQuery =
  | ContentQuery
  | { readonly site: string }
  | { readonly member: string }
  | { readonly team: string };

/* GET /explorer/me: whose token this is, and what it opens. Any valid token; always the current revision. */

export interface Me extends Stamp {
  readonly organization: Titled;
  readonly caller: Caller;
  /** Of the token, as `rolebook token list` has it. */
  readonly tokenId: string;
  /** When an import last said what the organization is, whether it changed anything or not (ISO 8601, UTC). */
  readonly confirmedAt: string;
  /** For callers who see everything: an organization token or an organization admin. */
  readonly totals?: Totals;
  /** The address that clients use, without `/v1`. */
  readonly publicUrl: string;
  /** Of the program. */
  readonly version: string;
}

export type Caller =
  | { readonly kind: "organization" }
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

/* GET /explorer/tree: what there is, level by level, and where one thing stands in it. */

/**
 * One level of the content, `Listing<ContentNode>`: the children of collection `parent`, without it the top level;
 * collections before spaces, each by title without regard to case, then by id. For a caller who does not see
 * everything: the contents that they see, one whose collection they do not see at the top level. A `parent` that
 * does not exist or that they do not see is a 404.
 */
export interface LevelQuery extends Paged {
  readonly parent?: string;
}
export type LevelAnswer = Listing<ContentNode>;

/** All sites, by title, then id, `Listing<SiteNode>`. Authorization as endpoint 8. */
export interface SitesQuery extends Paged {
  readonly kind: "site";
}
export type SitesAnswer = Listing<SiteNode>;

/** One thing and the way to it. Contents: 404 unless the caller sees it. Sites as endpoint 8, members and teams as 9. */
export type PlaceQuery = SubjectQuery & AtRevision;
export interface PlaceAnswer extends Stamp {
  readonly subject: Subject;
  /** For content: the collections above it, topmost first, those that the caller sees; otherwise empty. */
  readonly ancestors: readonly CollectionNode[];
}

/* GET /explorer/search */

/**
 * Up to 12 things whose title, display name or e-mail begins with `q`, folded as endpoint 9's `title`, or in which
 * each word of `q` begins a word (of an e-mail those before the `@`), or whose id it is. Order: id and whole match, then
 * those that begin with it, then others; of equals content before sites, members and teams, then by what matched.
 * `more` is also true where a search of several common words looked at a part only. Callers who do not see everything find
 * the contents that they see and themselves. An empty `q` finds nothing.
 */
export interface SearchQuery extends AtRevision {
  readonly q: string;
  /** Members only: the box of "Check a person". */
  readonly kind?: "member";
  /** With `kind`: each member's role on one of them; authorization as its list in `access`. */
  readonly space?: string;
  readonly collection?: string;
  readonly site?: string;
}
export interface SearchAnswer extends Stamp {
  readonly items: readonly Hit[];
  /** More matched than the items hold. */
  readonly more: boolean;
}
export type Hit =
  | (Titled & {
      readonly kind: "space";
      readonly emoji?: string;
      /** Titles of the collections above it, topmost first. */
      readonly path: readonly string[];
    })
  | (Titled & { readonly kind: "collection"; readonly path: readonly string[] })
  | (Titled & { readonly kind: "site"; readonly spaces: number })
  | (Titled & { readonly kind: "team"; readonly members: number })
  | (Person & {
      readonly kind: "member";
      /** Where a content or a site was named: the effective role there, `null` for none. */
      readonly role?: Role | null;
    });

/* GET /explorer/counts: how many of what, for one thing. Authorization as its list in `access`. */

/** With the `tab` and the filters of a list of it, the answer has `filtered`. */
export type CountsQuery = (SubjectQuery | ListQuery) & AtRevision;
export interface CountsAnswer extends Stamp {
  /**
   * How many hold each effective role: members of a content or a site, spaces of a member. All six roles, zero
   * included. Left out for a team.
   */
  readonly roles?: Readonly<Record<Role, number>>;
  /** How long the list behind each tab is, the tabs of {@link AccessQuery} that this thing has. */
  readonly tabs: Readonly<Partial<Record<Tab, number>>>;
  /** How many rows the filters leave; and where rows have effective roles how many of each, whatever `role` and `least` are. */
  readonly filtered?: { readonly total: number; readonly roles?: Readonly<Record<Role, number>> };
}

/* GET /explorer/access: every list of the page. GET /explorer/csv: the same list as a file. */

/**
 * | list | order | rows |
 * |---|---|---|
 * | `space` or `collection`, `tab=everyone` (default) | strongest role, then user id | {@link AccessRow} |
 * | … `tab=people`: permissions given on that very content | strongest role, then user id | {@link AccessRow} |
 * | … `tab=teams` | strongest role, then team id | {@link TeamRow} |
 * | `site`, `tab=everyone` (default) | strongest role, then user id | {@link AccessRow} |
 * | `site`, `tab=spaces` | title, then id | {@link SpaceRow} |
 * | `member`, `tab=spaces` (default), `order`? | `createdAt`, then id, by default `desc` | {@link ReachRow} |
 * | `member`, `tab=teams` | team id | {@link TeamRow} |
 * | `team`, `tab=permissions` (default) | strongest role, then kind and id | {@link GivenRow} |
 * | `team`, `tab=members` | user id | {@link TeamMemberRow} |
 * | `list=members`; `role` is the organization role | user id | {@link MemberRow} |
 * | `list=teams` | team id | {@link TeamRow} |
 *
 * Authorization: contents as endpoints 1 to 6 (403 for those who see it but are neither `create` nor `admin`);
 * sites as endpoint 8; a member's lists as 7 and 9; teams and the two whole lists are for an organization token or
 * an organization admin, 403 for everyone else. A parameter that a list does not have is a 400.
 * Every list has {@link Filters} of its own.
 */
export type AccessQuery = ListQuery & Paged;
export type ListQuery = ContentListQuery | SiteListQuery | MemberListQuery | TeamListQuery | WholeListQuery;

/**
 * What a list is narrowed to; each list has those that its rows can tell, another one is a 400. `q` finds people and
 * contents as a search does, and teams by a part of their title.
 */
export interface Filters {
  readonly q?: string;
  /** Exactly this role, and at least this one. */
  readonly role?: Role;
  readonly least?: Role;
  /** What gives the role: one of `organization` (an admin's too), `direct`, `team` and `default`, or several with commas between. */
  readonly reason?: string;
  /** The team that gives the role. */
  readonly through?: string;
  readonly guests?: "only" | "none";
  readonly deleted?: "only" | "none";
  /** By default the strongest role first, then by id; a member's spaces by creation. */
  readonly sort?: "strongest" | "id";
}
export type ContentListQuery = ContentQuery & {
  readonly tab?: "everyone" | "people" | "teams";
} & Filters;
export interface SiteListQuery extends Filters {
  readonly site: string;
  readonly tab?: "everyone" | "spaces";
}
export interface MemberListQuery extends Filters {
  readonly member: string;
  readonly tab?: "spaces" | "teams";
  readonly order?: "asc" | "desc";
}
export interface TeamListQuery extends Filters {
  readonly team: string;
  readonly tab?: "permissions" | "members";
}
export interface WholeListQuery extends Filters {
  readonly list: "members" | "teams";
}

export type Tab = "everyone" | "people" | "teams" | "spaces" | "permissions" | "members";

/** A user with a role. On `tab=people` the role is the one given there, and the reason "direct permission here". */
export interface AccessRow {
  readonly user: Person;
  readonly role: Role;
  readonly reason: Reason;
}

/** A team; with a role where the list is of permissions or of a member's teams. */
export interface TeamRow {
  readonly team: TeamNode;
  /** On a content: the role given there. In a member's teams: `owner` or `member`. Absent in `list=teams`. */
  readonly role?: Role | TeamRole;
}
export type TeamRole = "owner" | "member";

/** A space and the titles of the collections above it, topmost first. */
export interface SpaceRow {
  readonly space: SpaceNode;
  readonly path: readonly string[];
}

/** A space that a member reaches. */
export interface ReachRow extends SpaceRow {
  readonly role: Role;
  readonly createdAt: string;
  /** Left out for those that were not deleted. */
  readonly deletedAt?: string;
  readonly reason: Reason;
}

/** A permission that a team was given. */
export interface GivenRow {
  readonly content: ContentNode;
  readonly path: readonly string[];
  readonly role: Role;
}

export interface TeamMemberRow {
  readonly user: Person;
  readonly role: TeamRole;
}

/** A member of the organization; `role` is the organization role, `null` for a guest. */
export interface MemberRow {
  readonly user: Person;
  readonly role: Role | null;
}

/**
 * The whole list as `text/csv; charset=utf-8`, streamed, from one revision; everyone and people by user id, the other
 * lists as {@link AccessQuery}. After a byte order mark come five lines, as those of `rolebook report`: `Rolebook list`,
 * `organization`, `revision`, `imported` and `covers` with what is listed. Lines end in CRLF; the sixth names the columns:
 *
 * | list | columns |
 * |---|---|
 * | everyone, people | `id,name,email,role,because` |
 * | a content's teams | `id,title,role,members,spaces` |
 * | a site's spaces | `id,title,path,defaultLevel,visibility` |
 * | a member's spaces | `id,title,path,role,createdAt,because` |
 * | a member's teams | `id,title,role,members,spaces` |
 * | a team's permissions | `kind,id,title,path,role` |
 * | a team's members | `id,name,email,role` |
 * | members | `id,name,email,role` |
 * | teams | `id,title,members,spaces,createdAt` |
 *
 * Cells that start with `=`, `+`, `-`, `@`, tab or CR get a leading `'`. A path is joined with ` / `; a closed
 * default level is `null`, a guest's organization role `guest`. A file is whole if and only if the response ends
 * without an error; `X-Rolebook-Revision` names its revision. If `revision` is given and no longer kept, that
 * header names another one and the page throws the answer away.
 */
export type CsvQuery = ListQuery & AtRevision;

/* GET /explorer/why: one user on one thing, from the code that decides. */

/**
 * Contents as endpoint 3, sites as endpoint 8; a member may also ask about themselves wherever they see the content.
 * Whoever may list but does not see everything gets, for a user without a role there, a 404 whether that user
 * exists or not. For the others a user who is not a member is no error but the first answer of the ladder.
 */
export type WhyQuery = (ContentQuery | { readonly site: string }) & { readonly user: string } & AtRevision;

/** The {@link Explanation} of `rolebook why`. */
export interface WhyAnswer extends Stamp, Explanation {
  /** The command that answers the same, ready for a shell. */
  readonly command: string;
  /** On a site: the user's role on each of its spaces, strongest first, then by title. */
  readonly spaces?: readonly SpaceRole[];
}

/** A role on a space of a site; `null` for none. */
export interface SpaceRole extends Titled {
  readonly role: Role | null;
}
