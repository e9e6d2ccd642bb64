/**
 * A disk that is full or fails, at any read, write or sync: one line says so, the lists are of one revision, whole, and the
 * next import needs no repair.
 */
import { afterAll, expect, test } from "vitest";
import { findingsIn } from "../findings.ts";
import { organizationIds } from "../oracle/facts.ts";
import { SEED } from "../setup/seed.ts";
import { type Call, FaultyDisk, type Kind } from "./faulty-disk.ts";
import { importWhole } from "./killing.ts";
import { faultOf } from "./program.ts";
import { type Ground, opened, stateOf } from "./states.ts";

const EVERY = process.env.TEST_EVERY_CALL !== undefined;
/** The number of faults that are tried. */
const TRIED = EVERY ? Number.POSITIVE_INFINITY : 4;
/** The most calls of one kind on one file that fail, one at a time. */
const EACH = EVERY ? 12 : 1;
/** The number of lists that are compared each time. */
const SOME = 6;

const disk = FaultyDisk.open();
if (typeof disk === "string") console.log(`The tests of a faulty disk were not run: ${disk}.`);
afterAll(() => {
  if (typeof disk !== "string") disk.close();
});

/** Numbers below `below` that look random, and that a seed replays. */
function* numbers(below: () => number): Generator<number> {
  for (let drawn = SEED ?? Date.now(); ;) {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
    yield Math.floor((drawn / 2 ** 32) * below());
  }
}

interface Fault {
  readonly call: Call;
  readonly kind: Kind;
  /** Which of the calls of this kind on this file, from 0 on. */
  readonly at: number;
}

/** Of each kind of call on each file, some that fail, in each way in which such a call can fail; in random order. */
function faultsAmong(calls: readonly Call[]): Fault[] {
  const counts = new Map<Call, number>();
  for (const call of calls) counts.set(nameOf(call), (counts.get(nameOf(call)) ?? 0) + 1);
  let below = 1;
  const draw = numbers(() => below);
  const next = (size: number) => {
    below = size;
    return draw.next().value ?? 0;
  };
  const faults = [...counts].flatMap(([call, count]) => {
    const kinds: readonly Kind[] = call.startsWith("write ") ? ["short", "full", "error"] : ["error"];
    return kinds.flatMap((kind) =>
      Array.from({ length: Math.min(EACH, count) }, () => ({ call, kind, at: next(count) })),
    );
  });
  return faults
    .map((fault) => ({ fault, order: next(1_000_000) }))
    .sort((one, other) => one.order - other.order)
    .map(({ fault }) => fault);
}

/** A staging file is named after its process. */
function nameOf(call: Call): Call {
  const [what = "", file = ""] = call.split(" ");
  return `${what === "read" || what === "write" || what === "sync" ? what : "truncate"} ${file.replace(/-staging-\d+/, "-staging")}`;
}

async function expectWhole({ url, states }: Ground): Promise<void> {
  const world = await opened(url);
  try {
    for (const id of organizationIds(states[0].records))
      expect(await findingsIn(world.store, id)).toEqual([]);
  } finally {
    await world.close();
  }
}

test.skipIf(typeof disk === "string")("of an import, at random calls", async () => {
  if (typeof disk === "string") return;
  const { ground } = disk;
  const [before, after] = ground.states;
  const importing = (file: string) => ["import", "--allow-removals", file];
  await importWhole(ground, before);
  const { ended, calls } = await disk.run(importing(after.file), 0, "error");
  expect(ended).toMatchObject({ status: 0 });
  let state = await stateOf(ground, SOME);
  expect(state).toBe(after);
  let failed = 0;
  for (const { call, kind, at } of faultsAmong(calls).slice(0, TRIED)) {
    const to = state === before ? after : before;
    const places = calls.flatMap((each, index) => (nameOf(each) === call ? [index + 1] : []));
    const said = `${kind}: ${call}, call ${places[at]} of ${calls.length}`;
    const run = await disk.run(importing(to.file), places[at] ?? 1, kind);
    if (run.ended.status !== 0) {
      expect(faultOf(run.ended), said).toBeUndefined();
      failed++;
    }
    // What was written half is written on.
    if (kind === "short") expect(run.ended, said).toMatchObject({ status: 0 });
    state = await stateOf(ground, SOME);
    if (run.ended.status === 0) expect(state.name, said).toBe(to.name);
    await expectWhole(ground);
  }
  expect(failed).toBeGreaterThan(0);
  await importWhole(ground, state === before ? after : before);
});
