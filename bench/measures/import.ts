/** `rolebook import` beside a bare program that inserts the same rows, and the pages of a server meanwhile. */
import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hashOf } from "../../src/store/tokens.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { pick } from "../data/random.ts";
import { type Bench, largest } from "../harness/bench.ts";
import { timed } from "../harness/command.ts";
import { LOAD_CORE, SERVER_CORE } from "../harness/cores.ts";
import { pace } from "../harness/pace.ts";
import type { Put } from "../harness/result.ts";
import { rolebook, serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { percentile, ratio } from "../harness/spread.ts";
import { ENDPOINTS, urlOf } from "../harness/url.ts";
import { copied, importInto, look, removeDatabase, type World } from "../harness/world.ts";
import type { Inserted } from "./bare/insert.ts";

const BARE = fileURLToPath(new URL("bare/insert.ts", import.meta.url));
const MB = 2 ** 20;
/** How long pages are measured before the import, and how long a revoked token may still be taken, in milliseconds. */
const USUAL = 8_000;
const PATIENCE = 60_000;

export async function importing(bench: Bench, put: Put): Promise<void> {
  for (const world of bench.worlds) {
    // An import of L (1,000,000 members) is long enough to be measured once.
    const rounds = world.size === "L" ? 1 : bench.rounds;
    const [cpu, peak, bare, again]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const [ran, same] = await anew(world, async (path) => {
        return [await importInto(path, world.file), await importInto(path, world.file)];
      });
      const { stdout } = await anew(world, (path) =>
        timed({ core: SERVER_CORE }, BARE, world.path, path, String(world.revision)),
      );
      const inserted: Inserted = JSON.parse(stdout);
      cpu.push(ran.cpuSeconds);
      peak.push(ran.peakRss / MB);
      bare.push(inserted.cpuSeconds);
      again.push(same.cpuSeconds);
    }
    put(world.size, "import", "CPU seconds", cpu);
    put(world.size, "import", "CPU, × the bare program's", ratio(cpu, bare));
    put(world.size, "import", "peak memory, MB", peak);
    put(world.size, "import", "the same file again, CPU seconds", again);
  }
  await meanwhile(bench, put);
}

async function anew<T>({ path }: World, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(`${path}-anew`);
  } finally {
    removeDatabase(`${path}-anew`);
  }
}

/** Requests pages at a steady pace before and during an import, and revokes a token in the middle of it. */
async function meanwhile(bench: Bench, put: Put): Promise<void> {
  const drawer = await bench.drawerOf(largest(bench));
  using world = copied(largest(bench), "meanwhile");
  const doomed = await rolebook("token", "create", "--database", world.url, "--organization", ORGANIZATION);
  const file = join(bench.folder, "joined.ndjson");
  copyFileSync(world.file, file);
  appendFileSync(file, joined());
  const server = await serve(world, { log: bench.log });
  try {
    const page = (): string =>
      drawer.fresh((random) => drawer.anywhere(pick(random, ENDPOINTS))(random), 1)[0] ?? "";
    const usual = await pace(server, world.token, page, sleep(USUAL));
    let over = false;
    const running = importInto(world.path, file, { core: LOAD_CORE }).finally(() => {
      over = true;
    });
    const paced = pace(server, world.token, page, running);
    // If the import fails, report its error, not those of the pages.
    paced.catch(() => {});
    await sleep(500);
    const refused = over ? undefined : await revoke(world, doomed, server);
    const stillRunning = !over;
    await running;
    const during = await paced;
    put(
      world.size,
      "import",
      "p99 of pages meanwhile, × usual",
      percentile(during, 99) / percentile(usual, 99),
    );
    if (refused !== undefined && stillRunning)
      put(world.size, "import", "a revoked token is refused after, s", refused);
  } finally {
    await server.stop();
  }
}

/** Returns the seconds from the start of `rolebook token revoke` to the first refusal. */
async function revoke({ path, url, marks }: World, token: string, server: Server): Promise<number> {
  const database = look(path);
  const row = database.prepare("SELECT id FROM token WHERE hash = ?").get(hashOf(token));
  database.close();
  const page = new URL(urlOf({ endpoint: 2, id: marks.ordinaryOpenSpace, limit: 1 }, 0), server.url);
  const status = async (): Promise<number> => {
    const answer = await fetch(page, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  if ((await status()) !== 200) throw new Error("the token was refused before it was revoked");
  const begin = performance.now();
  const command = rolebook("token", "revoke", "--database", url, String(row?.["id"]));
  while (performance.now() - begin < PATIENCE) {
    if ((await status()) === 401) {
      const seconds = (performance.now() - begin) / 1000;
      await command;
      return seconds;
    }
    await sleep(5);
  }
  await command;
  throw new Error(`a revoked token was still taken after ${PATIENCE} ms`);
}

/** The lines of one more member. */
function joined(): string {
  const user = `joined-${Date.now()}`;
  const member = { object: "member", organization: ORGANIZATION, user, role: "read" };
  return `${JSON.stringify({ object: "user", id: user, displayName: "Joined" })}\n${JSON.stringify(member)}\n`;
}
