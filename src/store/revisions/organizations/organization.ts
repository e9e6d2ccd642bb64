import type { Revision } from "../../reading.ts";

/** An organization as readers see it now, with its earliest readable revision. */
export interface Organization {
  readonly current: Revision;
  /** The number of the earliest readable revision. */
  readonly earliest: number;
}
