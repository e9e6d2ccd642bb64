import type { Revision } from "../reading.ts";

/** What readers of an organization see now, and how far back they can read. */
export interface Organization {
  readonly current: Revision;
  /** The number of the earliest revision that can be read. */
  readonly earliest: number;
}
