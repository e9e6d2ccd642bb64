/** GET /explorer/counts: the counts of one subject. Authorization as for its list in `access`. */
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ListQuery, Tab } from "./lists.ts";
import type { Subject, SubjectQuery } from "./things.ts";

/** With the `tab` and the filters of one of the subject's lists, the answer has `filtered`. */
export type CountsQuery = (SubjectQuery | ListQuery) & AtRevision;
export interface CountsAnswer extends Stamp {
  /**
   * The number of members of a content or site, or of spaces of a member, with each effective role. All six roles, zero
   * included. Absent for a team.
   */
  readonly roles?: Readonly<Record<Role, number>>;
  /** The length of the list of each tab in {@link AccessQuery} that the subject has. */
  readonly tabs: Readonly<Partial<Record<Tab, number>>>;
  /**
   * The number of rows that pass the filters and, if rows have effective roles, the number with each role, ignoring
   * `role` and `least`.
   */
  readonly filtered?: {
    readonly total: number;
    readonly roles?: Readonly<Record<Role, number>>;
    /** For `list=found`, ignoring `kind`. */
    readonly kinds?: Readonly<Record<Subject["kind"], number>>;
  };
}
