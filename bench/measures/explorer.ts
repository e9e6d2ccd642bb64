/** What the explorer asks its server, each for the first time in a revision, and the first rows in a browser. */
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { launch } from "../../test/parts/browser.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { type Bench, largest } from "../harness/bench.ts";
import { changes, growing, pieces } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { rolebook, serve } from "../harness/rolebook.ts";
import type { Server } from "../harness/server.ts";
import { percentile } from "../harness/spread.ts";
import { copied, look, type World } from "../harness/world.ts";

/** The number of changes between the past and now, and of records in each. */
const CHANGES = 30;
const RECORDS = 200;
/** The number of people whose names are typed into the search, letter by letter. */
const PEOPLE = 40;
/** A download is stopped after this number of bytes, which is enough to compute its rate. */
const ENOUGH = 20_000_000;

export async function explorer(bench: Bench, put: Put): Promise<void> {
  using world = copied(largest(bench), "explorer");
  const revisions = await changed(world);
  const member = ["--organization", ORGANIZATION, "--member", world.marks.ordinaryMember];
  const ofMember = await rolebook("token", "create", "--database", world.url, ...member);
  const server = await serve(world, { log: bench.log });
  try {
    for (const [name, path] of Object.entries(questions(world, revisions))) {
      const { cpu, longest } = await beside(server, () => text(server, world.token, path));
      put(world.size, name, "CPU ms", cpu);
      put(world.size, name, "another request waits at most, ms", longest);
    }
    for (const [name, path] of Object.entries(files(world))) {
      let rows = 0;
      const { cpu, longest } = await beside(server, async () => {
        rows = await rowsOf(server, world.token, path);
      });
      put(world.size, name, "rows a second of CPU", (1000 * rows) / cpu);
      put(world.size, name, "another request waits at most, ms", longest);
    }
    for (const [who, token] of Object.entries({ "an admin": world.token, "a member": ofMember })) {
      const times: number[] = [];
      for (const typed of typings(world)) {
        const begin = performance.now();
        await text(server, token, `/explorer/search?q=${encodeURIComponent(typed)}`);
        times.push(performance.now() - begin);
      }
      put(world.size, `search, by ${who}`, "p99, ms", percentile(times, 99));
    }
    await firstRows(world, server, put);
  } finally {
    await server.stop();
  }
}

function questions({ marks }: World, { earliest, latest }: Revisions): Record<string, string> {
  const half = encodeURIComponent(`user/${marks.halfGuest}@collection/${marks.halfCollection}`);
  const team = encodeURIComponent(`team/${marks.everyoneTeam}`);
  const between = `earlier=${earliest}&later=${latest}`;
  const paths = {
    "role counts, open space": `counts?space=${marks.ordinaryOpenSpace}`,
    "role counts, space with every team": `counts?space=${marks.manyTeamsSpace}`,
    "role counts, site of many open spaces": `counts?site=${marks.openSite}`,
    "role counts, member with permissions on a tenth": `counts?member=${marks.heavyMember}`,
    "direct permissions of an open space": `access?space=${marks.ordinaryOpenSpace}&reason=direct`,
    "guests of the space with every team": `access?space=${marks.manyTeamsSpace}&guests=only`,
    "people called Anna on a site": `access?site=${marks.openSite}&q=anna`,
    "rows far below, site of many open spaces": `access?site=${marks.openSite}&from=400000`,
    "without a permission on half of the spaces": `without?without=${half}`,
    "people who would lose access by it": `access?list=pairs&without=${half}`,
    "without the largest team": `without?without=${team}`,
    "two members compared": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.heavyMember}`,
    "first rows, 30 changes ago": `access?space=${marks.ordinaryClosedSpace}&revision=${earliest}`,
    "changes of a member": `changes?member=${marks.ordinaryMember}`,
    "who gained and lost since then": `since?earlier=${earliest}`,
    "all that differs since then": `access?list=changes&${between}`,
    "all that differs, called Anna": `access?list=changes&${between}&q=anna`,
  };
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `/explorer/${path}`]));
}

function files({ marks }: World): Record<string, string> {
  return {
    "file of all members": "/explorer/csv?list=members",
    "file of an open space": `/explorer/csv?space=${marks.ordinaryOpenSpace}`,
    "file of a site of many spaces": `/explorer/csv?site=${marks.openSite}`,
    "file of an admin's spaces": `/explorer/csv?member=${marks.admin}`,
  };
}

interface Revisions {
  readonly earliest: number;
  readonly latest: number;
}

async function changed({ url, revision: earliest }: World): Promise<Revisions> {
  const engine = await openEngine(url);
  let latest = earliest;
  try {
    const source = await growing(engine);
    for (let change = 0; change < CHANGES; change++) {
      const file = { name: "bench", pieces: pieces(changes(source, RECORDS)) };
      const { revision } = await applyChange(engine, await readChange(file, false, () => {}), {
        allowRemovals: true,
      });
      latest = revision ?? latest;
    }
  } finally {
    await engine.close();
  }
  return { earliest, latest };
}

/** Sends one request. Throws unless the answer is a 200. */
async function text({ url }: Server, token: string, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${body}`);
  return body;
}

