import type { Content, Facts } from "../oracle/facts.ts";

/** The space or collection of this id; in the example the two share none. Throws where there is neither. */
export function contentOf(facts: Facts, id: string): Content {
  if (facts.spaces.has(id)) return { kind: "space", id };
  if (facts.collections.has(id)) return { kind: "collection", id };
  throw new Error(`no content ${id}`);
}
