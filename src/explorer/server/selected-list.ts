import type { Filter, Subject } from "./query.ts";
import type { Asker } from "./viewer.ts";
import type { List } from "./list.ts";

export interface Named {
  readonly list: List<object>;
  /** `undefined` for a list of the whole organization. */
  readonly subject: Subject | undefined;
  readonly filter: Filter;
  /** Throws 403 or 404 if the caller may not read the list (contract, section 7). */
  allow(asker: Asker): Promise<void>;
}
