import type { FindingKind } from "../../domain/findings.ts";
import type { ContentRef, Titled } from "../../domain/reason.ts";
import type { Person } from "../../domain/why.ts";
import type { Role } from "../../domain/role.ts";
import { oneLine } from "../../domain/text.ts";

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
