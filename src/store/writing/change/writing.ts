import type { Connection } from "../../engine/engine.ts";

/** The transaction, revision and generation of a change. */
export interface Writing {
  readonly connection: Connection;
  readonly generation: number;
  readonly revision: number;
  /** Rows that this change inserted, by table and key. */
  readonly inserted: Set<string>;
  /** Whether this change has split a chunk. Rows inserted by a split are not in {@link inserted}. */
  hasSplit: boolean;
}
