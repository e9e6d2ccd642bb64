import { expect, test } from "vitest";
import * as given from "../../oracle/examples/examples.ts";
import { oracle } from "../../oracle/oracle.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { revision } from "../writing/imports.ts";

const ORDERS = ["asc", "desc"] as const;
const LIMIT = 7;

/** The numbers of spaces; lower ones are older. */
const middle = numbers(2000, 2400).filter((number) => number % 2 === 0);
const whole = numbers(1850, 2550);
const HISTORY = [middle, whole, numbers(2150, 2250), whole, numbers(2395, 2405)];

/** Pages are complete where hundreds of keys at their beginning were added, removed, or removed and added again. */
export function exerciseEnds(open: OpenPlace): void {
  test("a member's spaces as of each revision are complete in both orders, after additions and removals", async () => {
    const world = await World.open(open);
    try {
      const revisions: number[] = [];
      for (const state of HISTORY) {
        const isWhole = () => false;
        await world.import(recordsOf(state), { allowRemovals: true, isWhole });
        revisions.push((await revision(world, "o")) ?? 0);
      }
      const token = await world.token("o");
      for (const [step, number] of revisions.entries()) {
        const expected = oracle(recordsOf(HISTORY[step] ?? []), { publicUrl: PUBLIC_URL });
        for (const user of ["member", "guest"]) {
          for (const order of ORDERS) {
            const listing = { endpoint: 7, user, order } as const;
            const path = `/at/${number}${expected.path("o", listing)}`;
            expect(await world.walk(path, token, [LIMIT, 300]), path).toEqual(expected.list("o", listing));
          }
        }
      }
    } finally {
      await world.close();
    }
  });
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function recordsOf(spaces: readonly number[]): SnapshotRecord[] {
  const start = Date.parse("2025-03-01T09:30:00.000Z");
  return [
    given.organization(),
    ...given.member("member", "read"),
    ...given.member("guest", null),
    ...spaces.flatMap((number) => {
      const createdAt = new Date(start + number * 1000).toISOString();
      const id = `s${number}`;
      const records = [{ ...given.space(id), createdAt, updatedAt: createdAt }];
      return number % 9 === 0 ? [...records, given.onSpace(id, { user: "guest" }, "edit")] : records;
    }),
  ];
}
