import type { Layout, Range } from "./layout.ts";
import { hash, mulberry32, permutation, pick } from "./random.ts";

export type Role = "read" | "comment" | "edit" | "review" | "create" | "admin";
/** A `defaultLevel`. `undefined` omits the field, which means `inherit`. */
export type Level = Role | "inherit" | null | undefined;

/** The tree of contents with default levels; contents are named by their index. */
export interface Structure {
  readonly collectionParent: (collection: number) => number | undefined;
  readonly collectionLevel: (collection: number) => Level;
  readonly spaceParent: (space: number) => number | undefined;
  readonly spaceLevel: (space: number) => Level;
  /** Whether members have access by their organization role, without a permission. */
  readonly isOpen: (space: number) => boolean;
}

const LEVEL = 21;
const PARENT = 22;
const DEFAULT_ROLES: readonly Role[] = ["read", "read", "read", "comment", "edit"];

const contains = (range: Range, index: number): boolean => index >= range.from && index < range.to;

/**
 * The tree of contents of `plan`. All even collections inherit, are below collection 0, and contain the even spaces, so
 * collection 0 contains half of the spaces. Odd collections form several trees with mixed default levels; a quarter of
 * the odd spaces are in no collection. Each tree is 3 to 5 levels deep.
 */
export function structure(plan: Layout): Structure {
  const { seed, counts } = plan;
  const half = Math.ceil(counts.collections / 2);
  const roots = Math.max(2, Math.round(Math.sqrt(half) / 2));
  const branching = Math.ceil(half ** 0.25);
  const scatter = permutation(half, hash(seed, PARENT, 0));

  const closed = [
    { from: plan.manyTeamsSpace, to: plan.manyTeamsSpace + 1 },
    { from: plan.directSpace, to: plan.directSpace + 1 },
    { from: plan.sparseSpace, to: plan.sparseSpace + 1 },
    plan.guestSpaces,
    plan.closedSiteSpaces,
  ];
  const inheriting = [
    { from: plan.manyTeamsOpenSpace, to: plan.manyTeamsOpenSpace + 1 },
    plan.openSiteSpaces,
  ];

  function collectionParent(collection: number): number | undefined {
    const position = Math.floor(collection / 2);
    if (collection % 2 === 0) {
      return position === 0 ? undefined : 2 * Math.floor((position - 1) / branching);
    }
    return position < roots ? undefined : 2 * Math.floor((position - roots) / branching) + 1;
  }

  function collectionLevel(collection: number): Level {
    return collection % 2 === 0 ? undefined : mixed(mulberry32(hash(seed, LEVEL, 2 * collection)), 0.15, 0.1);
  }

  function spaceParent(space: number): number | undefined {
    const within = scatter(Math.floor(space / 2) % half);
    if (space % 2 === 0) return 2 * within;
    const loose = contains(plan.openSiteSpaces, space) || space % 8 === 1;
    return loose ? undefined : 2 * within + 1;
  }

  function spaceLevel(space: number): Level {
    if (closed.some((range) => contains(range, space))) return null;
    if (inheriting.some((range) => contains(range, space))) return "inherit";
    return mixed(mulberry32(hash(seed, LEVEL, 2 * space + 1)), 0.12, 0.08);
  }

  function isOpen(space: number): boolean {
    let level = spaceLevel(space);
    let parent = spaceParent(space);
    while (level === undefined || level === "inherit") {
      if (parent === undefined) return true;
      level = collectionLevel(parent);
      parent = collectionParent(parent);
    }
    return level !== null;
  }

  return { collectionParent, collectionLevel, spaceParent, spaceLevel, isOpen };
}

/** Closed with probability `none`, a role with probability `role`, else `inherit`, which is written or omitted. */
function mixed(random: () => number, none: number, role: number): Level {
  const draw = random();
  if (draw < none) return null;
  if (draw < none + role) return pick(random, DEFAULT_ROLES);
  return random() < 0.5 ? "inherit" : undefined;
}
