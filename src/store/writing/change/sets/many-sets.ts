/** Statements that read many sets at once. */
import { statement } from "../../../engine/engine.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { HEADS } from "../../../sets/containers.ts";

type SetRow = [name: string, bits: Uint8Array];

/** The current heads of the given sets. */
export const HEADS_OF = statement<SetRow>(
  ({ texts, lookUp }) => `
    SELECT c.name, c.bits FROM ${lookUp(
      texts("$3", "wanted"),
      "container",
      "c",
      `c.generation = $1 AND c.universe = $2 AND c.chunk = ${HEADS} AND c.name = wanted.value AND c.until = ${FOREVER}`,
    )}`,
);
/** The current containers of a chunk. */
export const IN_CHUNK = statement<SetRow>(
  () => `
    SELECT c.name, c.bits FROM container c
      WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = $3 AND c.until = ${FOREVER}`,
);
