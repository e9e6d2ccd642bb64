import type { Role } from "../domain/role.ts";
import type { Candidate } from "./candidates.ts";
import { drive } from "./drive.ts";
import { merge } from "./merge.ts";
import type { Reading } from "./reading.ts";
import { letsMembersIn, postingsOf, type Target } from "./target.ts";

/** Some members in the order of their ids. Every member up to `upTo` who can be listed is among them. */
export interface Block {
  readonly candidates: readonly Candidate[];
  /** Where to go on; absent at the end of the list. */
  readonly upTo: string | undefined;
}

/** A way to go through the members who may be in a listing; `size` is how many are wanted at most. */
export type Plan = (after: string, size: number) => Promise<Block>;

/** A plan, and which part of the members it goes through can be expected to be listed. */
export interface Chosen {
  readonly next: Plan;
  readonly yield: number;
}

export type PlanName = "drive" | "merge";

/** Where another block is another wait, as if so much less came out than is to be expected. */
const DOUBT = 0.6;

/** Below one candidate in so many members, merging the sources reads less than going through the members. */
const SPARSE = 8;

/**
 * Chooses how to go through a target's members. Either plan gives the same listing; `forced` lets a test say which.
 */
export function planFor(
  reading: Reading,
  target: Target<{ role: Role }>,
  role: Role | undefined,
  forced?: PlanName,
): Chosen {
  const { facts } = target;
  const { members, roles } = reading.at.counts;
  const open = role === undefined && letsMembersIn(target);
  if (open && forced !== "merge") {
    return { next: drive(reading, facts), yield: (members - roles.guest) / members };
  }
  const doubt = reading.distant ? DOUBT : 1;
  const postings = postingsOf(target, reading.at.counts, role);
  const candidates = postings.reduce((sum, { size }) => sum + size, 0);
  if (forced === undefined ? candidates * SPARSE > members : forced === "drive") {
    return { next: drive(reading, facts), yield: doubt * Math.min(1, candidates / members) };
  }
  return {
    next: merge(reading, postings, facts),
    yield: postings.length > 1 || role !== undefined ? doubt : 1,
  };
}
