/** A check of fifty rules, and what can be tidied up, in a process that has the organization in memory. */
import { readRules } from "../../src/review/read-rules.ts";
import { breachLines } from "../../src/review/breaches.ts";
import { evaluate } from "../../src/review/check.ts";
import { resolveRules } from "../../src/review/resolve.ts";
import { tidy } from "../../src/review/tidy.ts";
import type { Reading } from "../../src/store/reading.ts";
import { modelOf } from "../../src/store/models.ts";
import { workInTurns } from "../../src/store/turns.ts";
import type { Landmarks } from "../data.ts";
import type { Bench } from "../harness/bench.ts";
import { open, remembering } from "../harness/database.ts";
import type { Put } from "../harness/result.ts";
import { cpuOf, longestTurn } from "../harness/turns.ts";

/** The number of breaches that `rolebook check` lists per rule. */
const LISTED = 100;
const DAY = "2026-01-01";

export async function checks({ worlds, rounds }: Bench, put: Put): Promise<void> {
  for (const world of worlds) {
    const { marks, size } = world;
    await using database = await open(world);
    const reading = await remembering(await database.reading());
    const layouts = {
      "about different contents": fiftyRules(marks),
      "about one space": Array.from({ length: 50 }, (_, index) => ({
        rule: `rule ${index}`,
        who: { team: marks.everyoneTeam },
        what: { space: marks.ordinaryOpenSpace },
        ...HOWS[index % HOWS.length],
      })),
    };
    for (const [name, declared] of Object.entries(layouts)) {
      const rules = readRules(JSON.stringify({ rules: declared }), name);
      await measure(`fifty rules ${name}`, () => checking(reading(), rules));
    }
    await measure("what can be tidied up", () => tidying(reading()));

    async function measure(name: string, work: () => Promise<void>): Promise<void> {
      const cpu: number[] = [];
      for (let round = 0; round < rounds; round++) cpu.push(await cpuOf(work));
      put(size, name, "CPU ms", cpu);
      put(size, name, "longest turn in CPU ms", await longestTurn(work));
    }
  }
}

type Rules = ReturnType<typeof readRules>;

async function checking(reading: Reading, rules: Rules): Promise<void> {
  const model = await modelOf(reading);
  const { resolved } = await resolveRules(reading, model, rules, DAY);
  for (const verdict of await workInTurns(evaluate(model, resolved, LISTED)))
    await workInTurns(breachLines(model, verdict));
}

async function tidying(reading: Reading): Promise<void> {
  let findings = 0;
  for await (const found of tidy(reading)) findings += found.length;
  if (findings === 0) throw new Error("nothing was found to tidy up");
}

const HOWS: readonly object[] = [
  { how: "none", from: "admin" },
  { how: "only", from: "create" },
  { how: "all", from: "read" },
  { how: { "at most": 1000 }, from: "review" },
  { how: { "at least": 1 }, from: "create" },
];

/** Rules about special and ordinary subjects, with every kind of who, what and how. */
function fiftyRules(marks: Landmarks): object[] {
  const team = { team: marks.everyoneTeam };
  const whats = [
    { space: marks.directSpace },
    { space: marks.manyTeamsSpace },
    { space: marks.manyTeamsOpenSpace },
    { space: marks.sparse.space },
    { space: marks.ordinaryOpenSpace },
    { space: marks.ordinaryClosedSpace },
    { below: marks.ordinaryCollection },
    { site: marks.openSite },
    { site: marks.closedSite },
    { site: marks.guestSite },
  ];
  const kinds = [
    { who: "guests", how: "none", from: "edit" },
    { who: { "everybody but": { role: "admin" } }, how: { "at most": 1000 }, from: "review" },
    { who: [team, { user: marks.ordinaryMember }, { role: "admin" }], how: "only", from: "create" },
    { how: { "at least": 1 }, from: "create" },
    { who: "guests", how: "none", permissions: "direct" },
  ];
  return whats.flatMap((what, place) =>
    kinds.map((kind, index) => ({ rule: `${place} ${index}`, what, ...kind })),
  );
}
