/**
 * Checks that a change file leaves nothing undone (docs/snapshot.md and docs/changes.md): that the records to which others refer,
 * and the records to remove, exist; and that collections have no cycle and are not nested too deep.
 */
import { type ContentKey, idOf, kindOf, DEEPEST } from "../../../domain/content.ts";
import { childrenOf, type StoredTexts, withAncestors } from "../../rows/look-up.ts";
import type { Reading } from "../../reading.ts";
import { accessFieldsOf, contentIn, keyOfRecord, type RecordNames } from "../../../domain/record-change.ts";
import { type Edit, type Edits, type Fault, fieldOf, referencesOf } from "./edits.ts";

/** The faults of records that refer to a missing record or remove one. */
export function referenceFaults(edits: Edits, stored: StoredTexts): Fault[] {
  const faults: Fault[] = [];
  const of = `of organization ${edits.organization}`;
  const isThere = (names: RecordNames) => {
    const edit = edits.get(names);
    return edit === undefined ? stored.has(keyOfRecord(names)) : edit.becomes !== undefined;
  };
  for (const edit of edits.all) {
    const { kind, line, becomes, member } = edit;
    const add = (field: string, value: string, accepted: string) =>
      faults.push({ line, field, value, accepted });
    const { field, value } = fieldOf(edit);
    if (kind === "user") {
      if (!isThere({ kind: "member", member })) add(field, value, `a member ${of}`);
    } else if (becomes === undefined) {
      if (!stored.has(keyOfRecord(edit)))
        add(field, value, `a ${nameOf(edit, of)}, since the record removes one`);
    } else if (kind === "member") {
      if (stored.has(keyOfRecord(edit)) || edits.get({ kind: "user", member }) !== undefined) continue;
      add(field, value, "a user with a record in this file, or who is a member");
    } else if (kind === "collection" || kind === "space") {
      const { parent } = accessFieldsOf(becomes);
      if (parent === undefined || isThere({ kind: "collection", content: parent })) continue;
      add(`${kind}.parent`, idOf(parent), `the id of a collection ${of}`);
    } else {
      for (const other of referencesOf(edit)) {
        if (!isThere(other.names)) add(other.field, other.value, `a ${other.what} ${of}`);
      }
    }
  }
  return faults;

  /** What messages call a record; of one with two names, with the first of them. */
  function nameOf({ kind, team, content, site }: Edit, whose: string): string {
    if (kind === "teamMember") return `pair of team and user ${whose} (here with ${team})`;
    if (kind === "siteSpace") return `pair of site and space ${whose} (here with ${site})`;
    if (kind !== "permission") return `${kind} ${whose}`;
    const [what, where] = site === undefined ? ["content", content] : ["site", site];
    return `pair of ${what} and ${team === undefined ? "user" : "team"} ${whose} (here with ${where})`;
  }
}

/**
 * The faults of moved collections: those in a cycle, those that are too deep, and those with a collection inside that
 * is too deep. All parents must exist.
 */
export async function nestingFaults(reading: Reading, edits: Edits, stored: StoredTexts): Promise<Fault[]> {
  const placed = parentsIn(edits);
  const moved = edits.of("collection").flatMap((edit) => {
    const key = contentIn(edit);
    const parent = placed.get(key);
    const was = stored.get(keyOfRecord(edit));
    const isMoved = parent !== undefined && parent !== (was && accessFieldsOf(was).parent);
    return isMoved ? [{ key, line: edit.line, parent }] : [];
  });
  if (moved.length === 0) return [];
  const parentOf = await parents(reading, placed, moved);
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
  const deep = await tooDeep(reading, edits, placed, depths);
  for (const { key, line, parent } of moved) {
    if (deep.has(key)) fault(line, parent, `collections nested at most ${DEEPEST} deep`);
  }
  return faults;
}

/** The parent of each collection above the moved ones, after the change. */
async function parents(
  reading: Reading,
  placed: ReadonlyMap<ContentKey, ContentKey | undefined>,
  moved: readonly { readonly parent: ContentKey }[],
): Promise<Map<ContentKey, ContentKey | undefined>> {
  const wanted = [
    ...moved.map(({ parent }) => parent),
    ...[...placed.values()].flatMap((parent) => parent ?? []),
  ];
  const loaded = await withAncestors(reading, [...new Set(wanted)]);
  return new Map([...Array.from(loaded, ([key, { parent }]) => [key, parent] as const), ...placed]);
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
  reading: Reading,
  edits: Edits,
  placed: ReadonlyMap<ContentKey, ContentKey | undefined>,
  depths: ReadonlyMap<ContentKey, number>,
): Promise<Set<ContentKey>> {
  const deep = new Set<ContentKey>();
  const inside = Map.groupBy(
    [...placed].filter(([key]) => kindOf(key) === "collection"),
    ([, parent]) => parent,
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
    for (const { content: child, parent } of await childrenOf(reading, [...level.keys()])) {
      const isStill = edits.get({ kind: "collection", content: child }) === undefined;
      if (kindOf(child) === "collection" && isStill) put(child, parent);
    }
    for (const parent of level.keys()) for (const [child] of inside.get(parent) ?? []) put(child, parent);
    level = next;
  }
  return deep;
}

/** The parents of the contents that a file adds or changes. */
function parentsIn(edits: Edits): Map<ContentKey, ContentKey | undefined> {
  return new Map(
    edits
      .of("collection", "space")
      .flatMap((edit) =>
        edit.becomes === undefined ? [] : [[contentIn(edit), accessFieldsOf(edit.becomes).parent]],
      ),
  );
}
