import type { Filter } from "../../queries/filters/filter.ts";
import type { Asking } from "../operation.ts";
import type { Subject } from "../parameters/read.ts";
import type { List } from "./list.ts";

/** The list that a query names. */
export interface Named {
  readonly list: List<object>;
  /** The subject of the list; absent for lists of the whole organization. */
  readonly subject: Subject | undefined;
  readonly filter: Filter;
  /** Throws 403 and 404 if the caller may not list it (contract, section 7). */
  allow(asker: Pick<Asking, "caller" | "viewer" | "current">): Promise<void>;
}
