/** A walk through all members of an open space, pages of 1000, beside a loop that reads their profiles from the database. */
import { Agent } from "node:http";
import { fileURLToPath } from "node:url";
import { type Bench, largest } from "../harness/bench.ts";
import { ask } from "../harness/capture.ts";
import { timed } from "../harness/command.ts";
import { SERVER_CORE } from "../harness/cores.ts";
import { countOf } from "../harness/cost.ts";
import type { Put } from "../harness/result.ts";
import type { Server } from "../harness/server.ts";
import { ratio } from "../harness/spread.ts";
import { urlOf } from "../harness/url.ts";
import type { World } from "../harness/world.ts";
import type { Read } from "./bare/read.ts";

const BARE = fileURLToPath(new URL("bare/read.ts", import.meta.url));
const LIMIT = 1000;

/** Another space in each round, in turn with the loop. */
export async function walk(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const server = await bench.serverOf(world);
  const drawer = await bench.drawerOf(world);
  const spaces = drawer.directory.spaces.filter(({ open }) => open);
  const walked: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const mine = await through(server, world, spaces[(round * 7 + 1) % spaces.length]?.id ?? "");
    const { stdout } = await timed({ core: SERVER_CORE }, BARE, world.path, String(world.revision));
    const theirs: Read = JSON.parse(stdout);
    // Round 0 warms up the code and the file cache.
    if (round === 0) continue;
    walked.push(mine);
    bare.push(theirs.cpu / theirs.documents);
  }
  put(world.size, "a walk", "documents per CPU, by the bare loop's", ratio(bare, walked));
}

/** The CPU of the server in microseconds per document. */
async function through(server: Server, world: World, id: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = urlOf({ endpoint: 3, id, limit: LIMIT }, world.revision);
  const before = await server.sample();
  let documents = 0;
  for (let page = ""; ;) {
    const { body } = await ask(new URL(`${first}${page}`, server.url), world.token, agent);
    documents += countOf(body.slice(0, 600));
    const next = /^\{"next":\{"page":"([^"]+)"\}/.exec(body)?.[1];
    if (next === undefined) break;
    page = `&page=${next}`;
  }
  agent.destroy();
  return ((await server.sample()).processCpu - before.processCpu) / documents;
}
