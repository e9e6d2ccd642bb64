/** A check of fifty rules, beside counting the roles on every content that the rules name. */
import { readRules } from "../../src/review/read-rules.ts";
import { breachLines } from "../../src/review/breaches.ts";
import { evaluate } from "../../src/review/check.ts";
import { accessOn, paint } from "../../src/model/paint.ts";
import { resolveRules } from "../../src/review/resolve.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { modelOf } from "../../src/store/models.ts";
import type { Reading } from "../../src/store/reading.ts";
import { Store } from "../../src/store/store.ts";
import { workInTurns } from "../../src/store/turns.ts";
import type { Landmarks } from "../data.ts";
import { ORGANIZATION } from "../data/identity.ts";
import type { Bench } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { ratio } from "../harness/spread.ts";
import type { World } from "../harness/world.ts";

/** The number of breaches that `rolebook check` lists per rule. */
const LISTED = 100;
const DAY = "2026-01-01";

export async function checks(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) {
    const { marks, size } = world;
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
      const [checked, counted]: [number[], number[]] = [[], []];
      for (let round = 0; round < bench.rounds; round++) {
        counted.push(
          await cpuOf(world, async (reading) => {
            const model = await modelOf(reading);
            const { resolved } = await resolveRules(reading, model, rules, DAY);
            const sheet = new Uint8Array(model.members.count);
            for (let content = 0; content < model.contents.count; content++) {
              if (!resolved.some(({ scope }) => scope?.[content] === 1)) continue;
              paint(model, accessOn(model, content), 0, sheet.length, sheet);
              const counts = new Uint32Array(16);
              for (const code of sheet) counts[code] = (counts[code] ?? 0) + 1;
            }
          }),
        );
        checked.push(
          await cpuOf(world, async (reading) => {
            const model = await modelOf(reading);
            const { resolved } = await resolveRules(reading, model, rules, DAY);
            for (const verdict of await workInTurns(evaluate(model, resolved, LISTED)))
              await workInTurns(breachLines(model, verdict));
          }),
        );
      }
      put(size, `fifty rules ${name}`, "CPU seconds", checked);
      put(size, `fifty rules ${name}`, "CPU, × counting roles", ratio(checked, counted));
    }
  }
}

/** The CPU seconds of `work` on a newly opened database, so that nothing is cached. */
async function cpuOf({ url }: World, work: (reading: Reading) => Promise<void>): Promise<number> {
  const engine = await openEngine(url);
  try {
    const store = new Store(engine);
    const organization = await store.registry.organization(ORGANIZATION);
    if (organization === undefined) throw new Error(`${url} has no organization ${ORGANIZATION}.`);
    const begin = process.cpuUsage();
    await work(store.reading(organization.current));
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1e6;
  } finally {
    await engine.close();
  }
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
