import * as fc from "fast-check";
import { expect, test } from "vitest";
import { organizationIds } from "../../oracle/facts.ts";
import { oracle } from "../../oracle/oracle.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/**
 * Compares every `step`-th list with the oracle's after each import of about `runs` random histories: at the new
 * revision, and a third of those at each before. The models are kept or loaded for each page.
 */
export function exerciseRevisions(open: OpenPlace, runs: number, step: number): void {
  test("every list equals the oracle's, at every revision of a history", async () => {
    await holds(
      fc.asyncProperty(
        histories({ maxOrganizations: 1, minMembers: 2, minContents: 3 }, 4),
        fc.constantFrom([1, 2], [3], [1000]),
        fc.record({ isKept: fc.boolean(), isChange: fc.boolean() }),
        async (history, sizes, { isKept, isChange }) => {
          const world = await World.open(open, isKept ? {} : { cacheBytes: 0 });
          try {
            const stages = new Map<number, readonly SnapshotRecord[]>();
            for (const records of history) {
              const isWhole = () => !isChange;
              await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
              const [id = ""] = organizationIds(records);
              const token = await world.token(id);
              const current = (await world.store.registry.organization(id))?.current.revision ?? 0;
              if (!stages.has(current)) stages.set(current, records);
              for (const [revision, those] of stages) {
                const asked = oracle(those, { publicUrl: PUBLIC_URL });
                const each = revision === current ? step : 3 * step;
                for (const listing of asked.listings(id).filter((_, index) => index % each === 0)) {
                  const path = `/at/${revision}${asked.path(id, listing)}`;
                  expect(await world.walk(path, token, sizes), path).toEqual(asked.list(id, listing));
                }
              }
            }
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: runs },
    );
  });
}
