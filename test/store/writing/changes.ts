import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CommandError, RefusedError } from "../../../src/domain/error.ts";
import { applyChange, type ApplyResult } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import type { RecordDifference } from "../../../src/store/writing/organization-change.ts";
import { applied, changeFile, NOISES, ownRecords, toChangeLines } from "../../oracle/files/change-file.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { revision } from "./imports.ts";
import { compareAll } from "../listings/listings.ts";
import { holds } from "../../setup/property.ts";

const SIZES = { maxOrganizations: 2, minMembers: 1, maxMembers: 12, minContents: 2, maxContents: 12 };

/** A change file has the same effect as the whole file that results from it, and is refused if that file is refused. */
export function exerciseChanges(open: OpenPlace, times: number): void {
  test("a change file has the same effect as the whole file, refusals included", async () => {
    let tried = 0;
    const seen = { wrong: 0, refused: 0, done: 0 };
    const world = await World.open(open);
    try {
      await holds(
        fc.asyncProperty(
          organizations(SIZES),
          fc.array(changeFile, { minLength: 3, maxLength: 6 }),
          async (first, files) => {
            await world.import(first);
            for (const organization of organizationIds(first)) {
              const own = ownRecords(first, organization);
              for (const file of files) {
                const changes = file(own, NOISES[tried++ % NOISES.length] ?? "drop");
                const outcome = applied(own, changes);
                const said = await attempt((details) =>
                  applyDry(world, toChangeLines(organization, changes), details),
                );
                const expected =
                  outcome === undefined
                    ? WRONG
                    : await attempt((details) => importDry(world, outcome, details));
                seen[said.outcome]++;
                expect({ changes, ...said }).toEqual({ changes, ...expected });
              }
            }
          },
        ),
        { numRuns: times },
      );
    } finally {
      await world.close();
    }
    if (times > 5) expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
}

/** Change files leave the same state as whole files do; with a small limit, also those that are written as an import. */
export function exerciseApplying(open: OpenPlace, times: number, step: number): void {
  test("change files lead to the same lists as an import of the whole", async () => {
    let tried = 0;
    let written = 0;
    await holds(
      fc.asyncProperty(
        organizations({ ...SIZES, maxOrganizations: 1 }),
        fc.array(changeFile, { minLength: 3, maxLength: 5 }),
        async (first, files) => {
          const world = await World.open(open);
          try {
            await world.import(first);
            const [organization = ""] = organizationIds(first);
            let own = ownRecords(first, organization);
            for (const file of files) {
              const changes = file(own, NOISES[tried++ % NOISES.length] ?? "drop");
              const before = await revision(world, organization);
              const outcome = applied(own, changes);
              const result = await apply(world, toChangeLines(organization, changes));
              const after = await revision(world, organization);
              if (result === undefined) {
                expect([changes, after]).toEqual([changes, before]);
                continue;
              }
              expect([changes, after === before]).toEqual([changes, !result.changed]);
              if (result.changed) expect(result.revision).toBe(after);
              own = outcome ?? [];
              const again = await world.import(own, { dryRun: true, allowEmpty: true });
              expect([changes, again.changed]).toEqual([changes, false]);
              written += Number(result.changed);
            }
            await compareAll(world, own, [2, 1000], step);
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: times },
    );
    if (times > 1) expect(written).toBeGreaterThan(0);
  });
}

async function apply(world: World, text: string): Promise<ApplyResult | undefined> {
  try {
    const change = await readChange(world.file(text, "changes.ndjson"), false, () => {});
    return await applyChange(world.store.engine, change, { allowRemovals: true });
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

type Hear = (page: readonly RecordDifference[]) => void;

/** How a command ended: success, refusal by the guard, or invalid input. */
interface Attempt {
  readonly outcome: "done" | "refused" | "wrong";
  readonly refusal?: string;
  readonly differences?: readonly string[];
}

const WRONG: Attempt = { outcome: "wrong" };

function isGiven([, value]: [name: string, value: unknown]): boolean {
  return value !== undefined;
}

async function attempt(command: (hear: Hear) => Promise<unknown>): Promise<Attempt> {
  const told: string[] = [];
  const hear: Hear = (page) =>
    void told.push(...page.map((each) => JSON.stringify(Object.entries(each).filter(isGiven).sort())));
  const differences = () => told.sort();
  try {
    await command(hear);
    return { outcome: "done", differences: differences() };
  } catch (error) {
    if (error instanceof RefusedError) {
      return { outcome: "refused", refusal: error.message, differences: differences() };
    }
    if (error instanceof CommandError) return WRONG;
    throw error;
  }
}

async function applyDry(world: World, text: string, details: Hear): Promise<unknown> {
  const change = await readChange(world.file(text, "changes.ndjson"), false, () => {});
  return applyChange(world.store.engine, change, { dryRun: true, details });
}

function importDry(world: World, records: readonly SnapshotRecord[], details: Hear): Promise<unknown> {
  return world.import(records, { dryRun: true, allowEmpty: true, details });
}