/** Reads a CSV file up to {@link ENOUGH} bytes. Returns the number of its lines. */
async function rowsOf({ url }: Server, token: string, path: string): Promise<number> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers, signal: stop.signal });
  if (response.status !== 200 || response.body === null) throw new Error(`${path}: ${response.status}`);
  let [rows, bytes] = [0, 0];
  for await (const part of response.body) {
    for (const byte of part) if (byte === 10) rows++;
    bytes += part.length;
    if (bytes > ENOUGH) break;
  }
  stop.abort();
  return rows;
}

/**
 * Runs `work`, and sends a small request every 10 ms meanwhile. Returns the server's CPU, and the longest wait of the
 * small requests, in ms.
 */
async function beside(
  server: Server,
  work: () => Promise<unknown>,
): Promise<{ cpu: number; longest: number }> {
  let longest = 0;
  const over = new AbortController();
  const probing = (async () => {
    while (!over.signal.aborted) {
      const begin = performance.now();
      await (await fetch(`${server.url}/healthz`)).text();
      longest = Math.max(longest, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const before = (await server.sample()).processCpu;
  await work();
  const cpu = ((await server.sample()).processCpu - before) / 1000;
  over.abort();
  await probing;
  return { cpu, longest };
}

/** Names and addresses, letter by letter, as the page searches while they are typed. */
function typings({ path, revision: generation }: World): string[] {
  const database = look(path);
  const rows = database
    .prepare("SELECT doc FROM member WHERE generation = ? AND doc <> '' ORDER BY position LIMIT ?")
    .all(generation, PEOPLE);
  database.close();
  const texts = rows.flatMap(({ doc }) => {
    const { displayName, email }: { displayName: string; email?: string } = JSON.parse(String(doc));
    return [displayName, email ?? displayName];
  });
  return [...new Set(texts.flatMap((each) => [...each].map((_, end) => each.slice(0, end + 1).trim())))];
}

/** The time from a click to the first rows on the screen, in a browser on the same machine. */
async function firstRows({ marks, token, size }: World, server: Server, put: Put): Promise<void> {
  const things = {
    "an open space": `?space=${marks.ordinaryOpenSpace}`,
    "the space with every team": `?space=${marks.manyTeamsSpace}`,
    "the collection over half of the spaces": `?collection=${marks.halfCollection}`,
    "a site of many spaces": `?site=${marks.openSite}`,
    "the member with permissions on a tenth": `?member=${marks.heavyMember}`,
    "the team of a third of all": `?team=${marks.everyoneTeam}&tab=members`,
  };
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("treeitem").first().waitFor();
    for (const [name, query] of Object.entries(things)) {
      const ms = await page.evaluate<number>(`(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const before = document.querySelector("tbody tr[data-row]");
        const begin = performance.now();
        history.pushState({ key: begin }, "", ${JSON.stringify(query)});
        dispatchEvent(new PopStateEvent("popstate", { state: { key: begin } }));
        while (document.querySelector("tbody tr[data-row]") === null || (before !== null && before.isConnected)) {
          await frame();
          if (performance.now() - begin > 60_000) throw new Error("no rows in a minute");
        }
        await frame();
        return performance.now() - begin;
      })()`);
      put(size, `first rows of ${name}, in the browser`, "ms", ms);
    }
  } finally {
    await browser.close();
  }
}
