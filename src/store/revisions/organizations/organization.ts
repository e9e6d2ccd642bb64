import type { Revision } from "../../reading.ts";

/** An organization at its current revision. */
export interface Organization {
  readonly current: Revision;
  readonly earliest: number;
}
