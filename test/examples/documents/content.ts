import type { Content, Facts } from "../../oracle/facts.ts";

/** The space or collection with an id; in the example they share none. Throws if there is neither. */
export function contentOf(facts: Facts, id: string): Content {
  if (facts.spaces.has(id)) return { kind: "space", id };
  if (facts.collections.has(id)) return { kind: "collection", id };
  throw new Error(`no content ${id}`);
}
