/** The byte that is painted for a member on a content: a role, and what gives it. */

/** The bits of a painted byte: the rank of the role, and what gives it; no other bit if a default level does. */
export const ROLE = 7;
export const BY_ORGANIZATION = 8;
export const BY_TEAM = 16;
export const DIRECT = 32;
/** Beside {@link BY_TEAM}: the team is the one that was asked for. */
export const THROUGH = 64;
/** Beside the others: a site gives it. */
export const BY_SITE = 128;
