/**
 * A random organization that is pulled, imported and exported equals the organization in GitBook, in both vintages of
 * the API.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { piecesOf } from "../../../src/snapshot/output.ts";
import { exportedLines } from "../../exported.ts";
import { importFiles } from "../../../src/snapshot/import.ts";
import { acme } from "../../examples/acme.ts";
import { withoutDefaults } from "../../oracle/form.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { sqlitePlace, World } from "../../world.ts";
import { pulled } from "./double/pulled.ts";
import { canonical, State, tamed, withoutMembers, withSilentSites } from "./double/state.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 12);

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

async function exported(organization: string): Promise<object[]> {
  return (await exportedLines(world.store, organization)).map((line): object => JSON.parse(line));
}

describe.each(["0.91.0", "newest"] as const)("the API of %s", (vintage) => {
  test("the example organization is pulled unchanged", async () => {
    const records = tamed(acme);
    expect(canonical(await pulled(new State(records), { vintage }))).toEqual(canonical(records));
  });

  test(`${RUNS} random organizations, page by page, are exported unchanged`, async () => {
    await holds(
      fc.asyncProperty(
        organizations({ maxOrganizations: 1 }),
        fc.integer({ min: 1, max: 7 }),
        fc.infiniteStream(fc.nat(9)),
        async (random, pageSize, disabling) => {
          const records = tamed(vintage === "newest" ? random : withSilentSites(random));
          const disabled = records.flatMap((record) =>
            record.object === "member" && disabling.next().value === 0 ? [record.user] : [],
          );
          const state = new State(records, { disabled });
          const read = await pulled(state, { vintage, pageSize });
          await importFiles(world.store.engine, [{ name: "GitBook", pieces: piecesOf(read) }], {
            allowRemovals: true,
            allowEmpty: true,
            complete: true,
          });
          const stored = withoutMembers(records, disabled).map((record) => withoutDefaults({ ...record }));
          expect(canonical(await exported(state.organization))).toEqual(canonical(stored));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
