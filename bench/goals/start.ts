/** Goal 7: the start of a server, and its memory after the whole run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ask } from "../server/capture.ts";
import { onCore, SERVER_CORE } from "../server/cores.ts";
import { serve } from "../server/rolebook.ts";
import { spread } from "../figures/spread.ts";
import type { Bench } from "../work/bench.ts";
import { ratio } from "../work/cost.ts";
import { LIMIT } from "../work/draw.ts";
import { type Section, few } from "../work/section.ts";
import { urlOf } from "../work/url.ts";

const MB = 2 ** 20;

/**
 * Starts servers, in turn with `node -e 0`. Must be the last goal: it also measures the memory of the server that
 * answered the whole run.
 */
export async function start(bench: Bench): Promise<Section> {
  const world = bench.largest;
  const rounds = Math.max(5, bench.timing.rounds);
  const page = urlOf({ endpoint: 3, id: world.marks.ordinaryOpenSpace, limit: LIMIT }, world.revision);
  const ours: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begin = performance.now();
    const server = await serve(world, { log: bench.log, probed: false });
    await ask(new URL(page, server.url), world.token);
    const took = performance.now() - begin;
    await server.stop();
    const nothing = await node();
    if (round === 0) continue;
    ours.push(took);
    empty.push(nothing);
  }
  const figure = ratio(ours, empty);
  const { rss, peakRss } = await (await bench.serverOf(world)).sample();
  bench.note(`7 start: × ${few(figure)}, resident ${(rss / MB).toFixed(0)} MB`);
  return {
    title: "7. Start and memory",
    parts: [
      "The time of the first page is from starting the process (`bin/rolebook.js`, with `--max-semi-space-size=8` as `docs/operations.md` says) to the last byte of that page; the time of `node -e 0` is from its start to its end. Memory is that of the server, with logs off, after it answered all requests of this run: first without the mapped database file, then its highest value with the parts of the file that were in memory.",
      [
        ["first page after, ms", "`node -e 0`, ms", "ratio", "resident, MB", "at its highest, MB"],
        [
          few(spread(ours)),
          few(spread(empty)),
          few(figure),
          (rss / MB).toFixed(0),
          (peakRss / MB).toFixed(0),
        ],
      ],
    ],
    verdicts: [
      { what: "first answer after start, by `node -e 0`", figure, bound: { side: "most", value: 5 } },
      {
        what: "resident memory after the benchmark",
        figure: spread([rss / MB]),
        unit: " MB",
        bound: { side: "most", value: 250 },
      },
    ],
  };
}

async function node(): Promise<number> {
  const [program = "", ...rest] = onCore(SERVER_CORE, [process.execPath, "-e", "0"]);
  const begin = performance.now();
  await once(spawn(program, rest, { stdio: "ignore" }), "exit");
  return performance.now() - begin;
}
