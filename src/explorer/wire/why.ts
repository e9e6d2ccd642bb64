/** GET /explorer/why: explains the role of one user on one subject. */
import type { Titled } from "../../domain/reason.ts";
import type { Explanation } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ContentQuery } from "./subjects.ts";

/**
 * Callers may ask about contents as for endpoint 3, about sites as for endpoint 8, and about themselves on every
 * visible content. For a user without a role there, callers who may list the content but do not see everything get a
 * 404, whether or not that user exists. All other callers get an explanation, also for a user who is not a member.
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
