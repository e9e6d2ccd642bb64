import type { Connection } from "../../engine/engine.ts";

/** Where a change is written: in one transaction, as one revision, into one generation. */
export interface Writing {
  readonly connection: Connection;
  readonly generation: number;
  readonly revision: number;
  /** The rows that this change has inserted, by table and key. */
  readonly inserted: Set<string>;
  /** Whether this change has split a chunk: then rows were inserted that are not among {@link inserted}. */
  hasSplit: boolean;
}
