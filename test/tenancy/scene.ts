import * as fc from "fast-check";
import { type Evolution, evolution, renamed } from "../oracle/random/evolve.ts";
import { organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";

/** Organizations whose records have the same ids, and their changes during requests. */
export interface Scene {
  readonly first: readonly (readonly SnapshotRecord[])[];
  readonly deeds: readonly Deed[];
  /** The seed of the callers' choices. */
  readonly seed: number;
}

/** A change. A position is taken modulo the number of existing records. */
export type Deed =
  | { readonly kind: "import"; readonly at: number; readonly evolve: Evolution }
  | { readonly kind: "remove"; readonly at: number }
  | {
      readonly kind: "token";
      readonly at: number;
      readonly member: number | undefined;
      readonly lifetime?: number;
    }
  | { readonly kind: "revoke"; readonly at: number };

const position = fc.nat({ max: 999 });

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("import" as const), at: position, evolve: evolution }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: position }) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        kind: fc.constant("token" as const),
        at: position,
        member: fc.option(position, { nil: undefined, freq: 4 }),
        lifetime: fc.constantFrom(60, 250, 600),
      },
      { requiredKeys: ["kind", "at", "member"], noNullPrototype: true },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("revoke" as const), at: position }) },
);

const SIZES = { minOrganizations: 1, maxOrganizations: 1, minMembers: 4, minContents: 3, minPermissions: 6 };

/** A text that occurs only in names and titles of this organization. */
export function markOf(organization: string): string {
  return `<of ${organization}>`;
}

/** Adds the mark to every title and name of an organization. */
export function marked(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const mark = markOf(organizationIds(records)[0] ?? "");
  const text = (old: string) => (old.endsWith(mark) ? old : `${old} ${mark}`);
  return records.map((record): SnapshotRecord => {
    if (record.object === "user") return { ...record, displayName: text(record.displayName) };
    return "title" in record ? { ...record, title: text(record.title) } : record;
  });
}

/** Random scenes of three organizations. `deeds` limits the number of changes. */
export function scenes(deeds: { min: number; max: number }): fc.Arbitrary<Scene> {
  return fc
    .record({
      first: organizations(SIZES),
      others: fc.tuple(evolution, evolution),
      deeds: fc.array(deed, { minLength: deeds.min, maxLength: deeds.max }),
      seed: fc.nat(),
    })
    .map(({ first, others: [second, third], deeds, seed }) => {
      const neighbour = second(renamed(first));
      return { first: [first, neighbour, third(renamed(neighbour))].map(distinct), deeds, seed };
    });
}

/** Gives the records an organization id that no other organization has. */
function distinct(records: readonly SnapshotRecord[], index: number): SnapshotRecord[] {
  const [old = ""] = organizationIds(records);
  const id = `tenant-${index}`;
  return records.map((record): SnapshotRecord => {
    if (record.object === "organization") return { ...record, id };
    return "organization" in record && record.organization === old ? { ...record, organization: id } : record;
  });
}
