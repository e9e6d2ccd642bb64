/** What `rolebook tidy` and the explorer's page find, in words and as cells. */
import type { ContentRef, Titled } from "./reason.ts";
import type { Role } from "./role.ts";
import { oneLine } from "./text.ts";
import type { Person } from "./why.ts";

export const FINDINGS = {
  redundant: "permission that changes nothing",
  "redundant-alone": "permission that changes nothing alone",
  "less-than-team": "permission that gives less than a team",
  deleted: "permission on a deleted space",
  "empty-team": "team without members",
  "no-access": "member without access",
  unreached: "content that only admins reach",
} as const;

export type FindingKind = keyof typeof FINDINGS;

/** Something to tidy up. A finding about a permission has a content, a role, and a user or a team. */
export interface Finding {
  readonly kind: FindingKind;
  readonly content?: ContentRef;
  readonly user?: Person;
  readonly team?: Titled;
  readonly role?: Role;
  readonly reason: string;
}

export const FINDING_COLUMNS = [
  ["finding", "kind", "content", "title", "user", "name"],
  ["team", "team_title", "role", "reason"],
].flat();

/** Line ends become spaces. */
export function findingCells({ kind, content, user, team, role, reason }: Finding): string[] {
  const cells = [kind, content?.kind, content?.id, content?.title];
  return [...cells, user?.id, user?.displayName, team?.id, team?.title, role, reason].map((cell) =>
    oneLine(cell ?? ""),
  );
}
