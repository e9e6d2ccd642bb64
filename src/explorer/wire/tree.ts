/** GET /explorer/tree: contents and sites, level by level, and the path of one subject. */
import type { AtRevision, Listing, Paged, Stamp } from "./answer.ts";
import type { CollectionNode, ContentNode, SiteNode, Subject, SubjectQuery } from "./things.ts";

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
  /** For content: its visible ancestors, topmost first; otherwise empty. */
  readonly ancestors: readonly CollectionNode[];
}
