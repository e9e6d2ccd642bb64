import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { OpenPlace } from "../../world.ts";
import { opened, SMALL } from "../writing/imports.ts";
import { holds } from "../../setup/property.ts";

const HOUR = 60 * 60_000;
const START = Date.parse("2026-03-10T12:00:00Z");

/**
 * How far the clock moves before the next import, in milliseconds: mostly forward, often back, sometimes not at all.
 */
const steps = fc.array(
  fc.oneof(
    fc.integer({ min: -72, max: 72 }).map((hours) => hours * HOUR),
    fc.constantFrom(-HOUR, -1, 0, 1),
  ),
  { minLength: 3, maxLength: 6 },
);

/** A date names the right revision even if the clock of the importing machine jumps. */
export function exerciseClock(open: OpenPlace, runs: number): void {
  test("dates name revisions in order, even if the clock goes back between imports", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await holds(
        fc.asyncProperty(
          steps,
          fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
          async (steps, anew) => {
            await using world = await opened(open);
            const revisions: { readonly number: number; readonly time: number }[] = [];
            let clock = START;
            for (const [index, step] of steps.entries()) {
              vi.setSystemTime((clock += step));
              const isWhole = () => anew[index] === true;
              await world.import(named(String(index)), { allowRemovals: true, isWhole });
              const current = (await world.store.registry.organization("o"))?.current;
              const [number, time] = [current?.revision ?? 0, Date.parse(current?.importedAt ?? "")];
              // The time of a revision is the clock's, but at least a millisecond after the last revision.
              expect(time).toBe(Math.max(clock, (revisions.at(-1)?.time ?? 0) + 1));
              revisions.push({ number, time });
            }
            // Moves the clock after all revisions.
            vi.setSystemTime(START + 1000 * HOUR);
            const token = await world.token("o");
            const nameAt = async (when: string) =>
              (await world.get(`/at/${when}/v1/spaces/s/permissions/aggregate`, token)).body;
            for (const [index, { number, time }] of revisions.entries()) {
              const own = `"displayName":"${index}"`;
              expect(await nameAt(String(number))).toContain(own);
              expect(await nameAt(new Date(time).toISOString())).toContain(own);
              const before = await nameAt(new Date(time - 1).toISOString());
              expect(before).toContain(index === 0 ? "that can be read" : `"displayName":"${index - 1}"`);
              const day = new Date(time).toISOString().slice(0, 10);
              const last = revisions.findLastIndex((each) =>
                new Date(each.time).toISOString().startsWith(day),
              );
              expect(await nameAt(day)).toContain(`"displayName":"${last}"`);
            }
          },
        ),
        { numRuns: runs },
      );
    } finally {
      vi.useRealTimers();
    }
  });

  test("today and this minute name the current revision, even if the clock is before all revisions", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await using world = await opened(open);
      for (const index of [0, 1]) {
        vi.setSystemTime(START + index * HOUR);
        await world.import(named(String(index)));
      }
      vi.setSystemTime(START - HOUR);
      const token = await world.token("o");
      const nameAt = async (when: string) =>
        (await world.get(`/at/${when}/v1/spaces/s/permissions/aggregate`, token)).body;
      const time = (shift: number) => new Date(START - HOUR + shift).toISOString();
      for (const when of ["2", "2026-03-10", time(0), time(59_000)]) {
        expect(await nameAt(when), when).toContain('"displayName":"1"');
      }
      for (const when of [time(-1), time(61_000), "2026-03-11"]) {
        expect(await nameAt(when), when).toContain("that can be read");
      }
    } finally {
      vi.useRealTimers();
    }
  });
}

function named(name: string) {
  return SMALL.map((record) => (record.object === "user" ? { ...record, displayName: name } : record));
}
