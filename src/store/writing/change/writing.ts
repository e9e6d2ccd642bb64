import type { Connection } from "../../engine/engine.ts";
import { MEMBERS, SPACES, type Universe } from "../../schema/set-names.ts";

/** The transaction, generation and revision of a change. */
export interface Writing {
  readonly connection: Connection;
  readonly generation: number;
  readonly revision: number;
  /** The positions that were looked up, by key; `undefined` for a key without a position. */
  readonly positions: Readonly<Record<Universe, Map<string, number | undefined>>>;
  hasSplit: boolean;
}

export function beginWriting(connection: Connection, generation: number, revision: number): Writing {
  const positions = { [MEMBERS]: new Map(), [SPACES]: new Map() };
  return { connection, generation, revision, positions, hasSplit: false };
}
