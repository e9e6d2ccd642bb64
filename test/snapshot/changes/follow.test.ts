/** `rolebook apply --follow`: several batches from one stream (docs/changes.md). */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type BatchAnswer, follow } from "../../../src/snapshot/changes/follow.ts";
import type { Model } from "../../../src/model/model.ts";
import { personIn } from "../../../src/model/records.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import type { Examined } from "../../../src/store/writing/organization-change.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { sqlitePlace, World } from "../../world.ts";
import { writeDirectly } from "../../directly.ts";

const MEMBERS = Array.from({ length: 40 }, (_, index) => `u${String(index).padStart(2, "0")}`);
const RECORDS: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...MEMBERS.flatMap((user): SnapshotRecord[] => [
    { object: "user", id: user, displayName: user },
    { object: "member", organization: "o", user, role: "read" },
  ]),
];

async function withMembers(work: (world: World) => Promise<void>): Promise<void> {
  const world = await World.open(sqlitePlace);
  try {
    await world.import(RECORDS);
    await work(world);
  } finally {
    await world.close();
  }
}

const text = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

function batch(...records: readonly object[]): string {
  return text({ object: "changes", organization: "o" }, ...records, {
    object: "end",
    records: records.length + 1,
  });
}

const leave = (...users: readonly string[]) =>
  batch(...users.map((user) => ({ object: "member", organization: "o", user, removed: true })));
const rename = (user: string, displayName: string) => batch({ object: "user", id: user, displayName });

/** Sends pieces as a stream. Returns the answers and the number of dropped lines. */
async function send(
  world: World,
  pieces: readonly string[],
): Promise<{ answers: BatchAnswer[]; dropped: number }> {
  const answers: BatchAnswer[] = [];
  const input = { name: "standard input", pieces: Readable.from(pieces) };
  const dropped = await follow(world.store.engine, input, {}, async (answer) => {
    answers.push(answer);
  });
  return { answers, dropped };
}

test("what examines each batch gets the organization in memory: it is loaded once, and then follows", async () =>
  withMembers(async (world) => {
    const seen: Examined[] = [];
    const examination = {
      isRehearsal: false,
      examine: async (state: Examined) => void seen.push(state),
      record: async () => {},
    };
    const input = {
      name: "standard input",
      pieces: Readable.from([rename("u00", "Ana"), rename("u01", "Bo"), rename("u02", "Cy")]),
    };
    await follow(
      world.store.engine,
      input,
      {},
      async () => {},
      () => examination,
    );
    const names = (model: Model | undefined) =>
      [0, 1, 2].map((member) => model && personIn(model, member).displayName);
    expect(seen.map(({ before, after }) => [names(before), names(after)])).toEqual([
      [
        ["u00", "u01", "u02"],
        ["Ana", "u01", "u02"],
      ],
      [
        ["Ana", "u01", "u02"],
        ["Ana", "Bo", "u02"],
      ],
      [
        ["Ana", "Bo", "u02"],
        ["Ana", "Bo", "Cy"],
      ],
    ]);
    // Ids that do not change lie in the buffer that was loaded.
    const buffers = seen.map(({ before }) => before?.members.ids.bytes);
    expect(new Set(buffers).size).toBe(1);
  }));

const outcomes = (answers: readonly BatchAnswer[]) => answers.map(({ outcome }) => outcome);

test("each batch makes a revision and has an outcome, however the stream is divided", async () =>
  withMembers(async (world) => {
    const whole = rename("u00", "Ana") + leave("u01") + rename("u00", "Ana");
    const { answers, dropped } = await send(world, [
      whole.slice(0, 70),
      whole.slice(70, 75),
      whole.slice(75),
    ]);
    expect(outcomes(answers)).toEqual(["changed", "changed", "unchanged"]);
    const [first, second, third] = answers.map(({ result }) => result);
    expect(second?.revision).toBeGreaterThan(first?.revision ?? Number.NaN);
    expect(first?.kinds.user).toEqual({ added: 0, changed: 1, removed: 0, unchanged: 0 });
    expect(third?.kinds.user).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 1 });
    expect(dropped).toBe(0);
    expect((await world.store.registry.organization("o"))?.current.revision).toBe(second?.revision);
  }));

test("an invalid batch is reported with its lines of the stream, and the next one is read", async () =>
  withMembers(async (world) => {
    const { answers } = await send(world, [
      rename("u00", "Ana"),
      leave("nobody"),
      "no JSON\n",
      text({ object: "end", records: 1 }),
      rename("u02", "Bo"),
    ]);
    expect(outcomes(answers)).toEqual(["changed", "failed", "failed", "changed"]);
    expect(answers[1]?.message).toBe(
      'standard input:5: member.user is "nobody"; accepted: a member of organization o, since the record removes one\nNothing was changed.',
    );
    expect(answers[2]?.message).toMatch(/^standard input:7: the line is "no JSON"/);
  }));

test("a batch without an end record is dropped", async () =>
  withMembers(async (world) => {
    const { answers, dropped } = await send(world, [
      rename("u00", "Ana"),
      leave("u01")
        .split(/(?<=\n)/)
        .slice(0, 2)
        .join(""),
    ]);
    expect(outcomes(answers)).toEqual(["changed"]);
    expect(dropped).toBe(2);
  }));

const AGE = statement<never>(() => "UPDATE revision SET imported_at = $1");

test("small removals add up for an hour: the guard compares with the state before them", async () =>
  withMembers(async (world) => {
    const fours = (from: number) => leave(...MEMBERS.slice(from, from + 4));
    const first = await send(world, [fours(0), fours(4), fours(8), rename("u39", "Zoe")]);
    expect(outcomes(first.answers)).toEqual(["changed", "changed", "refused", "changed"]);
    expect(first.answers[2]?.message).toMatch(/^ {2}12 of 40 members would go:\n {4}u00\n/m);
    // Another process continues from the stored state: a member who returned does not count as removed.
    const back = batch(
      ...MEMBERS.slice(0, 4).flatMap((user) => [
        { object: "user", id: user, displayName: user },
        { object: "member", organization: "o", user, role: "read" },
      ]),
    );
    const second = await send(world, [fours(8), back, fours(8)]);
    expect(outcomes(second.answers)).toEqual(["refused", "changed", "changed"]);
    await writeDirectly(world.store.engine, AGE, new Date(Date.now() - 61 * 60_000).toISOString());
    expect(outcomes((await send(world, [fours(12)])).answers)).toEqual(["changed"]);
  }));

test("openings add up, too, whatever was closed and opened again meanwhile", async () =>
  withMembers(async (world) => {
    const at = "2026-01-01T00:00:00.000Z";
    const collection = (id: string, defaultLevel: "read" | null): SnapshotRecord => ({
      object: "collection",
      id,
      organization: "o",
      title: id,
      defaultLevel,
    });
    const space = (id: string, parent: string): SnapshotRecord => ({
      object: "space",
      id,
      organization: "o",
      title: id,
      createdAt: at,
      updatedAt: at,
      parent,
    });
    const inside = ["s1", "s2", "s3"];
    await world.import([
      ...RECORDS,
      collection("shut", null),
      collection("open", "read"),
      ...inside.map((id) => space(id, "shut")),
    ]);
    const { answers } = await send(world, [
      batch(collection("open", null)),
      batch(collection("open", "read"), ...inside.map((id) => space(id, "open"))),
    ]);
    expect(outcomes(answers)).toEqual(["changed", "refused"]);
    expect(answers[1]?.message).toMatch(/^ {2}3 of 4 closed contents would open:\n {4}space\/s1 /m);
  }));
