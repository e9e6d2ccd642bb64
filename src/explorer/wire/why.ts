/** GET /explorer/why: one user on one thing, from the code that decides. */
import type { Titled } from "../../domain/explanation/reason.ts";
import type { Explanation } from "../../domain/explanation/why.ts";
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ContentQuery } from "./things.ts";

/**
 * Callers may ask about contents as in endpoint 3, about sites as in endpoint 8, and about themselves on every content
 * that they see. For a user without a role there, a caller who may list the content but does not see everything gets a
 * 404, whether or not that user exists. Other callers get an explanation, also for a user who is not a member.
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
