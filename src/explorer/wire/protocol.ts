/**
 * What all requests between the explorer's page and its server have in common; both sides import it. The parameters of
 * each request are in the OpenAPI document.
 *
 * - Only GET, but for {@link REVIEW_PATH} and signing out. Ids are query parameters, because a user's id may be any text. An unknown parameter, a repeated one, and
 *   an empty `kind`, `tab`, `role`, `order`, `limit`, `page` or `revision` get a 400, as in `/v1` (docs/errors.md). An empty `q` is no filter.
 * - Every request except `me` may name the `revision` to read from (docs/api.md). The server reads the current
 *   revision if the request names none, if the named one is no longer readable, or if the caller does not see
 *   everything. Instead of `revision`, also for `me`, `at` is the WHEN of `/at/WHEN` (docs/past.md): callers who
 *   see everything may list everything that existed then; other callers, what they may list now.
 * - Lists have pages as in `/v1`: `limit` from 1 to 1000, by default 100; `page` from the previous answer.
 * - Authorization follows `/v1` (docs/api.md), at the current revision; each answer names its rule. Callers with
 *   an organization token and organization admins see everything. Other callers see the contents on which they have an
 *   effective role.
 * - Errors are those of `/v1`: `{"error": {"code", "message"}}` and their headers.
 * - Optional fields without a value are absent. Dates are UTC with three fraction digits.
 */
import type { DefaultLevel } from "../../domain/content.ts";
import type { Titled } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";

/** The paths of the explorer's requests. A server routes them before it loads what answers them. */
export const EXPLORER_PATHS = [
  "/explorer/me",
  "/explorer/overview",
  "/explorer/tree",
  "/explorer/search",
  "/explorer/counts",
  "/explorer/access",
  "/explorer/why",
  "/explorer/without",
  "/explorer/rules",
  "/explorer/revisions",
  "/explorer/changes",
  "/explorer/since",
  "/explorer/csv",
  "/explorer/report",
  "/explorer/tidy",
  "/explorer/outcomes",
  "/explorer/breaches",
  "/explorer/review",
] as const;

/** The path that is asked by POST: a report with decisions is too long for a URL. It changes nothing either. */
export const REVIEW_PATH = "/explorer/review" satisfies ExplorerPath;

/** The paths of signing in, where it is set up. The first two are for the browser's address bar. */
export const SIGN_IN_PATHS = {
  begin: "/explorer/sign-in",
  callback: "/explorer/sign-in/callback",
  out: "/explorer/sign-out",
} as const;

/** The `name` of the `<meta>` by which the page knows that sign-in is set up; its `content` is the provider's host. */
export const SIGN_IN_META = "rolebook-sign-in";

/** Why a sign-in ended without a session: the parameter `sign-in` of the address to which the person returns. */
export const SIGN_IN_PROBLEMS = [
  /** It took too long, or was begun elsewhere. */
  "again",
  /** The provider did not sign the person in. */
  "denied",
  /** No one member belongs to the account. */
  "refused",
  "unreachable",
  "clock",
  /** The database cannot be written. */
  "unwritable",
  "failed",
] as const;
export type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number];

export type ExplorerPath = (typeof EXPLORER_PATHS)[number];

export interface DatedRevision {
  readonly revision: number;
  readonly importedAt: string;
}

/**
 * Every answer begins with the revision from which it was read. `newer` is the current revision, if it is another one.
 * The page shows one revision at a time, and ignores answers from others.
 */
export interface Stamp extends DatedRevision {
  readonly newer?: DatedRevision;
}

/** A page of a list, flat as in `/v1`: no `next` on the last page. */
export interface Listing<Item> extends Stamp {
  readonly next?: { readonly page: string };
  readonly count: number;
  readonly items: readonly Item[];
  /** The number of rows of the whole list, if it is known without reading the list. */
  readonly total?: number;
}

/**
 * The kinds of subjects that have a view. A request names at most one. Ids are unique only per kind, so the name of the
 * parameter is the kind, and its value the id.
 */
export const KINDS = ["space", "collection", "site", "member", "team"] as const;
export type SubjectKind = (typeof KINDS)[number];

export interface SpaceNode extends Titled {
  readonly kind: "space";
  /** As in `/v1`; absent when empty. */
  readonly emoji?: string;
  readonly visibility: string;
  readonly defaultLevel: DefaultLevel;
  /** The number of direct permissions and team grants on the space itself. */
  readonly given: number;
  readonly deletedAt?: string;
}

export interface CollectionNode extends Titled {
  readonly kind: "collection";
  readonly defaultLevel: DefaultLevel;
  readonly given: number;
  /** The number of its children that the caller sees. */
  readonly children: number;
}

export interface SiteNode extends Titled {
  readonly kind: "site";
  /** What its permissions leave to it, for the spaces that ask it; `inherit` if it says nothing. */
  readonly defaultLevel: DefaultLevel;
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
  /** As `team.spaces` in `/v1`. */
  readonly spaces: number;
}

export type ContentNode = SpaceNode | CollectionNode;
export type SubjectNode = ContentNode | SiteNode | MemberNode | TeamNode;
