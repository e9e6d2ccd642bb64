import * as fc from "fast-check";

import { build } from "./build.ts";
import { type Sizes, choices } from "./choices.ts";
import { evolution, renamed } from "./evolve.ts";
import type { SnapshotRecord } from "../records.ts";

export { evolve } from "./evolve.ts";

const SIZES: Sizes = {
  minOrganizations: 1,
  maxOrganizations: 3,
  minMembers: 0,
  maxMembers: 8,
  maxTeams: 4,
  minContents: 0,
  maxContents: 8,
  minPermissions: 0,
  maxPermissions: 20,
  maxSites: 2,
};

/**
 * Random valid snapshots of one import: small, with difficult cases of the contract. The organizations share users. An
 * id is unique per kind, but several kinds use it. Organizations that share ids of contents need several imports; see
 * {@link neighbouring}.
 */
export function organizations(sizes: Partial<Sizes> = {}): fc.Arbitrary<SnapshotRecord[]> {
  return choices({ ...SIZES, ...sizes }).map(build);
}

/** An import, and `steps` later imports of the same organizations, in order. */
export function histories(sizes: Partial<Sizes> = {}, steps = 1): fc.Arbitrary<SnapshotRecord[][]> {
  return fc
    .tuple(organizations(sizes), fc.array(evolution, { minLength: steps, maxLength: steps }))
    .map(([first, evolutions]) => {
      const history = [first];
      for (const evolve of evolutions) history.push(evolve(history.at(-1) ?? first));
      return history;
    });
}

/** An import, and a second import of other organizations with the same ids and users (see {@link renamed}). */
export function neighbouring(sizes: Partial<Sizes> = {}): fc.Arbitrary<[SnapshotRecord[], SnapshotRecord[]]> {
  return fc.tuple(organizations(sizes), evolution).map(([first, evolve]) => [first, evolve(renamed(first))]);
}
