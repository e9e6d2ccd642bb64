import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pipeline } from "node:stream/promises";
import { LOAD_CORE } from "../server/cores.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { pick } from "../data/random.ts";
import { rolebook } from "../server/rolebook.ts";
import type { Server } from "../server/server.ts";
import { spread } from "../figures/spread.ts";
import { hashOf } from "../../src/store/tokens.ts";
import type { Bench } from "../work/bench.ts";
import type { Ran } from "../work/command.ts";
import { ENDPOINTS, urlOf } from "../work/url.ts";
import type { Table, Verdict } from "../work/section.ts";
import { importInto, look } from "../work/world.ts";
import { EVERY, pace, quantile } from "../work/pace.ts";

/** The largest allowed ratio of the time of an import beside a server to the time of an import alone. */
const MOST_TIMES = 4;
/** The requests are also measured for this time before the import, in seconds. */
const USUAL = 8;
/** The pause between two requests with a revoked token, and the longest wait for its refusal, in milliseconds. */
const LOOK = 5;
const PATIENCE = 60_000;

/** Measures the pages of a server, and the revocation of a token, during an import. */
export async function meanwhile(
  bench: Bench,
): Promise<{ ran: Ran; parts: (string | Table)[]; verdicts: Verdict[] }> {
  const world = bench.largest;
  const drawer = bench.drawerOf(world);
  const server = await bench.serverOf(world);
  const database = `sqlite:${world.path}`;
  const doomed = await rolebook("token", "create", "--database", database, "--organization", ORGANIZATION);
  const file = join(bench.folder, "renamed.ndjson");
  await rename(world.file, file);
  const page = (): string =>
    drawer.fresh((random) => drawer.anywhere(pick(random, ENDPOINTS))(random), 1)[0] ?? "";
  const usual = await pace(server, world.token, page, sleep(bench.quick ? 2000 : USUAL * 1000));
  const before = performance.now();
  const running = importInto(world.path, file, {
    core: LOAD_CORE,
    patience: MOST_TIMES * 1000 * Math.max(10, world.imported?.seconds ?? 200),
  });
  let over = false;
  const ended = running.finally(() => {
    over = true;
  });
  const paced = pace(server, world.token, page, ended);
  // If the import fails, report its error, not those of the pages.
  paced.catch(() => {});
  const part = world.imported === undefined ? 1000 : world.imported.seconds * 400;
  await Promise.race([sleep(part), ended]);
  const revoked = over ? undefined : await revoke(world.path, doomed, server, world.marks.ordinaryOpenSpace);
  const stillRunning = !over;
  const ran = await running;
  const during = await paced;
  const [p99, then] = [quantile(usual, 0.99), quantile(during, 0.99)];
  bench.note(
    `6 pages meanwhile: p99 ${then.toFixed(1)} ms, before ${p99.toFixed(1)} ms; import ${ran.seconds.toFixed(1)} s`,
  );
  const refused = revoked === undefined || !stillRunning ? undefined : revoked;
  if (refused !== undefined) bench.note(`6 token refused ${refused.toFixed(2)} s after the command began`);
  return {
    ran,
    parts: [
      `The second import changes one line, the organization's title, while a server answers. Pages of all endpoints, never requested before, are requested at a pace of ${1000 / EVERY} a second: ${usual.length} before, ${during.length} meanwhile (${((performance.now() - before) / 1000).toFixed(0)} s). Import and load share a core, the server has the other. The time of the revoked token is from the start of \`rolebook token revoke\` to the first 401.`,
      [
        ["", "p50, ms", "p99, ms", "slowest, ms"],
        ["before", ...[0.5, 0.99, 1].map((at) => quantile(usual, at).toFixed(1))],
        ["while importing", ...[0.5, 0.99, 1].map((at) => quantile(during, at).toFixed(1))],
      ],
      ...(refused === undefined
        ? ["The import was over before the token was refused; it says nothing at this size."]
        : []),
    ],
    verdicts: [
      {
        what: "p99 of pages while importing, by the usual",
        figure: spread([then / p99]),
        bound: { side: "most", value: 3 },
      },
      ...(refused === undefined
        ? []
        : [
            {
              what: "a token revoked meanwhile is refused after",
              figure: spread([refused]),
              unit: " s",
              bound: { side: "most" as const, value: 1 },
            },
          ]),
    ],
  };
}

/**
 * Revokes a token with `rolebook token revoke`. Returns the seconds from the start of the command to the first refusal.
 */
async function revoke(path: string, token: string, server: Server, space: string): Promise<number> {
  const database = look(path);
  const row = database.prepare("SELECT id FROM token WHERE hash = ?").get(hashOf(token));
  database.close();
  const url = new URL(urlOf({ endpoint: 2, id: space, limit: 1 }, 0), server.url);
  const status = async (): Promise<number> => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  if ((await status()) !== 200) throw new Error("the token was refused before it was revoked");
  const begin = performance.now();
  const command = rolebook("token", "revoke", "--database", `sqlite:${path}`, String(row?.["id"]));
  while (performance.now() - begin < PATIENCE) {
    if ((await status()) === 401) {
      const seconds = (performance.now() - begin) / 1000;
      await command;
      return seconds;
    }
    await sleep(LOOK);
  }
  await command;
  throw new Error(`a revoked token was still taken after ${PATIENCE} ms`);
}

/** Copies a snapshot file and changes the title of the organization, which is in the first line. */
async function rename(from: string, to: string): Promise<void> {
  await pipeline(
    createReadStream(from),
    async function* retitle(chunks: AsyncIterable<Buffer>) {
      let first = true;
      for await (const chunk of chunks) {
        if (!first) {
          yield chunk;
          continue;
        }
        first = false;
        const end = chunk.indexOf("\n");
        const line: { title: string } = JSON.parse(chunk.toString("utf8", 0, end));
        yield JSON.stringify({ ...line, title: `Bench, renamed ${Date.now()}` });
        yield chunk.subarray(end);
      }
    },
    createWriteStream(to),
  );
}
