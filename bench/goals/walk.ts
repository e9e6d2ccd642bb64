/** Goal 5: a walk through all members of an aggregate. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { ask } from "../server/capture.ts";
import { onCore, SERVER_CORE } from "../server/cores.ts";
import type { Server } from "../server/server.ts";
import { spread } from "../figures/spread.ts";
import type { Read } from "./bare/read.ts";
import type { Bench } from "../work/bench.ts";
import { countOf, ratio } from "../work/cost.ts";
import { type Section, few } from "../work/section.ts";
import { urlOf } from "../work/url.ts";
import type { World } from "../work/world.ts";

const BARE = fileURLToPath(new URL("bare/read.ts", import.meta.url));
const LIMIT = 1000;

/** Walks through the aggregate of an open space, another one in each round, in turn with the baseline. */
export async function walk(bench: Bench): Promise<Section> {
  const world = bench.largest;
  const server = await bench.serverOf(world);
  const spaces = bench.drawerOf(world).directory.spaces.filter(({ open }) => open);
  const walked: Read[] = [];
  const bare: Read[] = [];
  for (let round = 0; round <= bench.timing.rounds; round += 1) {
    const space = spaces[round * 7 + 1];
    if (space === undefined) throw new Error("there are too few open spaces to walk through");
    const mine = await through(server, world, space.id);
    const theirs = await loop(world);
    // Round 0 warms up the code and the file cache.
    if (round === 0) continue;
    walked.push(mine);
    bare.push(theirs);
  }
  const figure = ratio(walked.map(speed), bare.map(speed));
  bench.note(`5 walk: ${few(figure)}`);
  const row = (name: string, reads: readonly Read[]): string[] => [
    name,
    few(spread(reads.map(({ documents }) => documents))),
    few(spread(reads.map(speed))),
    few(spread(reads.map(cpu))),
  ];
  return {
    title: "5. A walk through an aggregate",
    parts: [
      "All pages of 1000 of the aggregate of an open space, one after the other over one connection, with another space in each round. The bare loop reads the documents of all members from the same file with `node:sqlite`, 1000 rows per statement, and writes them to a pipe; it decides nothing and uses no HTTP. The utilisation rule does not apply: the server waits while the client requests the next page, which is part of a walk.",
      [
        ["", "documents", "documents a second", "CPU µs a document"],
        row("walk", walked),
        row("bare loop", bare),
      ],
    ],
    verdicts: [
      { what: "documents a second, walk by bare loop", figure, bound: { side: "least", value: 0.4 } },
    ],
  };
}

function speed({ documents, seconds }: Read): number {
  return documents / seconds;
}

function cpu({ documents, cpuSeconds }: Read): number {
  return (cpuSeconds * 1e6) / documents;
}

async function through(server: Server, world: World, id: string): Promise<Read> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = urlOf({ endpoint: 3, id, limit: LIMIT }, world.revision);
  const before = await server.sample();
  const begin = performance.now();
  let documents = 0;
  for (let page = ""; ;) {
    const { body } = await ask(new URL(`${first}${page}`, server.url), world.token, agent);
    documents += countOf(body.slice(0, 600));
    const next = /^\{"next":\{"page":"([^"]+)"\}/.exec(body)?.[1];
    if (next === undefined) break;
    page = `&page=${next}`;
  }
  const seconds = (performance.now() - begin) / 1000;
  const after = await server.sample();
  agent.destroy();
  return { documents, seconds, cpuSeconds: (after.processCpu - before.processCpu) / 1e6 };
}

async function loop({ path, revision: generation }: World): Promise<Read> {
  const [program = "", ...rest] = onCore(SERVER_CORE, [process.execPath, BARE, path, String(generation)]);
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`the bare loop failed: ${said}`);
  return JSON.parse(said);
}
