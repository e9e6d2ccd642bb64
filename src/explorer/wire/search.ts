/** GET /explorer/search: finds subjects by title, name or e-mail address. */
import type { Titled } from "../../domain/explanation/reason.ts";
import type { Person } from "../../domain/explanation/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";

/**
 * Finds up to 12 subjects whose title, display name or e-mail address begins with `q`, folded like endpoint 9's
 * `title`, or has for each word of `q` a word that begins with it (in an e-mail address only before the `@`), or whose
 * id is `q`. Order: equal ids and texts, then texts that begin with `q`, then others; among equals, content before
 * sites, members and teams, then by the matching text. `more` is also true if a search for several common words was
 * incomplete. Callers who do not see everything find only visible contents and themselves. An empty `q` finds nothing.
 */
export interface SearchQuery extends AtRevision {
  readonly q: string;
  /** Only members, for "Check a person". */
  readonly kind?: "member";
  /** With `kind`: adds each member's role on this subject. Authorization as for the subject's list in `access`. */
  readonly space?: string;
  readonly collection?: string;
  readonly site?: string;
}
export interface SearchAnswer extends Stamp {
  readonly items: readonly Hit[];
  /** Whether there are more matches than items. */
  readonly more: boolean;
}
export type Hit =
  | (Titled & {
      readonly kind: "space";
      readonly emoji?: string;
      /** Absent if the space is not deleted. */
      readonly deletedAt?: string;
      /** Titles of its ancestors, topmost first. */
      readonly path: readonly string[];
    })
  | (Titled & { readonly kind: "collection"; readonly path: readonly string[] })
  | (Titled & { readonly kind: "site"; readonly spaces: number })
  | (Titled & { readonly kind: "team"; readonly members: number })
  | (Person & {
      readonly kind: "member";
      /** If the request names a content or site: the effective role there, `null` for none. */
      readonly role?: Role | null;
    });
