/** Checks that collections have no cycle and are not nested too deep after a change (contract, section 8). */
import { type ContentKey, idOf, kindOf } from "../../../../domain/content.ts";
import { holds } from "../../../schema/as-of.ts";
import type { Reading } from "../../../reading.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import { statement } from "../../../engine/engine.ts";
import { DEEPEST } from "../../generation/checks.ts";
import { childrenOf } from "../lookup/children.ts";
import type { Edits } from "../edits.ts";
import type { Fault } from "./fault.ts";
import type { Present } from "../lookup/mentioned.ts";

/**
 * The faults of moved collections: those in a cycle, those that are too deep, and those with a collection inside that
 * is too deep. All parents must exist.
 */
export async function nestingFaults(at: Reading, edits: Edits, present: Present): Promise<Fault[]> {
  const moved = [...edits.contents].flatMap(([key, { line, becomes }]) => {
    if (kindOf(key) !== "collection" || becomes?.parent === undefined) return [];
    return becomes.parent === present.contents.get(key)?.parent
      ? []
      : [{ key, line, parent: becomes.parent }];
  });
  if (moved.length === 0) return [];
  const parentOf = await parents(at, edits, moved);
  const faults: Fault[] = [];
  const fault = (line: number, parent: ContentKey, accepted: string) =>
    faults.push({ line, field: "collection.parent", value: idOf(parent), accepted });
  const depths = new Map<ContentKey, number>();
  for (const { key, line, parent } of moved) {
    const depth = depthOf(key, parentOf);
    if (depth === undefined) fault(line, parent, "collections without a cycle");
    else depths.set(key, depth);
  }
  if (faults.length > 0) return faults;
  const deep = await tooDeep(at, edits, depths);
  for (const { key, line, parent } of moved) {
    if (deep.has(key)) fault(line, parent, `collections nested at most ${DEEPEST} deep`);
  }
  return faults;
}

const ABOVE = statement<[id: string, parent: string | null]>(
  ({ texts }) => `
    WITH RECURSIVE up (id, parent) AS (
      SELECT c.id, c.parent FROM ${texts("$3", "wanted")} CROSS JOIN content c
        WHERE ${holds("c")} AND c.id = wanted.value
      UNION
      SELECT c.id, c.parent FROM up CROSS JOIN content c WHERE ${holds("c")} AND c.id = up.parent
    )
    SELECT id, parent FROM up`,
);

/** The parent of each collection above the moved ones, after the change. */
async function parents(
  at: Reading,
  edits: Edits,
  moved: readonly { readonly parent: ContentKey }[],
): Promise<Map<ContentKey, ContentKey | undefined>> {
  const said = [...edits.contents].flatMap(([key, { becomes }]) =>
    becomes === undefined ? [] : [[key, becomes.parent] as const],
  );
  const wanted = [...moved.map(({ parent }) => parent), ...said.flatMap(([, parent]) => parent ?? [])];
  const rows = await at.read(ABOVE, ...at.asOf, [...new Set(wanted)]);
  const found = new Map<ContentKey, ContentKey | undefined>(
    rows.map(([id, parent]) => [decodeContent(id), parent === null ? undefined : decodeContent(parent)]),
  );
  for (const [key, parent] of said) found.set(key, parent);
  return found;
}

/** The depth of a collection; `undefined` if it is in a cycle. */
function depthOf(
  start: ContentKey,
  parentOf: ReadonlyMap<ContentKey, ContentKey | undefined>,
): number | undefined {
  const seen = new Set<ContentKey>();
  for (let key: ContentKey | undefined = start; key !== undefined; key = parentOf.get(key)) {
    if (seen.has(key)) return undefined;
    seen.add(key);
  }
  return seen.size;
}

/**
 * The moved collections that are too deep, or have a collection inside that is too deep. `depths` has the depths of the
 * moved collections.
 */
async function tooDeep(
  at: Reading,
  edits: Edits,
  depths: ReadonlyMap<ContentKey, number>,
): Promise<Set<ContentKey>> {
  const deep = new Set<ContentKey>();
  const inside = Map.groupBy(
    [...edits.contents].filter(([key, { becomes }]) => kindOf(key) === "collection" && becomes !== undefined),
    ([, { becomes }]) => becomes?.parent,
  );
  let level = new Map([...depths].map(([key, depth]) => [key, { root: key, depth }]));
  for (const { root, depth } of level.values()) if (depth > DEEPEST) deep.add(root);
  while (level.size > 0) {
    const next = new Map<ContentKey, { root: ContentKey; depth: number }>();
    const put = (child: ContentKey, parent: ContentKey) => {
      const above = level.get(parent);
      // A moved collection is checked by its own depth.
      if (above === undefined || depths.has(child)) return;
      if (above.depth + 1 > DEEPEST) deep.add(above.root);
      else next.set(child, { root: above.root, depth: above.depth + 1 });
    };
    for (const { child, parent } of await childrenOf(at, [...level.keys()], "collections")) {
      if (!edits.contents.has(child)) put(child, parent);
    }
    for (const parent of level.keys()) for (const [child] of inside.get(parent) ?? []) put(child, parent);
    level = next;
  }
  return deep;
}
