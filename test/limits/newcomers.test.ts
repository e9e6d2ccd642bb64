/** Who is new in a list, in chunks of four slots: what a chunk was is made from what it is. */
import { expect, test, vi } from "vitest";
import * as given from "../oracle/examples/examples.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

const USERS = Array.from({ length: 120 }, (_, index) => `u${String(index).padStart(3, "0")}`);

test("people are new in chunks where others left, where nobody was, and where nothing changed", async () => {
  await using world = Object.assign(await World.open(sqlitePlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  const members = USERS.map((_, index) => index % 3 === 0);
  const joined = USERS.map((_, index) => index % 3 === 0 || index % 35 === 7);
  const first = USERS.map((_, index) => index < 60);
  const later = first.map((was, index) => (was ? index % 29 !== 3 : index % 31 === 11));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T12:00:00Z") });
  try {
    await world.import(recordsOf(members, first));
    vi.setSystemTime("2026-03-02T12:00:00Z");
    // Few lines differ, so the file becomes a change of the same generation.
    await world.import(recordsOf(joined, later));
  } finally {
    vi.useRealTimers();
  }
  const token = await world.token("o");
  for (const [list, had, has] of [
    ["space=joined", members, joined],
    ["team=t&tab=members", first, later],
    ["space=of-team", first, later],
  ] as const) {
    const rows = await world.walk(`/explorer/access?${list}&since=2026-03-02T00:00:00Z`, token);
    const expected = USERS.filter((_, index) => has[index] === true && had[index] !== true);
    expect(expected.length).toBeGreaterThan(1);
    const found = rows.map((row): { user?: { id: string } } => Object(row)).map(({ user }) => user?.id);
    expect(found, list).toEqual(expected);
  }
});

/** Guests with a direct permission on one space, and in a team with one on another. */
function recordsOf(onJoined: readonly boolean[], inTeam: readonly boolean[]): SnapshotRecord[] {
  const chosen = (which: readonly boolean[]) => USERS.filter((_, index) => which[index] === true);
  return [
    given.organization(),
    ...USERS.flatMap((user) => given.member(user, null)),
    ...given.team("t", chosen(inTeam)),
    given.space("joined"),
    given.space("of-team"),
    ...chosen(onJoined).map((user) => given.onSpace("joined", { user }, "read")),
    given.onSpace("of-team", { team: "t" }, "edit"),
  ];
}
