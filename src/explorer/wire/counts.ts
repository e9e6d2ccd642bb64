/** GET /explorer/counts: how many of what, for one thing. Authorization as its list in `access`. */
import type { Role } from "../../domain/role.ts";
import type { AtRevision, Stamp } from "./answer.ts";
import type { ListQuery, Tab } from "./lists.ts";
import type { Subject, SubjectQuery } from "./things.ts";

/** With the `tab` and the filters of a list of it, the answer has `filtered`. */
export type CountsQuery = (SubjectQuery | ListQuery) & AtRevision;
export interface CountsAnswer extends Stamp {
  /**
   * How many hold each effective role: members of a content or a site, spaces of a member. All six roles, zero
   * included. Left out for a team.
   */
  readonly roles?: Readonly<Record<Role, number>>;
  /** The length of the list of each tab, for the tabs of {@link AccessQuery} that the subject has. */
  readonly tabs: Readonly<Partial<Record<Tab, number>>>;
  /** How many rows the filters leave; and where rows have effective roles how many of each, whatever `role` and `least` are. */
  readonly filtered?: {
    readonly total: number;
    readonly roles?: Readonly<Record<Role, number>>;
    /** Of `list=found`, whatever `kind` is. */
    readonly kinds?: Readonly<Record<Subject["kind"], number>>;
  };
}
