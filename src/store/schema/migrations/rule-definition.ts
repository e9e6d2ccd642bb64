import type { Dialect } from "../../engine/engine.ts";

/** Adds the definition of a rule to its result, so that its breaches can be listed without the file of rules. */
export const RULE_DEFINITION = ({ text }: Dialect) => `
    ALTER TABLE rule_result ADD COLUMN definition ${text};  -- as in its file, in JSON; null in earlier results`;
