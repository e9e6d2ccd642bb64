/** GET /explorer/overview: the counts of a reviewer's starting points. For callers who see everything. */
import type { Stamp } from "../answer.ts";

export interface OverviewAnswer extends Stamp {
  /** The length of `list=members&role=admin`. */
  readonly admins: number;
  /** The length of `list=members&guests=only`. */
  readonly guests: number;
  /** The length of `list=contents&show=closed`: contents with a closed default level of their own. */
  readonly closed: number;
  /** The length of `list=contents&show=broad`: contents with a default level of `edit` or stronger. */
  readonly broad: number;
  /** The length of `list=contents&show=deleted`: deleted spaces. */
  readonly deleted: number;
}
