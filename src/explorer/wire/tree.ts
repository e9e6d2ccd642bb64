/** GET /explorer/tree: contents and sites, level by level, and the path of one subject. */
import type { AtRevision, Listing, Paged, Stamp } from "./answer.ts";
import type { CollectionNode, ContentNode, SiteNode, Subject, SubjectQuery } from "./things.ts";

/**
 * One level of the tree, `Listing<ContentNode>`: the children of collection `parent`, or without it the top level;
 * collections before spaces, each by title (ignoring case), then by id. Callers who do not see everything get visible
 * contents only; a visible content in a hidden collection is at the top level. A `parent` that does not exist or is
 * hidden is a 404.
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
 * One subject and its path. Contents: 404 unless the caller sees them. Sites as for endpoint 8, members and teams as
 * for 9.
 */
export type PlaceQuery = SubjectQuery & AtRevision;
export interface PlaceAnswer extends Stamp {
  readonly subject: Subject;
  /** For content: its visible ancestors, topmost first; otherwise empty. */
  readonly ancestors: readonly CollectionNode[];
}
