import type { Role } from "../domain/role.ts";
import type { Candidate, Facts } from "./candidates.ts";
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

/** A way to go through the members who may be in a listing; `size` is about how many are wanted. */
export type Plan = (after: string, size: number) => Promise<Block>;

export type PlanName = "drive" | "merge";

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
): Plan {
  const facts: Facts = target.facts;
  if (forced === "drive") return drive(reading, facts);
  if (forced === undefined && role === undefined && letsMembersIn(target)) return drive(reading, facts);
  const { counts } = reading.at;
  const postings = postingsOf(target, counts, role);
  const candidates = postings.reduce((sum, { size }) => sum + size, 0);
  if (forced === undefined && candidates * SPARSE > counts.members) return drive(reading, facts);
  return merge(reading, postings, facts);
}
