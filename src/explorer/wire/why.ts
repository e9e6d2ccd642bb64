/** GET /explorer/why: one user on one thing, from the code that decides. */
import type { Titled } from "../../domain/explanation/reason.ts";
import type { Explanation } from "../../domain/explanation/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ContentQuery } from "./things.ts";

/**
 * Contents as endpoint 3, sites as endpoint 8; a member may also ask about themselves wherever they see the content.
 * Whoever may list but does not see everything gets, for a user without a role there, a 404 whether that user
 * exists or not. For the others a user who is not a member is no error but the first answer of the ladder.
 */
export type WhyQuery = (ContentQuery | { readonly site: string }) & { readonly user: string } & AtRevision;

/** The {@link Explanation} of `rolebook why`. */
export interface WhyAnswer extends Stamp, Explanation {
  /** The equivalent command, ready for a shell. */
  readonly command: string;
  /** On a site: the user's role on each of its spaces, strongest first, then by title. */
  readonly spaces?: readonly SpaceRole[];
}

/** A role on a space of a site; `null` for none. */
export interface SpaceRole extends Titled {
  readonly role: Role | null;
}
