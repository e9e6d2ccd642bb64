/** A second implementation of the rows of `rolebook report`, as far as days and organization admins select them (docs/reports.md). */
import { effectiveOf } from "../effective.ts";
import type { Facts } from "../facts.ts";
import { byBytes } from "../order.ts";
import { ROLES, type Role } from "../records.ts";
import { contentsOf } from "./tidy.ts";

/** Whether a role is new, or higher than the one before; a row without a role cannot rise. */
export function isNewOrRisen(had: Role | null | undefined, has: Role | null): boolean {
  if (had === undefined) return true;
  const rankOf = (role: Role | null) => (role === null ? -1 : ROLES.indexOf(role));
  return rankOf(has) > rankOf(had);
}

export interface Selection {
  /** What held before the day from which on rows are new. */
  readonly before?: Facts | undefined;
  /** Whether rows with a higher role than then are left out, as in the reports of earlier versions. */
  readonly onlyNew?: boolean | undefined;
  readonly withoutAdmins?: boolean | undefined;
}

/** The rows, such as "space/x ana edit", in the order of a report. */
export function rowsOf(facts: Facts, { before, onlyNew, withoutAdmins }: Selection): string[] {
  return contentsOf(facts)
    .toSorted((a, b) => byBytes(`${a.kind}/${a.id}`, `${b.kind}/${b.id}`))
    .flatMap((content) =>
      [...facts.members]
        .sort(([a], [b]) => byBytes(a, b))
        .flatMap(([user, own]) => {
          const role = effectiveOf(facts, user, content)?.role;
          if (role === undefined || (withoutAdmins === true && own === "admin")) return [];
          if (before !== undefined) {
            const had = effectiveOf(before, user, content)?.role;
            if (onlyNew === true ? had !== undefined : !isNewOrRisen(had, role)) return [];
          }
          return [`${content.kind}/${content.id} ${user} ${role}`];
        }),
    );
}
