import { expect, test } from "vitest";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { countSteps } from "../engine/sqlite/steps.ts";
import { type OpenPlace, World } from "../../world.ts";
import { aggregate, firstPage, type Listing, site, spaces } from "./flat.ts";
import { shape } from "../shape.ts";

/**
 * The number of members and of spaces: more than one chunk, of which an import fills three quarters (3,072). One in
 * `EVERY` stays, so that some twenty are left.
 */
const MEMBERS = 4_000;
const EVERY = 200;

const LISTINGS: readonly [string, Listing][] = [
  ["everyone on an open space", aggregate("space/wide")],
  ["everyone on a closed space", aggregate("space/narrow")],
  ["those who comment on an open space", aggregate("space/wide", "comment")],
  ["everyone on a site", site],
  ["a member's spaces, newest first", spaces(0, "desc")],
  ["a member's spaces, oldest first", spaces(0, "asc")],
];

/** After nearly all members and spaces have left, a page costs little more than if they had never existed. */
export function exerciseSparseChunks(open: OpenPlace): void {
  test("pages skip the positions of thousands of former members", async () => {
    const steps = countSteps();
    const left = await World.open(open);
    const fresh = await World.open(open);
    try {
      const all = shape(MEMBERS);
      const those = all.filter((record) => stays(record));
      const changeLimit = () => Number.MAX_SAFE_INTEGER;
      await left.import(all);
      await left.import(those, { allowRemovals: true, allowEmpty: true, changeLimit });
      await fresh.import(those);
      for (const [name, listing] of LISTINGS) {
        const among = await firstPage(left, listing, steps);
        const alone = await firstPage(fresh, listing, steps);
        expect(among.entries, name).toBe(alone.entries);
        expect(among.entries, name).toBeGreaterThan(10);
        expect(among.rows, name).toBeLessThan(4 * alone.rows);
        // Only SQLite counts steps: on a server there are none, and a test of the plans limits what is read.
        expect(among.steps, name).toBeLessThanOrEqual(8 * alone.steps);
      }
    } finally {
      steps.stop();
      await left.close();
      await fresh.close();
    }
  });
}

/** Whether a record's member or space stays. */
function stays(record: SnapshotRecord): boolean {
  if ("user" in record && !isKept(record.user)) return false;
  if (record.object === "user") return isKept(record.id);
  return record.object !== "space" || !/^s\d{6}$/.test(record.id) || isKept(record.id);
}

function isKept(id: string): boolean {
  return Number(id.slice(1)) % EVERY < 2;
}
