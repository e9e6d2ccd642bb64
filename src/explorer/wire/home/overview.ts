/** GET /explorer/overview: the lengths of the lists with which a review begins. For callers who see everything. */
import type { Stamp } from "../answer.ts";

export interface OverviewAnswer extends Stamp {
  readonly admins: number;
  readonly guests: number;
  /** Contents with a closed default level of their own. */
  readonly closed: number;
  /** Contents with a default level of `edit` or stronger. */
  readonly broad: number;
  /** Deleted spaces. */
  readonly deleted: number;
}
