/** GET /explorer/search: finds subjects by title, name or e-mail address. */
import type { Titled } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";

/**
 * Finds up to 12 subjects. A subject matches if
 *
 * - its id is `q`, or
 * - its title, display name or e-mail address begins with `q`, or
 * - each word of `q` is a prefix of one of its words; of an e-mail address, only words before the `@` count.
 *
 * Texts are folded for case-insensitive comparison, as endpoint 9's `title`. Order: equal ids and texts; texts that begin
 * with `q`; for two words, texts that begin with them swapped; others; at a past revision, last those that changed later.
 * Within each of these, content comes before sites, members and teams. Callers who do not see everything find only
 * visible contents and themselves. An empty `q` finds nothing.
 */
export interface SearchQuery extends AtRevision {
  readonly q: string;
  /** Only members, for "Check a person". */
  readonly kind?: "member";
  /**
   * With `kind` and one of these three, each hit has the member's role there. Authorization as for that subject's list
   * in GET /explorer/access.
   */
  readonly space?: string;
  readonly collection?: string;
  readonly site?: string;
}
export interface SearchAnswer extends Stamp {
  readonly items: readonly Hit[];
  /** Whether there may be more matches than items. Also true if a search for several common words was incomplete. */
  readonly more: boolean;
}
export type Hit =
  | (Titled & {
      readonly kind: "space";
      readonly emoji?: string;
      readonly deletedAt?: string;
      /** The titles of its ancestors, topmost first. */
      readonly path: readonly string[];
    })
  | (Titled & { readonly kind: "collection"; readonly path: readonly string[] })
  | (Titled & { readonly kind: "site"; readonly spaces: number })
  | (Titled & { readonly kind: "team"; readonly members: number })
  | (Person & {
      readonly kind: "member";
      /**
       * The effective role on the content or site of the request, `null` for none; absent if the request names neither.
       */
      readonly role?: Role | null;
    });
