/** GET /explorer/counts: the counts of one subject. Authorization as for its list in `access`. */
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ListQuery, Tab } from "./lists.ts";
import type { Subject, SubjectQuery } from "./subjects.ts";

/** The answer has `filtered` if the query has the `tab` and the filters of a list. */
export type CountsQuery = (SubjectQuery | ListQuery) & AtRevision;
export interface CountsAnswer extends Stamp {
  /**
   * The number of a member's spaces, or of people on a content or site, with each of the six effective roles. Absent
   * for a team.
   */
  readonly roles?: Readonly<Record<Role, number>>;
  /** The length of the list of each tab in {@link AccessQuery} that the subject has. */
  readonly tabs: Readonly<Partial<Record<Tab, number>>>;
  /**
   * The number of rows that pass the filters. `roles` has the number with each effective role if the rows have one;
   * these numbers ignore the filters `role` and `least`.
   */
  readonly filtered?: {
    readonly total: number;
    readonly roles?: Readonly<Record<Role, number>>;
    /** For `list=found`: the number of results of each kind. These numbers ignore the filter `kind`. */
    readonly kinds?: Readonly<Record<Subject["kind"], number>>;
  };
}
