import type { Branch, Plan } from "./plan.ts";

/** The given branches, and all branches on the way from the roots to them. */
export function neededFor(roots: readonly Branch[], only: ReadonlySet<Branch>): ReadonlySet<Branch> {
  const known = new Map<Branch, boolean>();
  const look = (branch: Branch): boolean => {
    let isNeeded = known.get(branch);
    if (isNeeded !== undefined) return isNeeded;
    isNeeded = only.has(branch);
    for (const below of branch.below) if (look(below)) isNeeded = true;
    known.set(branch, isNeeded);
    return isNeeded;
  };
  for (const root of roots) look(root);
  return new Set([...known].flatMap(([branch, isNeeded]) => (isNeeded ? [branch] : [])));
}

/**
 * By branch number, the number of records that may be causes of the branch's difference. A branch has the number of its
 * nearest root.
 */
export function causesToFindIn({ roots, branches }: Plan): Uint32Array {
  const found = new Uint32Array(branches.length);
  const note = ({ number, below }: Branch, records: number) => {
    found[number] = records;
    for (const each of below) if (each.fold === undefined) note(each, records);
  };
  for (const root of roots) note(root, root.fold?.records ?? 0);
  return found;
}
