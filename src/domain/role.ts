/** Weakest first (docs/permissions.md): review is above edit. */
export const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;

export type Role = (typeof ROLES)[number];

export type RoleCounts = Readonly<Record<Role, number>>;

/** What a role allows on a space: `space.permissions` of endpoint 7 (docs/permissions.md). */
export interface Abilities {
  access: boolean;
  admin: boolean;
  edit: boolean;
  comment: boolean;
  merge: boolean;
  review: boolean;
}

/** The roles that are counted at least once, strongest first. */
export function heldIn(counts: RoleCounts): Role[] {
  return ROLES.toReversed().filter((role) => counts[role] > 0);
}

/** 1 for `read` to 6 for `admin`. */
export function rank(role: Role): number {
  return ROLES.indexOf(role) + 1;
}

/** As {@link rank}; 0 for no access, which is below every role. */
export function rankOrZero(role: Role | null | undefined): number {
  return role == null ? 0 : rank(role);
}

/** The inverse of {@link rank}. Throws a RangeError outside 1 to 6. */
export function roleOf(wanted: number): Role {
  const role = ROLES[wanted - 1];
  if (role === undefined) throw new RangeError(`No role has rank ${wanted}; ranks are 1 to ${ROLES.length}.`);
  return role;
}

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

export function atLeast(role: Role, floor: Role): boolean {
  return rank(role) >= rank(floor);
}

export function abilities(role: Role): Abilities {
  return {
    access: atLeast(role, "read"),
    admin: atLeast(role, "create"),
    edit: atLeast(role, "edit"),
    comment: atLeast(role, "comment"),
    merge: atLeast(role, "review"),
    review: atLeast(role, "review"),
  };
}
