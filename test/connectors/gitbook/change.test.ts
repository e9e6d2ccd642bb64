/**
 * The organization changes during a pull. The result contains everything that did not change, and nothing that never
 * existed.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GitBookClient } from "../../../src/connectors/gitbook/client.ts";
import { pull, snapshotOf } from "../../../src/connectors/gitbook/pull.ts";
import { CommandError } from "../../../src/domain/error.ts";
import { acme, recordsIn } from "../../examples/acme.ts";
import { evolution } from "../../oracle/random/evolve.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord as Described } from "../../oracle/records.ts";
import type { SnapshotRecord } from "../../../src/snapshot/records.ts";
import { clientOf, pullFrom, withDouble } from "./double/pulled.ts";
import { canonical, State, tamed, withoutMembers } from "./double/state.ts";
import { holds } from "../../setup/property.ts";

/** The pulled records; `undefined` if the pull reports that the organization changed too fast. */
async function recordsOf(client: GitBookClient, organization: string): Promise<SnapshotRecord[] | undefined> {
  try {
    return [...snapshotOf(await pull(client, organization, { accept: new Set() }))];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    expect(error.message).toMatch(/^The organization changes faster than it can be read|it is being changed/);
    return undefined;
  }
}

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 20);

test(`in ${RUNS} random windows every record was true at some time, and nothing stable is lost`, async () => {
  let whole = 0;
  let changed = 0;
  await holds(
    fc.asyncProperty(
      organizations({ maxOrganizations: 1, minMembers: 2, minContents: 3, minPermissions: 4 }),
      fc.array(fc.tuple(evolution, fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (first, evolutions, pageSize, concurrency) => {
        const changes = new Map<number, State>();
        let now: Described[] = first;
        for (const [evolve, gap] of evolutions) {
          now = evolve(now);
          changes.set(([...changes.keys()].at(-1) ?? 0) + gap, new State(tamed(now)));
        }
        const state = new State(tamed(first));
        await withDouble(state, { changes, pageSize }, async (double) => {
          const records = await recordsOf(clientOf(double, { concurrency }), state.organization);
          if (double.states.length > 1) changed++;
          if (records === undefined) return;
          whole++;
          const lines = new Set(canonical(records));
          expect(lines.size).toBe(records.length);
          const moments = double.states.map((moment) => new Set(canonical(moment.records)));
          for (const line of lines)
            expect(
              moments.some((moment) => moment.has(line)),
              line,
            ).toBe(true);
          for (const line of moments[0] ?? []) {
            if (moments.every((moment) => moment.has(line))) expect(lines, line).toContain(line);
          }
        });
      },
    ),
    { numRuns: RUNS },
  );
  expect(whole).toBeGreaterThan(RUNS / 4);
  expect(changed).toBeGreaterThan(RUNS / 4);
});

/**
 * A pull requests the organization, its lists, the details of each item, and the lists again. This is the number of the
 * first requests: the organization and its five lists.
 */
const LISTS = 6;

test("records that appear meanwhile are read too; those that disappear are dropped and named", async () => {
  const before = tamed(acme);
  const gone = before.find((record) => record.object === "space")?.id ?? "";
  const leaver = "tomas";
  const came: Described[] = [
    {
      object: "space",
      id: "brand-new",
      organization: "acme",
      title: "New",
      createdAt: DATE,
      updatedAt: DATE,
    },
    { object: "permission", space: "brand-new", user: "ana", permission: "admin" },
  ];
  const after = tamed([
    ...withoutMembers(before, [leaver]).filter((record) => !names(record, gone)),
    ...came,
  ]);
  const read = await pullFrom(
    new State(before),
    { changes: new Map([[LISTS + 1, new State(after)]]) },
    { concurrency: 1 },
  );
  expect(canonical(snapshotOf(read))).toEqual(canonical(after));
  expect(new Set(read.gone)).toEqual(new Set([`space/${gone}`, `user/${leaver}`]));
  expect([read.readings, read.settled]).toEqual([3, true]);
});

test("content that was moved into an unlisted collection does not become visible to others", async () => {
  const head = '{"object":"organization","id":"tiny","title":"Tiny"}';
  const space = (parent: string) =>
    `{"object":"space","id":"plan","organization":"tiny","title":"Plan"${parent},"createdAt":"${DATE}","updatedAt":"${DATE}"}`;
  const secret =
    '{"object":"collection","id":"secret","organization":"tiny","title":"Secret","defaultLevel":null}';
  const open = recordsIn([head, space("")].join("\n"));
  const closed = recordsIn([head, secret, space(',"parent":"secret"')].join("\n"));
  // The requests come one at a time: the organization, members, teams, collections; then the move; then spaces.
  const [one, other] = [new State(tamed(open)), new State(tamed(closed))];
  const moved = await pullFrom(one, { changes: new Map([[4, other]]) }, { concurrency: 1 });
  expect(canonical(snapshotOf(moved))).toEqual(canonical(tamed(closed)));
  // The pull also fails if no list ever contains that collection.
  const without = new State(tamed(closed), { hidden: ["secret"] });
  await expect(pullFrom(without)).rejects.toThrow(
    /^The organization changes faster than it can be read: space\/plan is in a collection that is not/,
  );
});

const DATE = "2026-01-01T00:00:00.000Z";

function names(record: object, space: string): boolean {
  return ("space" in record && record.space === space) || ("id" in record && record.id === space);
}
