import type { Revision } from "../../reading.ts";

export interface Organization {
  readonly current: Revision;
  readonly earliest: number;
}
