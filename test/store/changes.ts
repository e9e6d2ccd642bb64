import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CommandError, RefusedError } from "../../src/domain/error.ts";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import type { Difference } from "../../src/store/import/differing.ts";
import { applied, changeFile, NOISES, ownRecords, toChangeLines } from "../oracle/change-file.ts";
import { organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type OpenPlace, World } from "../world.ts";

const SIZES = { maxOrganizations: 2, minMembers: 1, maxMembers: 12, minContents: 2, maxContents: 12 };

/** A change file does what the whole file does that results from it, and is refused where that one is. */
export function exerciseChanges(open: OpenPlace, times: number): void {
  test("what a change file changes is what the whole file would change, refusals and all", async () => {
    let tried = 0;
    const seen = { wrong: 0, refused: 0, done: 0 };
    const world = await World.open(open);
    try {
      await fc.assert(
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
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
}

type Hear = (page: readonly Difference[]) => void;

/** Whether a command went through, was refused by the guard, or was wrong; and what it told. */
interface Attempt {
  readonly outcome: "done" | "refused" | "wrong";
  readonly refusal?: string;
  readonly differences?: readonly string[];
}

const WRONG: Attempt = { outcome: "wrong" };

async function attempt(command: (hear: Hear) => Promise<unknown>): Promise<Attempt> {
  const told: string[] = [];
  const hear: Hear = (page) =>
    void told.push(...page.map((each) => JSON.stringify(Object.entries(each).sort())));
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
