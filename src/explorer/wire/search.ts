/** GET /explorer/search: things by title, name or e-mail address. */
import type { Titled } from "../../domain/explanation/reason.ts";
import type { Person } from "../../domain/explanation/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";

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
  /** Whether there are more matches than items. */
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
      /** If the request names a content or site: the effective role there, `null` for none. */
      readonly role?: Role | null;
    });
