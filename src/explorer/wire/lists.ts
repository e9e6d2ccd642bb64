/** GET /explorer/access: every list of the page. GET /explorer/csv: the same list as a file. */
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Paged } from "./answer.ts";
import type { Hit } from "./search.ts";
import type { ContentQuery } from "./subjects.ts";

/**
 * | list | order | rows |
 * |---|---|---|
 * | `space` or `collection`, `tab=everyone` (default) | strongest role, then user id | {@link AccessRow} |
 * | … `tab=people`: direct permissions on the content | strongest role, then user id | {@link AccessRow} |
 * | … `tab=teams` | strongest role, then team id | {@link TeamRow} |
 * | `collection`, `tab=contents`: what lies directly in it | collections first, by title | {@link ContentRow} |
 * | `site`, `tab=everyone` (default) | strongest role, then user id | {@link AccessRow} |
 * | `site`, `tab=spaces` | title, then id | {@link SpaceRow} |
 * | `member`, `tab=spaces` (default), `order`? | `createdAt`, then id, by default `desc` | {@link ReachRow} |
 * | `member`, `tab=teams` | team id | {@link TeamRow} |
 * | `team`, `tab=permissions` (default) | strongest role, then kind and id | {@link GivenRow} |
 * | `team`, `tab=members` | user id | {@link TeamMemberRow} |
 * | `list=members`; `role` is the organization role | user id | {@link MemberRow} |
 * | `list=teams` | team id | {@link TeamRow} |
 * | `list=found`, `kind`?: all results of a search for `q` | collections, spaces, sites and teams by title, then members by id | {@link Hit} |
 * | `list=contents`, `show=closed` (default), `broad` or `deleted` | collections first, by title | {@link ContentRow} |
 *
 * Authorization: contents as for endpoints 1 to 6 (403 for callers who see the content but are neither `create` nor
 * `admin` there); sites as for endpoint 8; a member's lists as for 7 and 9; teams and lists of the whole organization
 * require an organization token or an organization admin (otherwise 403). A parameter that a list does not have is a
 * 400. See {@link Filters} for the filters of each list.
 */
export type AccessQuery = ListQuery &
  Paged & {
    /** Instead of `page`: the number of rows before the page. */
    readonly from?: number;
  };
export type ListQuery = ContentListQuery | SiteListQuery | MemberListQuery | TeamListQuery | WholeListQuery;

/**
 * The filters of a list. A list accepts the filters that apply to its rows, and refuses others with 400. `q` matches
 * people, contents and teams as GET /explorer/search does.
 */
export interface Filters {
  readonly q?: string;
  /** `role`: exactly this role; `least`: this role or a stronger one. */
  readonly role?: Role;
  readonly least?: Role;
  /**
   * Only rows whose role has one of these reasons: `organization` (includes organization admins), `direct`, `team` and
   * `default`, separated by commas.
   */
  readonly reason?: string;
  /** A team id: only rows whose role comes from a permission of this team. */
  readonly through?: string;
  readonly guests?: "only" | "none";
  readonly deleted?: "only" | "none";
  /** RFC 3339: only rows that are in the list, and were not in it at the last revision before this time. */
  readonly since?: string;
  /** The default is `strongest`, except for a member's spaces, which are sorted by creation time. */
  readonly sort?: "strongest" | "id";
  /** For lists of differences: one or several of `lost`, `lowered`, `raised` and `gained`, separated by commas. */
  readonly change?: string;
  /** For comparisons: only spaces with different roles, or only those with equal ones. */
  readonly differs?: "only" | "none";
}
export type ContentListQuery = ContentQuery & {
  /** `contents` is only for a collection. */
  readonly tab?: "everyone" | "people" | "teams" | "contents";
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
  readonly list: "members" | "teams" | "contents" | "found";
  /**
   * For `list=contents`: contents with a closed default level (`closed`) or with `edit` or stronger (`broad`), or
   * deleted spaces.
   */
  readonly show?: "closed" | "broad" | "deleted";
  /** For `list=found`: only this kind. */
  readonly kind?: Hit["kind"];
}

export type Tab = "everyone" | "people" | "teams" | "contents" | "spaces" | "permissions" | "members";

/**
 * The whole list at one revision, streamed as `text/csv; charset=utf-8`. Everyone and people are sorted by user id, other
 * lists as in {@link AccessQuery}. A byte order mark precedes five lines like those of `rolebook report`: `Rolebook list`,
 * `organization`, `revision`, `imported` and `covers`. Lines end in CRLF; the sixth has the column names:
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
 * | contents, and those of a collection | `kind,id,title,path,defaultLevel,deletedAt` |
 * | found | `kind,id,title,path,email` |
 *
 * Cells that start with `=`, `+`, `-`, `@`, tab or CR get a leading `'`. Paths are joined with ` / `; a closed
 * default level is `null`, a guest's organization role `guest`. A file is complete if and only if the response ends
 * without an error; `X-Rolebook-Revision` has its revision. If the requested `revision` is no longer readable, that
 * header has another one, and the page discards the answer.
 */
export type CsvQuery = ListQuery & AtRevision;
