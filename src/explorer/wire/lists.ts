/** GET /explorer/access: every list of the page. GET /explorer/csv: the same list as a file. */
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Paged } from "./answer.ts";
import type { Hit } from "./search.ts";
import type { ContentQuery } from "./things.ts";

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
 * | `list=found`, `kind`?: all that a search for `q` finds | collections, spaces, sites and teams by title, then members by id | {@link Hit} |
 * | `list=contents`, `show=closed` (default), `broad` or `deleted` | collections first, by title | {@link ContentRow} |
 *
 * Authorization: contents as endpoints 1 to 6 (403 for those who see it but are neither `create` nor `admin`);
 * sites as endpoint 8; a member's lists as 7 and 9; teams and the two whole lists are for an organization token or
 * an organization admin, 403 for everyone else. A parameter that a list does not have is a 400.
 * Every list has {@link Filters} of its own.
 */
export type AccessQuery = ListQuery &
  Paged & {
    /** Instead of `page`: the number of rows before the page. */
    readonly from?: number;
  };
export type ListQuery = ContentListQuery | SiteListQuery | MemberListQuery | TeamListQuery | WholeListQuery;

/**
 * What a list is narrowed to; each list has those that its rows can tell, another one is a 400. `q` finds people,
 * contents and teams as a search does.
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
  /** RFC 3339: those with access now who had none before this time. */
  readonly since?: string;
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
  readonly list: "members" | "teams" | "contents" | "found";
  /** Of contents: closed ones, those with `edit` or stronger by default, deleted ones. */
  readonly show?: "closed" | "broad" | "deleted";
  /** Of what a search finds: one kind. */
  readonly kind?: Hit["kind"];
}

export type Tab = "everyone" | "people" | "teams" | "spaces" | "permissions" | "members";

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
 * | contents | `kind,id,title,path,defaultLevel,deletedAt` |
 * | found | `kind,id,title,path,email` |
 *
 * Cells that start with `=`, `+`, `-`, `@`, tab or CR get a leading `'`. A path is joined with ` / `; a closed
 * default level is `null`, a guest's organization role `guest`. A file is whole if and only if the response ends
 * without an error; `X-Rolebook-Revision` names its revision. If `revision` is given and no longer kept, that
 * header names another one and the page throws the answer away.
 */
export type CsvQuery = ListQuery & AtRevision;
