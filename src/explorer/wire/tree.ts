/** GET /explorer/tree: contents and sites, level by level, and the path of one subject. */
import type { AtRevision, Listing, Paged, Stamp } from "./answer.ts";
import type { CollectionNode, ContentNode, SiteNode, Subject, SubjectQuery } from "./subjects.ts";

/**
 * One level of the tree, `Listing<ContentNode>`: the children of collection `parent`, or the top level if no parent is
 * given. Collections come before spaces; each kind is sorted by title (ignoring case), then id. Callers who do not see
 * everything get visible contents only; a visible content in a hidden collection is at the top level. A `parent` that
 * does not exist or is hidden gets a 404.
 */
export interface LevelQuery extends Paged {
  readonly parent?: string;
}
export type LevelAnswer = Listing<ContentNode>;

/** All sites, by title, then id, `Listing<SiteNode>`. Authorization as for endpoint 8. */
export interface SitesQuery extends Paged {
  readonly kind: "site";
}
export type SitesAnswer = Listing<SiteNode>;

/**
 * One subject and its ancestors. Authorization: for a content, 404 unless the caller sees it; for a site as for
 * endpoint 8, for a member or team as for endpoint 9.
 */
export type PlaceQuery = SubjectQuery & AtRevision;
export interface PlaceAnswer extends Stamp {
  readonly subject: Subject;
  /** Of a content: the ancestors that the caller sees, topmost first. Otherwise empty. */
  readonly ancestors: readonly CollectionNode[];
}
